// engine.ts: a scene that runs and is drawn into one canvas. It knows no page: it is the same in a
// Worker and on the page's thread. Calls come one after the other and are done in their order.

import { GyreError } from './error.js'
import type { Pixels } from './image.js'
import { loadNative, type LoadOptions } from './load.js'
import type { Native } from './native.js'
import { OpenScene } from './open.js'
import { budget, cells, Clock, coarser, coarsest, Meter, Scale, Trial } from './pace.js'
import { lacksWhole, suitsPlane } from './plane.js'
import type { EngineOptions } from './protocol.js'
import { loadScene, type LoadedScene } from './scenes.js'
import type {
  FieldData, FieldSplat, FluidEvents, FluidInfo, FluidStats, Json, Look, SceneOptions, SceneSource, Slow, Tables,
} from './types.js'

type Post = <K extends keyof FluidEvents>(event: K, value: FluidEvents[K]) => void
type Canvas = HTMLCanvasElement | OffscreenCanvas
export interface Stroke {
  x: number
  y: number
  dx: number
  dy: number
  what: number
  colour: number
  radius?: number | undefined
  strength?: number | undefined
}

const now = (): number => performance.now()
/** For those who measure how long opening takes. */
const mark = (what: string): void => void performance.mark?.(`gyre:${what}`)
const [down, move, up] = [0, 1, 2]
/** Numbers of the pointers of splats: above those of the page's. */
const firstSplat = 1 << 20
/** Of ten pointers that a scene has at once: the others are the page's. */
const mostStrokes = 5
/** Seconds of the fluid's time that a splat is held for, and takes for its way. */
const splatTime = 0.15

/** Cells up to which a scene opens without a look at the clock. */
const light = 1 << 16
/** Pixels that a processor draws in time: of maps, of rays and water, and those that are left at least. */
const [few, fewest, least] = [4e5, 1.2e5, 6e4]
/** Calls that leave a scene as untouched as it was. */
const innocent = new Set(['open', 'size', 'pause', 'resume', 'hidden', 'get', 'getLook', 'hash', 'sceneFile', 'replay', 'save', 'stats', 'read', 'probe',
  'picture', 'describe', 'frames', 'brush', 'reset', 'load'])

const webgl = {
  depth: true,
  antialias: false,
  premultipliedAlpha: true,
  preserveDrawingBuffer: false,
  powerPreference: 'high-performance',
} as const

/** What the drawing code uses where it is to be had. */
const extensions = ['EXT_color_buffer_float', 'OES_texture_float_linear', 'EXT_float_blend']

export class Engine {
  private native!: Native
  private scene!: OpenScene
  private info!: FluidInfo
  private options!: EngineOptions
  private tables!: Tables
  private readonly clock = new Clock()
  private readonly meter = new Meter()
  private readonly scale = new Scale()
  /** What is done when the call before is done. */
  private queue: Promise<unknown> = Promise.resolve()
  private readonly ended = new AbortController()
  private frameHandle: number | ReturnType<typeof setTimeout> | undefined
  private last: number | undefined
  private paused = true
  private hidden = false
  private lost = false
  private broken = false
  private width = 1
  private height = 1
  /** Pixels of the canvas for one that was asked for, where drawing all takes too long. */
  private shrunk = 1
  private context: WebGL2RenderingContext | undefined
  private handle = 0
  private splats = 0
  /** Taken since the scene's start. */
  private steps = 0
  /** Splats that have begun and are to go their way, and those that wait for one of them. */
  private strokes: { pointer: number; stroke: Stroke; gone: number }[] = []
  private waiting: Stroke[] = []
  private brushNow = { radius: 0, strength: 1 }
  private dirty = true
  private tellFrames = false
  private toldSpeed = 1
  private slowSeconds = 0
  private readonly listeners: [string, (event: Event) => void][] = [
    ['webglcontextlost', (event) => this.contextLost(event)],
    ['webglcontextrestored', () => this.contextRestored()],
  ]

