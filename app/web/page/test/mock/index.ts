// mock/index.ts: a fluid of gyre-fluid's types that is none: coloured blobs on a canvas of two
// dimensions, for tests of the page alone. Never built into the page that is served.
import type { Fluid, FluidInfo, FluidOptions, Json, Look, Property } from '../../../package/src/types.ts'

const property = (name: string, kind: Property['kind'], extra: Partial<Property>): Property => ({ name, kind, count: 1, doc: `the ${name}`, ...extra })
const table: Property[] = [
  property('viscosity', 'float', { unit: 'm^2/s', low: 0, high: 1e6, default: 0 }),
  property('gravity', 'float', { unit: 'm/s^2', count: 3, low: -1e4, high: 1e4, default: [0, -9.81, 0] }),
  property('solid_slip', 'bool', { default: true }),
  property('advection', 'enum', { names: ['linear', 'cubic'], default: 'linear', fixed: true }),
]

export const sceneNames: string[] = []
export class GyreError extends Error { code = 'format' }
export const prepareFluid = (): void => undefined
export const schema = async (): Promise<string> => JSON.stringify({ type: 'object', properties: { title: { type: 'string', description: 'its name' }, models: { type: 'object' } } })

export async function createFluid(canvas: HTMLCanvasElement, options: FluidOptions): Promise<Fluid> {
  const listeners = new Map<string, Set<(v: never) => void>>()
  const emit = (event: string, value: unknown): void => listeners.get(event)?.forEach((f) => f(value as never))
  const context = canvas.getContext('2d')!
  let step = 0, paused = options.paused ?? false, text = '', look: Look = { mode: 'map', field: 'density', map: 'ink' }
  const strokes: { x: number; y: number; c: string }[] = []
  const values: Record<string, Json> = {}
  const open = (source: string): FluidInfo => {
    let scene: { title?: string; doc?: string; models?: Record<string, { grid?: { n?: number[]; h?: number } }> }
    try {
      scene = JSON.parse(source)
    } catch {
      throw Object.assign(new GyreError('scene.json:2:3: not JSON: what was expected is a brace'), {})
    }
    if (!scene.models) throw new GyreError('scene.json:1:1: models: missing')
    text = source
    step = 0
    return {
      title: scene.title ?? '', doc: scene.doc ?? '', dt: 1 / 60, fps: 60, scene: '', threads: 1, worker: false, still: false, coarser: 1,
      tables: { version: '0', threads: 1, models: { gas: table, water: table, classic: table, ocean: table }, scene: [] },
      models: Object.entries(scene.models).map(([name, m]) => ({ name, type: 'gas' as never, dim: 2, n: (m.grid?.n ?? [64, 64, 1]) as [number, number, number], h: m.grid?.h ?? 1, origin: [0, 0, 0], fields: [{ name: 'density', unit: '', location: 'centre', view: '', role: '', derived: false, doc: '' }], particles: [], values: { viscosity: 0.001 } })),
      view: {}, modes: ['map', 'streaks'], warnings: [],
    }
  }
  let info = open(String(options.scene))
  const draw = (): void => {
    const ratio = options.pixelRatio ?? 1, box = canvas.getBoundingClientRect()
    canvas.width = box.width * ratio; canvas.height = box.height * ratio
    context.fillStyle = '#08090d'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.globalCompositeOperation = 'lighter'
    const blob = (x: number, y: number, c: string, r: number): void => {
      const g = context.createRadialGradient(x, y, 0, x, y, r)
      g.addColorStop(0, c); g.addColorStop(1, '#0000')
      context.fillStyle = g
      context.fillRect(x - r, y - r, 2 * r, 2 * r)
    }
    for (const [i, c] of ['#c03a5a', '#2a9fa8', '#c07830'].entries()) blob(canvas.width * (0.5 + 0.2 * Math.cos(step / 40 + i * 2.1)), canvas.height * (0.5 + 0.25 * Math.sin(step / 40 + i * 2.1)), c, canvas.height * 0.35)
    for (const s of strokes.slice(-60)) blob(s.x * canvas.width, s.y * canvas.height, s.c, canvas.height * 0.08)
    context.globalCompositeOperation = 'source-over'
  }
  const advance = (n: number): void => { step += n; draw(); emit('frame', { time: step / 60, step, steps: n }) }
  const timer = setInterval(() => { if (!paused && !document.hidden) advance(1) }, 16)
  const stats = async () => ({ step, time: step / 60, bytes: 1e6, models: {}, fps: 60, stepTime: 3, drawTime: 2, speed: 1, width: canvas.width, height: canvas.height, paused })
  const ticker = setInterval(() => void stats().then((s) => emit('stats', s)), 1000)
  draw()
  return {
    canvas, get info() { return info }, get running() { return !paused }, destroyed: false,
    splat: () => undefined, pointer: (_n, _p, x, y, _w, colour) => { strokes.push({ x, y, c: String(colour ?? '#888') }) },
    attachPointers: (o) => {
      const move = (e: PointerEvent): void => { if (e.buttons) strokes.push({ x: e.offsetX / canvas.clientWidth, y: e.offsetY / canvas.clientHeight, c: typeof o?.colour === 'function' ? String(o.colour(0)) : '#888' }) }
      canvas.addEventListener('pointermove', move)
      return () => canvas.removeEventListener('pointermove', move)
    },
    brush: () => undefined, zoom: () => undefined,
    set: async (p, v) => { values[p] = v }, get: async (p) => values[p] ?? null,
    look: async (l) => { look = { ...look, ...l } }, getLook: async () => look,
    pause: () => { paused = true; emit('running', { running: false, reason: 'call' }) }, resume: () => { paused = false; emit('running', { running: true, reason: 'call' }) },
    step: async (n = 1) => advance(n), reset: async () => { step = 0; strokes.length = 0; draw() },
    load: async (s) => { info = open(String(s)); draw(); return info },
    hash: async () => step.toString(16).padStart(16, '0'), sceneFile: async () => text, replay: async () => '{}',
    save: async () => new Uint8Array(0), restore: async () => undefined, stats, read: async () => ({ data: new Float32Array(1), nx: 1, ny: 1, nz: 1 }), probe: async () => [],
    picture: () => new Promise((r) => canvas.toBlob((b) => r(b!))),
    addImage: async () => { throw new Error('not in the mock') }, addText: async () => { throw new Error('not in the mock') },
    on: (event, f) => { const s = listeners.get(event) ?? listeners.set(event, new Set()).get(event)!; s.add(f as never); return () => s.delete(f as never) },
    destroy: () => { clearInterval(timer); clearInterval(ticker) },
  }
}
