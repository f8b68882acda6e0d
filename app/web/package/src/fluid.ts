// fluid.ts: a fluid in a canvas of a page: what the page's side of it does. It starts an engine, in
// a Worker where it can, tells it of the canvas's size, of pointers and of being out of sight, and
// takes everything back when it is destroyed.

import { place } from './add.js'
import { colourNumber } from './colour.js'
import { connect, startAhead, takeAhead } from './connection.js'
import type { Stroke } from './engine.js'
import { GyreError, unknown } from './error.js'
import { maskOfImage, maskOfText, npy, pixelsOf, type Mask } from './image.js'
import { checkEngine, type Compiled, compileAhead, type LoadOptions } from './load.js'
import { suitsPlane } from './plane.js'
import { attachPointers } from './pointers.js'
import type { Connection, EngineOptions } from './protocol.js'
import type {
  Added, AddOptions, Colour, FieldData, FieldSplat, Fluid, FluidEvents, FluidInfo, FluidOptions, FluidStats, Json,
  Look, Play, PointerOptions, PointerPhase, SceneFiles, SceneOptions, SceneSource, Splat, TextOptions,
} from './types.js'

const plays: readonly Play[] = ['play', 'pour', 'push', 'grab', 'dig', 'orbit', 'pan', 'heap']
const phases: readonly PointerPhase[] = ['down', 'move', 'up']
const events: readonly (keyof FluidEvents)[] = ['frame', 'stats', 'slow', 'error', 'lost', 'restored', 'running', 'load']

/** Canvases that have a fluid. */
const taken = new WeakSet<HTMLCanvasElement>()

function index<T extends string>(what: string, word: T, words: readonly T[]): number {
  const i = words.indexOf(word)
  if (i < 0) throw unknown(what, String(word), words)
  return i
}

function finite(what: string, value: number): number {
  if (!Number.isFinite(value)) throw new GyreError('argument', `${what} is ${value}: a number was expected`)
  return value
}

/** What goes to a Worker: texts, bytes and whole addresses. */
function portable(files: SceneFiles | undefined): SceneFiles | undefined {
  if (!files) return undefined
  return Object.fromEntries(Object.entries(files).map(([name, file]) =>
    [name, typeof file === 'string' || file instanceof URL ? new URL(file, document.baseURI).href : file]))
}

/** Modules that are under way for fluids to come. */
const ahead = new Map<string, Promise<Compiled | undefined>>()

const keyOf = (options: LoadOptions): string => `${options.threads ?? 0} ${options.plane ? 'plane' : ''} ${options.assets ?? ''}`

/** One that fails is asked for again where it is needed, and told there. */
function begin(options: LoadOptions, signal?: AbortSignal): Promise<Compiled | undefined> {
  return compileAhead(options, signal).catch(() => undefined)
}

function take(options: LoadOptions, signal: AbortSignal | undefined): Promise<Compiled | undefined> {
  // A whole one that is under way does for all.
  const key = [options, { ...options, plane: false }].map(keyOf).find((k) => ahead.has(k)) ?? ''
  const under = ahead.get(key)
  ahead.delete(key)
  return under ?? begin(options, signal)
}

const loadOptions = ({ threads, assets, module, scene, set }: FluidOptions): LoadOptions => ({
  threads,
  assets: assets === undefined ? undefined : new URL(assets, document.baseURI).href,
  plane: module !== 'whole' && scene !== undefined && suitsPlane(scene, set),
}) as LoadOptions

/**
 * Fetches and compiles what a fluid needs and starts its Worker, so that createFluid() with the same
 * options, later, is quicker. Call it as soon as the page's script runs; not needed otherwise. Without
 * a scene it is the whole module that comes; with one that is a gas in 2D, the one for these.
 */
export function prepareFluid(options: Pick<FluidOptions, 'threads' | 'assets' | 'worker' | 'module' | 'scene' | 'set'> = {}): void {
  const load = loadOptions(options), key = keyOf(load)
  if (!ahead.has(key)) ahead.set(key, begin(load))
  if (options.worker !== false) startAhead(load)
}

function sourceText(scene: SceneSource): SceneSource {
  return typeof scene === 'object' && scene !== null ? JSON.stringify(scene, null, 2) : scene
}

class CanvasFluid implements Fluid {
  readonly canvas: HTMLCanvasElement
  private readonly listeners = new Map<keyof FluidEvents, Set<(value: never) => void>>()
  private connection: Connection | undefined
  private described: FluidInfo | undefined
  private warning: string | undefined
  private moves = false
  private gone = false
  private readonly undo: (() => void)[] = []
  private pointers: (() => void) | undefined
  private sight = { tab: true, view: true }
  private size: [number, number] = [0, 0]
  private added = 0