  /** What is drawn in; there before open() is called. */
  canvas!: Canvas
  private prepared: { scene: OpenScene; info: FluidInfo; slow?: Slow } | undefined
  /** A light scene that was not timed: what its steps take is looked at while it runs. */
  private trial: Trial | undefined
  private software = false
  /** Whether the next picture is this scene's first, for which the scale is chosen. */
  private first = true
  /** Whether a picture of a step was drawn, of the first scene. */
  private moved = false
  /** What ends the first pictures, that are drawn smaller. */
  private swift: (() => void) | undefined
  /** Steps that were taken ahead of their picture. */
  private early = 0

  constructor(private readonly post: Post) {}

  // ---- calls ----

  /** Does a call after those that came before it. */
  handleCall(name: string, args: unknown[]): Promise<unknown> {
    const calls = this.calls as Record<string, (...args: never[]) => unknown>
    if (!Object.hasOwn(calls, name)) return Promise.reject(new GyreError('argument', `no call '${name}'`))
    const done = this.queue.then(() => {
      if (this.ended.signal.aborted) throw new GyreError('destroyed', 'the fluid was destroyed')
      // What somebody has put in, set or chosen is not begun anew.
      if (!innocent.has(name)) this.trial = undefined
      return calls[name]!(...(args as never[]))
    })
    this.queue = done.catch(() => undefined)
    return done
  }

  private readonly calls = {
    open: (options?: EngineOptions) => this.open(options),
    load: (scene: SceneSource, options: SceneOptions & { grid?: 'auto' | 'scene' }) => this.load(scene, options),
    size: (width: number, height: number) => this.resize(width, height),
    pause: () => this.run(false),
    resume: () => this.run(true),
    hidden: (hidden: boolean) => this.hide(hidden),
    step: (steps: number) => this.stepAndDraw(steps),
    reset: (keep: boolean) => {
      this.scene.reset(keep)
      this.another()
    },
    set: (path: string, value: Json) => {
      this.scene.set(path, value)
      this.redraw()
    },
    get: (path: string) => this.scene.get(path),
    look: (look: Look) => {
      if (look.transparent && !this.options.transparent) {
        throw new GyreError('state', 'transparent: the canvas has no alpha; open the fluid with the option transparent')
      }
      this.scene.look(look as Json)
      this.redraw()
    },
    getLook: () => this.scene.getLook(),
    splat: (stroke: Stroke) => this.splat(stroke),
    fieldSplat: (splat: FieldSplat) => {
      const [x, y, z = 0] = splat.centre
      this.scene.splat(this.model(splat.model), splat.field, [x, y, z], splat.radius, splat.amount)
      this.redraw()
    },
    pointer: (pointer: number, phase: number, x: number, y: number, what: number, colour: number) => {
      this.scene.pointer(pointer, phase, what, x, 1 - y, colour)
      this.redraw()
    },
    brush: (radius: number | undefined, strength: number | undefined) => {
      this.brushNow = { radius: radius ?? this.brushNow.radius, strength: strength ?? this.brushNow.strength }
      this.scene.brush(this.brushNow.radius, this.brushNow.strength)
    },
    zoom: (factor: number, x: number, y: number) => {
      this.scene.zoom(factor, x, 1 - y)
      this.redraw()
    },
    hash: () => this.scene.hash(),
    sceneFile: () => this.scene.file(),
    replay: () => this.scene.replay(),
    save: () => this.scene.save(),
    restore: (bytes: Uint8Array) => {
      this.scene.load(bytes)
      this.another()
    },
    stats: () => this.stats(),
    read: (field: string, model: string | number | undefined): FieldData => this.scene.read(this.model(model), field),
    probe: (field: string, points: number[][], model: string | number | undefined) =>
      this.scene.probe(this.model(model), field, points),
    picture: () => this.picture(),
    flow: (pixels: Pixels) => this.flow(pixels),
    describe: () => (this.info = { ...this.info, ...this.scene.describe() }),
    /** A file beside the scene, and an element that names it. */
    add: (file: string, bytes: Uint8Array, pool: string, element: Json) => {
      this.scene.addFile(file, bytes)
      this.scene.set(pool, element)
      this.redraw()
    },
    /** Whether anybody waits for each picture's event. */
    frames: (wanted: boolean) => {
      // Who comes later is told of the picture that is there.
      if (wanted && !this.tellFrames && this.steps > 0) this.post('frame', { time: this.time(), step: this.steps, steps: 0 })
      this.tellFrames = wanted
    },
  }

