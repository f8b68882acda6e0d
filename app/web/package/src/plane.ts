// plane.ts: which scenes the module for gases in 2D alone runs, as far as can be told beforehand. It
// lacks what a scene says at its start and nothing that can be set later: what this takes for one of
// its scenes by mistake it refuses, and the whole module is loaded then.

import { aliases, planeNames } from './generated/scenes.js'
import type { Json, SceneSource } from './types.js'

type Members = { [key: string]: Json }
const members = (value: Json | undefined): Members => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {})

/** Whether a model is one of its own. */
function isPlane(name: string, model: Json): boolean {
  const { type, grid, fire, tracers, atmosphere, floor } = members(model)
  const kind = type ?? name
  if ((kind !== 'gas' && kind !== 'classic') || members(grid).dim !== 2) return false
  return !members(fire).fuel && !members(tracers).capacity && !members(atmosphere).layered && floor !== true
}

/** Properties that are set before models are made, and may ask for what it has not. */
const asks = /\b(dim|fire|tracers|atmosphere|floor|bodies|solver|texture)\b/

/** Whether that module is the one to begin with. */
export function suitsPlane(source: SceneSource, set?: Record<string, Json>): boolean {
  if (Object.keys(set ?? {}).some((path) => asks.test(path))) return false
  if (typeof source === 'string' && !/^\s*\{/.test(source)) {
    const name = Object.hasOwn(aliases, source) ? aliases[source as keyof typeof aliases] : source
    return (planeNames as readonly string[]).includes(name)
  }
  try {
    const scene = typeof source === 'string' ? (JSON.parse(source) as Members) : members(source as Json)
    const models = Object.entries(members(scene.models))
    if (!models.length || scene.bodies || /\.png"/.test(JSON.stringify(scene))) return false
    return models.every(([name, model]) => isPlane(name, model))
  } catch {
    return false // what is wrong with it the whole module tells
  }
}

/** Whether it was refused for want of what the whole module has. */
export const lacksWhole = (error: unknown): boolean => error instanceof Error && error.message.includes('this module holds gases in 2D only')
