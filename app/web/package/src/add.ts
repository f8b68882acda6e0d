// add.ts: where an image goes in a scene: the list that takes it, found by what its property tables
// say (roles, never names), and its element.

import { GyreError, unknown } from './error.js'
import type { AddOptions, FluidInfo, Json, ModelInfo, Property } from './types.js'

interface Room {
  model: ModelInfo
  pool: Property
}

const has = (pool: Property, role: RegExp): boolean => !!pool.members?.some((p) => role.test(String(p.role ?? '')))
const shaped = (pool: Property): boolean => !!pool.members?.some((p) => p.name === 'shape' && p.kind === 'union')

const fits: Record<AddOptions['as'], (pool: Property) => boolean> = {
  obstacle: (pool) => pool.role === 'block',
  emitter: (pool) => has(pool, /^(feed|discharge)/),
  ground: (pool) => has(pool, /^raise$/),
}

function roomFor(info: FluidInfo, options: AddOptions): Room {
  const fit = Object.hasOwn(fits, options.as) ? fits[options.as] : undefined
  if (!fit) throw unknown('use of an image', String(options.as), Object.keys(fits))
  const names = info.models.map((m) => m.name)
  if (options.model !== undefined && !names.includes(options.model)) throw unknown('model', options.model, names)
  for (const model of info.models) {
    if (options.model !== undefined && options.model !== model.name) continue
    const pool = info.tables.models[model.type]?.find((p) => p.kind === 'pool' && shaped(p) && fit(p))
    if (pool) return { model, pool }
  }
  const whole = info.models.map((m) => `${m.name} (${m.type})`).join(', ')
  const gives = Object.keys(fits).filter((as) =>
    info.models.some((m) => info.tables.models[m.type]?.some((p) => p.kind === 'pool' && shaped(p) && fits[as as AddOptions['as']](p))))
  throw new GyreError('argument', `${options.model ?? whole} takes no image as '${options.as}'${gives.length ? `; it takes one as '${gives.join("', '")}'` : ''}`)
}

/** What an emitter gives where nobody says what. */
function given(pool: Property, options: AddOptions, area: number): { [key: string]: Json } {
  if (options.properties && Object.keys(options.properties).length) return {}
  const of = (role: string): Property | undefined => pool.members?.find((p) => p.role === role)
  if (options.as === 'ground') {
    const raise = of('raise')!
    return { [raise.name]: 0.2 }
  }
  const [feed, mode, discharge] = [of('feed'), of('choose_mode'), of('discharge')]
  if (discharge) return { [discharge.name]: 0.2 * area }
  return { ...(mode?.names?.[1] ? { [mode.name]: mode.names[1] } : {}), ...(feed ? { [feed.name]: 1 } : {}) }
}

export interface Placed {
  pool: string
  path: string
  file: string
  element: { [key: string]: Json }
}

function part(what: string, value: number | undefined, fallback: number): number {
  const v = value ?? fallback
  if (!Number.isFinite(v)) throw new GyreError('argument', `${what} is ${v}: a number was expected`)
  return v
}

/** `aspect`: the image's width over its height; `filled`: what part of it counts. */
export function place(info: FluidInfo, options: AddOptions, name: string, aspect: number, filled: number): Placed {
  const { model, pool } = roomFor(info, options)
  const [nx, ny, nz] = model.n
  const [w, h, d] = [nx * model.h, ny * model.h, nz * model.h]
  const width = part('width', options.width, 0.5) * w
  if (!(width > 0)) throw new GyreError('argument', `width is ${options.width}: more than 0 was expected`)
  const height = width / aspect
  const depth = model.dim === 3 ? part('depth', options.depth, 0.2) * d : 1
  const low = [
    model.origin[0] + part('x', options.x, 0.5) * w - width / 2,
    model.origin[1] + (1 - part('y', options.y, 0.5)) * h - height / 2,
    model.dim === 3 ? model.origin[2] + part('z', options.z, 0.5) * d - depth / 2 : 0,
  ]
  const file = `${name}.npy`
  return {
    pool: `${model.name}.${pool.name}`,
    path: `${model.name}.${pool.name}.${name}`,
    file,
    element: {
      name,
      ...(options.as === 'obstacle' ? {} : given(pool, options, width * height * filled)),
      ...options.properties,
      shape: { volume: { data: file, low, size: [width, height, depth] } },
    },
  }
}