  private model(which: string | number | undefined): number {
    return this.scene.model(which, this.info.models)
  }

  // ---- opening ----

  /** All that needs no canvas: the module, the scene, its files. */
  async prepare(options: EngineOptions): Promise<void> {
    this.options = options
    this.paused = options.paused
    this.width = options.width
    this.height = options.height
    mark('open')
    const loading = loadScene(options.scene, options.files, this.ended.signal)
    loading.catch(() => undefined) // told below, after the module's own failure
    const plane = options.module !== 'whole' && suitsPlane(options.scene, options.set)
    this.take(await this.module(plane, options.compiled))
    mark('module')
    options.compiled = undefined
    const loaded = await loading
    this.ended.signal.throwIfAborted()
    try {
      this.prepared = this.choose(loaded, options, options.grid)
    } catch (error) {
      if (!this.native.plane || !lacksWhole(error)) throw error
      const small = this.native
      this.take(await this.module(false))
      small.end()
      this.prepared = this.choose(loaded, options, options.grid)
    }
    mark('scene')
  }

  private async module(plane: boolean, compiled?: EngineOptions['compiled']): Promise<Native> {
    const { threads, assets } = this.options
    const native = await loadNative({ threads, assets, plane, compiled } as LoadOptions, this.ended.signal)
    if (this.ended.signal.aborted) native.end()
    this.ended.signal.throwIfAborted()
    return native
  }

  private take(native: Native): void {
    this.native = native
    this.tables = native.json<Tables>('tables')
  }

  /** `options`: where it is not prepared yet. */
  private async open(options?: EngineOptions): Promise<FluidInfo> {
    if (options) {
      // Without graphics nothing else is begun.
      this.makeContext(options)
      await this.prepare(options)
    } else {
      this.makeContext(this.options)
    }
    const { scene, info, slow } = this.prepared!
    this.prepared = undefined
    mark('context')
    this.useContext()
    this.begin(scene, info, this.options.look)
    mark('shaders')
    for (const [name, listener] of this.listeners) this.canvas.addEventListener(name, listener)
    if (this.options.ahead > 0) this.ahead(this.options.ahead)
    if (slow) this.post('slow', slow)
    this.drawNow()
    mark('picture')
    // Graphics are at work on it meanwhile.
    if (this.running) {
      this.stepOnce()
      this.early = 1
      mark('step')
    }
    this.schedule()
    return this.info
  }

  private async load(source: SceneSource, options: SceneOptions & { grid?: 'auto' | 'scene' } = {}): Promise<FluidInfo> {
    const loaded = await loadScene(source, options.files, this.ended.signal)
    this.ended.signal.throwIfAborted()
    const grid = options.grid ?? this.options.grid
    try {
      return this.replace(loaded, options, grid)
    } catch (error) {
      if (!this.native.plane || !lacksWhole(error)) throw error
    }
    return this.replace(loaded, options, grid, false, await this.module(false))
  }

  /**
   * Another scene, or the same on another grid, in place of the one that is open; on another module,
   * where one is given. What cannot be opened leaves all as it is.
   */
  private replace(loaded: LoadedScene, options: SceneOptions, grid: 'auto' | 'scene' | undefined, timed = false, native = this.native): FluidInfo {
    const before = this.scene, old = this.native
    if (native !== old) this.take(native)
    let chosen: ReturnType<Engine['choose']>
    try {
      chosen = this.choose(loaded, options, grid, timed)
    } catch (error) {
      if (native !== old) {
        this.take(old)
        native.end()
      }
      throw error
    }
    const { scene, info, slow } = chosen
    before.drawClose(this.lost)
    before.close()
    if (native !== old) {
      old.module.GL.deleteContext(this.handle)
      old.end()
      if (!this.lost) this.useContext()
    }
    this.begin(scene, info, undefined)
    this.broken = false
    if (slow) this.post('slow', slow)
    this.drawNow()
    this.post('load', this.info)
    return this.info
  }