  constructor(target: HTMLElement, private readonly options: FluidOptions) {
    this.canvas = this.canvasIn(target)
    if (taken.has(this.canvas)) {
      throw new GyreError('state', 'this canvas has a fluid already: destroy() that one first, or load() another scene into it')
    }
    taken.add(this.canvas)
    this.undo.push(() => taken.delete(this.canvas))
    if (options.onError) this.on('error', options.onError)
  }

  get info(): FluidInfo {
    if (!this.described) throw new GyreError('state', 'the fluid is not open yet')
    return this.described
  }

  get running(): boolean {
    return this.moves && !this.gone
  }

  get destroyed(): boolean {
    return this.gone
  }

  // ---- opening ----

  /** A canvas is taken as it is; in any other element one is made that fills it. */
  private canvasIn(target: HTMLElement): HTMLCanvasElement {
    if (target instanceof HTMLCanvasElement) return target
    const canvas = document.createElement('canvas')
    canvas.style.display = 'block'
    canvas.style.width = '100%'
    canvas.style.height = '100%'
    target.append(canvas)
    this.undo.push(() => canvas.remove())
    return canvas
  }

  async open(): Promise<void> {
    const { options } = this
    const { signal } = options
    signal?.throwIfAborted()
    checkEngine()
    this.size = this.measure()
    if (!(this.size[0] >= 1 && this.size[1] >= 1)) {
      throw new GyreError('argument', `the canvas has no size (${this.size.join(' x ')} pixels): give it a width and a height, by CSS, and see that it is displayed`)
    }
    const still = options.reducedMotion !== 'ignore' && matchMedia('(prefers-reduced-motion: reduce)').matches
    // The module is fetched while the Worker starts.
    const load = loadOptions({ ...options, scene: options.scene ?? 'ink' })
    if (options.worker !== false) startAhead(load)
    const compiled = await take(load, signal)
    if (this.gone || signal?.aborted) {
      takeAhead()?.terminate()
      signal?.throwIfAborted()
      throw new GyreError('destroyed', 'the fluid was destroyed')
    }
    const engine: EngineOptions = {
      scene: sourceText(options.scene ?? 'ink'),
      set: options.set,
      files: portable(options.files),
      limits: options.limits,
      grid: options.grid,
      threads: options.threads,
      transparent: options.transparent,
      look: options.look,
      assets: load.assets as string | undefined,
      module: options.module,
      compiled,
      paused: options.paused ?? still,
      ahead: still && options.paused === undefined ? options.stillTime ?? 2 : 0,
      width: this.size[0],
      height: this.size[1],
      worker: false,
      still: still && options.paused === undefined,
    }
    const connected = await connect(this.canvas, options.worker ?? 'auto', engine, signal, (event, value) => this.heard(event, value))
    if (this.gone) {
      connected.connection.close()
      throw new GyreError('destroyed', 'the fluid was destroyed')
    }
    this.connection = connected.connection
    this.warning = connected.warning
    const aborted = (): void => this.destroy()
    signal?.addEventListener('abort', aborted)
    this.undo.push(() => signal?.removeEventListener('abort', aborted))
    try {
      this.take((await this.connection.call('open', this.connection.worker ? [] : [engine])) as FluidInfo)
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
    this.moves = !engine.paused
    this.watch()
    if (options.pointers !== false) this.attachPointers(typeof options.pointers === 'object' ? options.pointers : {})
    this.name()
    this.emit('running', { running: this.moves, reason: this.described!.still ? 'reduced-motion' : 'start' })
  }

  private take(info: FluidInfo): void {
    this.described = this.warning ? { ...info, warnings: [...info.warnings, this.warning] } : info
  }

  /** For those who do not see it. */
  private name(): void {
    for (const [attribute, value] of [['role', 'img'], ['aria-label', `${this.info.title}. ${this.info.doc}`]] as const) {
      if (this.canvas.hasAttribute(attribute)) continue
      this.canvas.setAttribute(attribute, value)
      this.undo.push(() => this.canvas.removeAttribute(attribute))
    }
  }

  /** Pixels of the drawing. One that is not in the page has the size that its attributes say. */
  private measure(): [number, number] {
    if (!this.canvas.isConnected) return [this.canvas.width, this.canvas.height]
    const ratio = this.options.pixelRatio ?? Math.min(window.devicePixelRatio || 1, 2)
    if (!(ratio > 0 && ratio <= 16)) throw new GyreError('argument', `pixelRatio is ${ratio}: more than 0 and at most 16 was expected`)
    const box = this.canvas.getBoundingClientRect()
    return [Math.round(box.width * ratio), Math.round(box.height * ratio)]
  }

  /** Size, sight and the wish for less motion, as long as it lives. */
  private watch(): void {
    const resized = (): void => {
      const [width, height] = this.measure()
      if (width < 1 || height < 1 || (width === this.size[0] && height === this.size[1])) return
      this.size = [width, height]
      this.send('size', width, height)
    }
    const observer = new ResizeObserver(resized)
    observer.observe(this.canvas)
    window.addEventListener('resize', resized) // zooming changes the screen's pixels alone
    this.undo.push(() => observer.disconnect(), () => window.removeEventListener('resize', resized))
    const less = matchMedia('(prefers-reduced-motion: reduce)')
    const lessWanted = (): void => {
      if (less.matches && this.options.reducedMotion !== 'ignore') this.pause()
    }
    less.addEventListener('change', lessWanted)
    this.undo.push(() => less.removeEventListener('change', lessWanted))
    if (this.options.pauseHidden === false) return
    const told = (): void => this.send('hidden', !(this.sight.tab && this.sight.view))
    const tab = (): void => {
      this.sight.tab = document.visibilityState === 'visible'
      told()
    }
    document.addEventListener('visibilitychange', tab)
    this.undo.push(() => document.removeEventListener('visibilitychange', tab))
    if (typeof IntersectionObserver === 'function' && this.canvas.isConnected) {
      const view = new IntersectionObserver((entries) => {
        this.sight.view = entries[entries.length - 1]!.isIntersecting
        told()
      })
      view.observe(this.canvas)
      this.undo.push(() => view.disconnect())
    }
    tab()
  }

  // ---- to and from the engine ----

  private send(call: string, ...args: unknown[]): void {
    if (this.gone) throw new GyreError('destroyed', 'the fluid was destroyed')
    this.connection!.send(call, args)
  }

  private async ask<T>(call: string, ...args: unknown[]): Promise<T> {
    if (this.gone) throw new GyreError('destroyed', 'the fluid was destroyed')
    return (await this.connection!.call(call, args)) as T
  }

  private heard(event: keyof FluidEvents, value: unknown): void {
    if (this.gone) return
    if (event === 'running') {
      this.moves = (value as FluidEvents['running']).running
      if (this.moves && this.described) this.described.still = false
    }
    if (event === 'load') {
      this.take(value as FluidInfo)
      value = this.described
    }
    this.emit(event, value as never)
  }

  private emit<K extends keyof FluidEvents>(event: K, value: FluidEvents[K]): void {
    const all = this.listeners.get(event)
    // An error that nobody listens for is not swallowed.
    if (event === 'error' && !all?.size) console.error(value)
    for (const listener of all ? [...all] : []) {
      try {
        listener(value as never)
      } catch (error) {
        reportError(error)
      }
    }
  }

  on<K extends keyof FluidEvents>(event: K, listener: (value: FluidEvents[K]) => void): () => void {
    index('event', event, events)
    const all = this.listeners.get(event) ?? new Set()
    this.listeners.set(event, all)
    all.add(listener as (value: never) => void)
    if (event === 'frame' && all.size === 1) this.connection?.send('frames', [true])
    return () => {
      all.delete(listener as (value: never) => void)
      if (event === 'frame' && all.size === 0 && !this.gone) this.connection?.send('frames', [false])
    }
  }

  // ---- the hand ----

  splat(splat: Splat | FieldSplat): void {
    if ('field' in splat) return this.send('fieldSplat', splat)
    const stroke: Stroke = {
      x: finite('x', splat.x),
      y: finite('y', splat.y),
      dx: finite('dx', splat.dx ?? 0),
      dy: finite('dy', splat.dy ?? 0),
      what: index('what', splat.what ?? 'play', plays),
      colour: colourNumber(splat.colour),
      radius: splat.radius,
      strength: splat.strength,
    }
    this.send('splat', stroke)
  }

  pointer(pointer: number, phase: PointerPhase, x: number, y: number, what: Play = 'play', colour?: Colour): void {
    if (!Number.isInteger(pointer) || pointer < 0 || pointer >= 1 << 20) {
      throw new GyreError('argument', `pointer is ${pointer}: a whole number from 0 to ${(1 << 20) - 1} was expected`)
    }
    this.send('pointer', pointer, index('phase', phase, phases), finite('x', x), finite('y', y), index('what', what, plays), colourNumber(colour))
  }

  attachPointers(options: PointerOptions = {}): () => void {
    this.pointers?.()
    const end = attachPointers(this, options)
    const detach = (): void => {
      if (this.pointers === detach) this.pointers = undefined
      end()
    }
    return (this.pointers = detach)
  }

  brush(brush: { radius?: number; strength?: number }): void {
    if (brush.radius !== undefined) finite('radius', brush.radius)
    if (brush.strength !== undefined) finite('strength', brush.strength)
    this.send('brush', brush.radius, brush.strength)
  }

  zoom(factor: number, x = 0.5, y = 0.5): void {
    this.send('zoom', finite('factor', factor), finite('x', x), finite('y', y))
  }

  // ---- settings, time, state ----

  set(path: string, value: Json): Promise<void> {
    return this.ask('set', path, value)
  }

  get(path: string): Promise<Json> {
    return this.ask('get', path)
  }

  look(look: Look): Promise<void> {
    return this.ask('look', look)
  }

  getLook(): Promise<Look> {
    return this.ask('getLook')
  }

  pause(): void {
    this.send('pause')
  }

  resume(): void {
    this.send('resume')
  }

  step(steps = 1): Promise<void> {
    return this.ask('step', steps)
  }

  reset(options: { keep?: boolean } = {}): Promise<void> {
    return this.ask('reset', options.keep ?? false)
  }

  async load(scene: SceneSource, options: SceneOptions & { grid?: 'auto' | 'scene' } = {}): Promise<FluidInfo> {
    this.take(await this.ask<FluidInfo>('load', sourceText(scene), { ...options, files: portable(options.files) }))
    return this.info
  }

  async describe(): Promise<FluidInfo> {
    this.take(await this.ask<FluidInfo>('describe'))
    return this.info
  }

  hash(): Promise<string> {
    return this.ask('hash')
  }

  sceneFile(): Promise<string> {
    return this.ask('sceneFile')
  }

  replay(): Promise<string> {
    return this.ask('replay')
  }

  save(): Promise<Uint8Array<ArrayBuffer>> {
    return this.ask('save')
  }

  restore(bytes: Uint8Array | ArrayBuffer): Promise<void> {
    return this.ask('restore', bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes)
  }

  stats(): Promise<FluidStats> {
    return this.ask('stats')
  }

  read(field: string, options: { model?: string | number } = {}): Promise<FieldData> {
    return this.ask('read', field, options.model)
  }

  probe(field: string, points: [number, number, number?][], options: { model?: string | number } = {}): Promise<number[]> {
    return this.ask('probe', field, points, options.model)
  }

  picture(): Promise<Blob> {
    return this.ask('picture')
  }

  async flow(image: CanvasImageSource, options: { mirror?: boolean } = {}): Promise<void> {
    if (this.gone) throw new GyreError('destroyed', 'the fluid was destroyed')
    const { n } = this.info.models[0]!
    const pixels = pixelsOf(image, n[0] / n[1], options.mirror)
    await this.connection!.call('flow', [pixels], [pixels.rgba.buffer])
  }

  // ---- things ----

  async addImage(image: ImageBitmapSource | string | URL, options: AddOptions): Promise<Added> {
    return this.add(await maskOfImage(image, options.invert), options, 'image')
  }

  async addText(text: string, options: TextOptions): Promise<Added> {
    return this.add(maskOfText(text, options), options, 'text')
  }

  private async add(mask: Mask, options: AddOptions, what: string): Promise<Added> {
    const name = options.name ?? `${what}${++this.added}`
    const filled = mask.values.reduce((sum, v) => sum + (v > 0.5 ? 1 : 0), 0) / mask.values.length
    const placed = place(this.info, options, name, mask.width / mask.height, filled)
    await this.ask('add', placed.file, npy(mask), placed.pool, placed.element)
    return { path: placed.path, remove: () => this.set(placed.path, null) }
  }

  destroy(): void {
    if (this.gone) return
    this.pointers?.()
    this.gone = true
    this.connection?.close()
    for (const undo of this.undo.reverse()) undo()
    this.listeners.clear()
  }
}

/**
 * Opens a scene in a canvas, or in any other element, in which a canvas is made that fills it and
 * goes with destroy(). A canvas that is handed over serves for one fluid after another on the
 * page's thread alone: what was given to a Worker does not come back.
 */
export async function createFluid(target: HTMLElement, options: FluidOptions = {}): Promise<Fluid> {
  if (typeof document === 'undefined') {
    throw new GyreError('unsupported', 'there is no page here: createFluid() is for browsers; gyre-fluid/model runs anywhere')
  }
  if (!(target instanceof HTMLElement)) {
    throw new GyreError('argument', `the target is ${String(target)}: a canvas, or an element to make one in, was expected`)
  }
  const fluid = new CanvasFluid(target, options)
  try {
    await fluid.open()
    return fluid
  } catch (error) {
    fluid.destroy()
    throw error
  }
}