  /** From here on it is this scene that runs and is drawn. */
  private begin(scene: OpenScene, info: FluidInfo, look: Look | undefined): void {
    this.scene = scene
    this.info = info
    this.strokes = []
    this.waiting = []
    this.steps = this.early = 0
    this.clock.reset()
    this.meter.reset()
    this.scale.reset()
    this.first = true
    this.shrunk = 1
    this.toldSpeed = 1
    this.slowSeconds = 0
    if (!this.lost) scene.drawOpen()
    if (this.options.transparent) scene.look({ transparent: true })
    if (look) scene.look(look as Json)
    if (this.brushNow.radius !== 0 || this.brushNow.strength !== 1) scene.brush(this.brushNow.radius, this.brushNow.strength)
  }

  /** Opens a scene, and once more on a coarser grid where its steps take too long. */
  private choose(loaded: LoadedScene, options: SceneOptions, grid: 'auto' | 'scene' = 'auto', timed = false): { scene: OpenScene; info: FluidInfo; slow?: Slow } {
    this.trial = undefined
    const threads = this.native.threads
    const { set, limits } = options
    let scene = new OpenScene(this.native, loaded, { set, limits, threads })
    let shape = scene.describe()
    const told = (coarse: number): FluidInfo => ({
      ...shape,
      scene: loaded.name,
      tables: this.tables,
      threads,
      module: this.native.plane ? 'plane' : 'whole',
      worker: this.options.worker,
      still: this.options.still,
      coarser: coarse,
    })
    const from = shape.models[0]!
    // Models that share a grid's cells (nests, windows) are left as they are.
    if (grid !== 'auto' || shape.models.length !== 1) return { scene, info: told(1) }
    if (!timed && from.n[0] * from.n[1] * from.n[2] <= light) {
      this.trial = new Trial(() => this.replace(loaded, options, grid, true))
      return { scene, info: told(1) }
    }
    let by = 1
    try {
      for (let tries = 0; tries < 3; tries++) {
        const took = this.timeSteps(scene)
        const { dim } = shape.models[0]!
        const more = Math.min(coarser(took, shape.dt, dim), coarsest(dim) / by)
        if (more < 1.05) break
        by *= more
        const n = from.n.map((count) => cells(count, by)) as [number, number, number]
        if (n.every((count, i) => count === shape.models[0]!.n[i])) break
        const path = `${from.name}.grid`
        const coarse = { ...set, [`${path}.n`]: n, [`${path}.h`]: (from.h * from.n[0]) / n[0] }
        const next = new OpenScene(this.native, loaded, { set: coarse, limits, threads })
        scene.close()
        scene = next
        shape = scene.describe()
      }
    } catch (error) {
      // A scene that does not bear another grid runs on its own.
      if (!(error instanceof GyreError) || error.code === 'device') throw error
    }
    scene.reset()
    const n = shape.models[0]!.n
    if (n.every((count, i) => count === from.n[i])) return { scene, info: told(1) }
    const real = from.n[0] / n[0]
    const message = `${shape.title || 'the scene'}: ${from.n.join(' x ')} cells are too many for 60 pictures a second here; it runs on ${n.join(' x ')}`
    return { scene, info: told(real), slow: { what: 'grid', message, n, from: from.n } }
  }

  /** Milliseconds of a step: the second fastest of a few, so that one hiccup counts for nothing. */
  private timeSteps(scene: OpenScene): number {
    const times: number[] = []
    scene.step(1)
    const begun = now()
    do {
      const start = now()
      scene.step(1)
      times.push(now() - start)
    } while (times.length < 5 && now() - begun < 60)
    times.sort((a, b) => a - b)
    return times[Math.min(1, times.length - 1)]!
  }

  /** Steps ahead for a still picture, but no longer than two seconds by the clock. */
  private ahead(seconds: number): void {
    const steps = Math.min(1000, Math.round(seconds / this.info.dt))
    const begun = now()
    for (let i = 0; i < steps && now() - begun < 2000; i++) this.stepOnce()
  }

  // ---- the WebGL context ----

  private makeContext({ transparent }: EngineOptions): void {
    const attributes = { ...webgl, alpha: !!transparent }
    const context = this.canvas.getContext('webgl2', attributes) as WebGL2RenderingContext | null
    if (!context) {
      throw new GyreError('unsupported', 'there is no WebGL 2: it is missing or turned off in this browser, or the canvas has a context of another kind')
    }
    this.context = context
  }

  private useContext(): void {
    const { GL } = this.native.module
    const attributes = { ...webgl, alpha: !!this.options.transparent, majorVersion: 2, minorVersion: 0, enableExtensionsByDefault: false }
    // Those that are used, and no others: each waits for all that graphics have to do just then.
    for (const name of extensions) this.context!.getExtension(name)
    this.handle = GL.registerContext(this.context!, attributes)
    GL.makeContextCurrent(this.handle)
    const names = this.context!.getExtension('WEBGL_debug_renderer_info')
    this.software = names !== null && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(this.context!.getParameter(names.UNMASKED_RENDERER_WEBGL)))
  }

  private contextLost(event: Event): void {
    event.preventDefault() // so that it may come again
    if (this.lost || this.ended.signal.aborted) return
    this.lost = true
    this.scene.drawClose(true)
    this.post('lost', undefined)
    this.told('lost')
  }

  private contextRestored(): void {
    if (!this.lost || this.ended.signal.aborted) return
    try {
      const { GL } = this.native.module
      GL.deleteContext(this.handle)
      this.useContext()
      this.scene.drawOpen()
      this.lost = false
      this.drawNow()
      this.post('restored', undefined)
      this.told('lost')
      this.schedule()
    } catch (error) {
      this.fail(error)
    }
  }

  // ---- time ----

  private get running(): boolean {
    return !this.paused && !this.hidden && !this.lost && !this.broken && !this.ended.signal.aborted
  }

  private told(reason: FluidEvents['running']['reason']): void {
    this.post('running', { running: this.running, reason })
  }

  private run(running: boolean): void {
    if (this.paused !== running) return
    this.paused = !running
    this.info.still = false
    this.startAfresh()
    this.told('call')
  }

  private hide(hidden: boolean): void {
    if (this.hidden === hidden) return
    this.hidden = hidden
    this.startAfresh()
    this.told('hidden')
  }

  private startAfresh(): void {
    this.last = undefined
    this.clock.reset()
    this.meter.reset()
    this.schedule()
  }

  /** The state is another than what steps made of the one before. */
  private another(): void {
    this.steps = this.scene.stats().step
    this.early = 0
    this.strokes = []
    this.waiting = []
    this.clock.reset()
    this.broken = false
    this.redraw()
  }

  private redraw(): void {
    this.dirty = true
    this.schedule()
  }

  private schedule(): void {
    if (this.frameHandle !== undefined || this.ended.signal.aborted || this.lost) return
    if (!this.running && (!this.dirty || this.hidden)) return
    const frame = (): void => {
      this.frameHandle = undefined
      try {
        this.frame()
      } catch (error) {
        this.fail(error)
      }
      this.schedule()
    }
    this.frameHandle = typeof requestAnimationFrame === 'function' ? requestAnimationFrame(frame) : setTimeout(frame, 1000 / 60)
  }

  private frame(): void {
    if (this.ended.signal.aborted || this.lost) return
    if (!this.running) {
      this.whole()
      return this.drawNow()
    }
    const start = now()
    const { dt } = this.info
    const due = this.clock.due(this.last === undefined ? dt : (start - this.last) / 1000, dt)
    this.last = start
    let taken = this.early
    this.early = 0
    // One at least, or it would stand still; more while they fit.
    while (taken < due && (taken === 0 || now() - start < 1.5 * budget)) {
      this.stepOnce()
      taken++
    }
    this.clock.took(taken, due, dt)
    const stepped = now()
    if (taken || this.dirty) this.scene.show()
    this.drawBlend(this.clock.blend(dt))
    const done = now()
    if (!this.moved && taken) this.begun()
    if (this.tellFrames) this.post('frame', { time: this.time(), step: this.steps, steps: taken })
    const second = this.meter.count(done, taken, stepped - start, done - stepped, dt)
    if (second) this.judge(second.speed, (second.stepTime * second.speed) / (1000 * dt))
    this.judgeGrid(taken > 0 ? (stepped - start) / taken : 0)
  }

  /** The first picture that moves was drawn. */
  private begun(): void {
    mark('drawn')
    this.moved = true
    this.whole()
  }

  /** Pictures from here on have all their pixels. */
  private whole(): void {
    this.swift?.()
    this.swift = undefined
  }

  /** After a while of a light scene, when its code is as fast as it gets: whether the grid is too fine. */
  private judgeGrid(step: number): void {
    const { trial } = this
    const took = trial?.took(step, now())
    if (!trial || took === undefined) return
    this.trial = undefined
    if (coarser(took, this.info.dt, this.info.models[0]!.dim) >= 1.05) trial.failed()
  }

  private time(): number {
    return this.steps * this.info.dt
  }

  private stepOnce(): void {
    this.moveStrokes()
    this.scene.step(1)
    this.steps++
  }

  private stepAndDraw(steps: number): void {
    for (let i = 0; i < steps; i++) this.stepOnce()
    this.whole()
    this.drawNow()
  }

  /** Draws the present state. */
  private drawNow(): void {
    if (this.lost) return
    this.scene.show()
    if (this.first) this.firstScale()
    this.drawBlend(1)
  }

  /** Where a processor draws it begins with as many pixels as that draws in time; see Scale for what comes then. */
  private firstScale(): void {
    this.first = false
    const { mode } = this.scene.getLook(), inner = mode === 'volume' || mode === 'surface'
    const pixels = this.width * this.height
    const begin = this.software ? Math.min(1, Math.sqrt((inner ? fewest : few) / pixels)) : 1
    // While shaders are made ready two pictures are drawn of fewer yet, that it moves soon.
    if (this.software && !this.moved && this.running) this.swift = () => this.scaled(begin, '')
    // The first two seconds are of code and shaders that are made ready.
    this.scale.reset(begin, Math.min(0.25, Math.sqrt(least / pixels)), 3)
    // Told later: who opens it listens from then on.
    if (begin < 1) setTimeout(this.scaled(begin, 'a processor draws here, not a graphics card'))
    if (this.swift) this.scaled(Math.min(begin, Math.sqrt(least / pixels)), '')
  }

  /** Rays and water are drawn smaller and enlarged, with sharp outlines; of all else the canvas is smaller. Gives what tells. */
  private scaled(scale: number, why: string): () => void {
    const { mode } = this.scene.getLook(), inner = mode === 'volume' || mode === 'surface'
    this.shrunk = inner ? 1 : scale
    this.scene.look({ scale: inner ? scale : 1 })
    return () => this.post('slow', { what: 'scale', scale, message: `${why}: ${scale.toFixed(2)} pixels are drawn for one along each axis` })
  }

  private drawBlend(blend: number): void {
    this.dirty = false
    const width = Math.max(1, Math.round(this.shrunk * this.width)), height = Math.max(1, Math.round(this.shrunk * this.height))
    if (this.canvas.width !== width) this.canvas.width = width
    if (this.canvas.height !== height) this.canvas.height = height
    this.native.module.GL.makeContextCurrent(this.handle)
    this.scene.draw(width, height, blend)
  }

  /** After a second of pictures. `stepping`: the part of it that steps took. */
  private judge(speed: number, stepping: number): void {
    this.post('stats', this.stats())
    const before = this.scale.scale, scale = this.scale.judge(this.meter.last, stepping)
    if (scale !== undefined) this.scaled(scale, scale < before ? 'drawing takes too long for 60 pictures a second' : 'drawing leaves time for more')()
    this.slowSeconds = speed < 0.9 ? this.slowSeconds + 1 : 0
    if (this.slowSeconds >= 4 && Math.abs(speed - this.toldSpeed) > 0.1) {
      this.toldSpeed = speed
      this.post('slow', { what: 'speed', speed, message: `the simulation cannot keep up: it runs at ${speed.toFixed(2)} of real time` })
    }
  }

  private stats(): FluidStats {
    return {
      ...this.scene.stats(),
      ...(this.running ? this.meter.last : { ...this.meter.last, speed: 0 }),
      width: Math.max(1, Math.round(this.shrunk * this.width)),
      height: Math.max(1, Math.round(this.shrunk * this.height)),
      paused: this.paused,
    }
  }

  // ---- the rest ----

  private splat(stroke: Stroke): void {
    if (this.strokes.length < mostStrokes) this.beginStroke(stroke)
    else this.waiting.push(stroke)
    this.redraw()
  }

  private beginStroke(s: Stroke): void {
    const pointer = firstSplat + (this.splats++ % 4096)
    const own = s.radius !== undefined || s.strength !== undefined
    if (own) this.scene.brush(s.radius ?? this.brushNow.radius, s.strength ?? this.brushNow.strength)
    try {
      this.scene.pointer(pointer, down, s.what, s.x - s.dx, 1 - (s.y - s.dy), s.colour)
      this.strokes.push({ pointer, stroke: s, gone: 0 })
    } finally {
      if (own) this.scene.brush(this.brushNow.radius, this.brushNow.strength)
    }
  }

  /** Before each step the splats go a part of their way; those that are there are let go. */
  private moveStrokes(): void {
    const { dt } = this.info
    for (const one of this.strokes) {
      const { pointer, stroke: s } = one
      // What was switched on stays so until a step has seen it.
      if (one.gone >= 1) this.scene.pointer(pointer, up, s.what, s.x, 1 - s.y, s.colour)
      else if (s.dx || s.dy) {
        const left = 1 - Math.min(1, one.gone + dt / splatTime)
        this.scene.pointer(pointer, move, s.what, s.x - left * s.dx, 1 - (s.y - left * s.dy), s.colour)
      }
      one.gone += one.gone >= 1 ? 1 : dt / splatTime
    }
    this.strokes = this.strokes.filter((one) => one.gone < 2)
    while (this.waiting.length && this.strokes.length < mostStrokes) this.beginStroke(this.waiting.shift()!)
  }

  private resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return
    this.width = width
    this.height = height
    // At once: a canvas whose size changes is cleared.
    if (!this.lost) this.drawNow()
  }

  private async picture(): Promise<Blob> {
    this.whole()
    this.drawNow()
    if ('convertToBlob' in this.canvas) return this.canvas.convertToBlob({ type: 'image/png' })
    const canvas = this.canvas
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new GyreError('state', 'the canvas gave no picture'))), 'image/png')
    })
  }

  private flow(pixels: Pixels): void {
    if (this.lost) return // the next one comes soon
    this.native.module.GL.makeContextCurrent(this.handle)
    this.scene.flow(pixels)
    this.redraw()
  }

  private fail(error: unknown): void {
    this.broken = true
    this.post('error', error as Error)
    this.told('error')
  }

  destroy(): void {
    if (this.ended.signal.aborted) return
    this.ended.abort(new GyreError('destroyed', 'the fluid was destroyed'))
    if (this.frameHandle !== undefined) {
      if (typeof cancelAnimationFrame === 'function') cancelAnimationFrame(this.frameHandle as number)
      else clearTimeout(this.frameHandle)
    }
    for (const [name, listener] of this.listeners) this.canvas.removeEventListener(name, listener)
    try {
      this.prepared?.scene.close()
      this.scene?.drawClose(this.lost)
      this.scene?.close()
      if (this.handle) this.native.module.GL.deleteContext(this.handle)
    } finally {
      this.native?.end()
    }
  }

  /** The context is given back at once, not when the canvas is collected. */
  loseContext(): void {
    this.context?.getExtension('WEBGL_lose_context')?.loseContext()
    this.context = undefined
  }
}
