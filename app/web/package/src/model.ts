// model.ts: gyre-fluid/model: models and scenes without a canvas, in pages, Workers and Node.js.
// Importing it touches nothing; all calls are done when they return.

import { GyreError, unknown } from './error.js'
import type { ModelDefs, ModelPaths, ModelType } from './generated/properties.js'
import { loadNative, type LoadOptions } from './load.js'
import type { Native } from './native.js'
import { json, numbers, OpenScene } from './open.js'
import { loadScene, sceneNames } from './scenes.js'
import type {
  FieldData, Json, Limits, ModelInfo, SceneFiles, SceneInfo, SceneSource, SceneStats, Statistics, Tables,
} from './types.js'
import { dense } from './native.js'
import { FieldView, Views } from './view.js'

export { GyreError, type GyreErrorCode } from './error.js'
export { sceneNames, type SceneName } from './scenes.js'
export type * from './generated/properties.js'
export type {
  FieldData, FieldInfo, Json, Limits, ModelInfo, Property, SceneFiles, SceneInfo, SceneSource, SceneStats,
  Statistics, Tables,
} from './types.js'
export type { LoadOptions } from './load.js'
export { FieldView } from './view.js'

type Values<T extends ModelType> = ModelPaths[T]

/** A fluid by itself: what gyre/model.h has. Metres, seconds; y is up in a gas, z in a water. */
export class Model<T extends ModelType = ModelType> {
  private readonly views: Views
  private address: number
  private described: ModelInfo | undefined

  /** @internal */
  constructor(private readonly native: Native, readonly type: T, def: object, private readonly owner: Set<{ destroy(): void }>) {
    this.address = native.made((place) => native.run('model_create', type, json(type, def as Json), native.threads, place))
    this.views = new Views(native)
    owner.add(this)
  }

  private need(): number {
    if (!this.address) throw new GyreError('destroyed', `the ${this.type} was destroyed`)
    return this.address
  }

  private run(name: string, ...args: (number | string)[]): void {
    this.native.run(`model_${name}`, this.need(), ...args)
  }

  /** What it is: its grid, its fields, its properties' values. */
  get info(): ModelInfo {
    return (this.described ??= this.native.json<ModelInfo>('model_describe', this.need()))
  }

  /** One step of `dt` seconds, of any length: it stays finite. Closes windows. */
  step(dt: number): void {
    numbers('dt', dt)
    this.views.close()
    this.run('step', dt)
  }

  /** Sets a property, 'viscosity' or 'emitters.jet.density'. Closes windows. */
  set<P extends keyof Values<T> & string>(path: P, value: Values<T>[P]): void
  set(path: string, value: Json): void
  set(path: string, value: unknown): void {
    this.views.close()
    this.described = undefined
    this.run('set', path, json(path, value as Json))
  }

  get<P extends keyof Values<T> & string>(path: P): Values<T>[P]
  get(path: string): Json
  get(path: string): unknown {
    return this.native.json('model_get', this.need(), path)
  }

  /** A window on a field, to read or to write. */
  map(field: string, access: 'read' | 'write' = 'read'): FieldView {
    if (access !== 'read' && access !== 'write') {
      throw new GyreError('argument', `access is '${String(access)}': 'read' or 'write' was expected`)
    }
    const write = access === 'write'
    const at = this.native.layout((place) => this.run('map', field, write ? 1 : 0, place))
    return this.views.add(field, at, write, () => this.run('unmap', field))
  }

  /** A copy of a field, dense, into `out`, where it is given. */
  read(field: string, out?: Float32Array): FieldData {
    const at = this.native.layout((place) => this.run('map', field, 0, place))
    try {
      return { data: dense(this.native, at, out), nx: at.nx, ny: at.ny, nz: at.nz }
    } finally {
      this.run('unmap', field)
    }
  }

  /** Adds `amount` to a field around a point (metres), fading to nothing at `radius`. */
  splat(field: string, centre: ArrayLike<number>, radius: number, amount: number | number[]): void {
    this.views.close()
    const [x = 0, y = 0, z = 0] = numbers('centre', centre)
    const amounts = numbers('amount', amount)
    numbers('radius', radius)
    this.native.lendFloats([x, y, z, ...amounts], (place) => this.run('splat', field, place, radius, place + 12, amounts.length))
  }

  /** Values of a field at points in metres. */
  probe(field: string, points: ArrayLike<number>[]): number[] {
    if (!points.length) return []
    const flat = points.flatMap((p) => {
      const [x = 0, y = 0, z = 0] = numbers('a point', p)
      return [x, y, z]
    })
    return this.native.lendFloats(flat, (place) =>
      this.native.borrow(4 * points.length, (values) => {
        this.run('probe', field, place, points.length, values)
        return Array.from(this.native.floats(values, points.length))
      }),
    )
  }

  stats(): Statistics {
    return this.native.json('model_stats', this.need())
  }

  /** Sixteen hexadecimal digits of the whole state: the same on every machine. */
  hash(): string {
    return this.native.ask('model_hash', this.need())
  }

  save(): Uint8Array<ArrayBuffer> {
    this.views.close()
    return this.native.saved((bytes, size) => this.run('save', bytes, size))
  }

  load(bytes: Uint8Array): void {
    this.views.close()
    this.described = undefined
    this.native.lend(bytes, (address) => this.run('load', address, bytes.length))
  }

  destroy(): void {
    if (!this.address) return
    const address = this.address
    try {
      this.views.close()
    } finally {
      this.address = 0
      this.owner.delete(this)
      this.native.call('model_destroy', address)
    }
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

/** A scene that runs without pictures: models, couplings, bodies and a timeline. */
export class Scene {
  private readonly views: Views
  private readonly open: OpenScene
  private described: SceneInfo | undefined
  private models: ModelInfo[] | undefined

  /** @internal */
  constructor(native: Native, open: OpenScene, private readonly owner: Set<{ destroy(): void }>) {
    this.open = open
    this.views = new Views(native)
    owner.add(this)
  }

  get info(): SceneInfo {
    return (this.described ??= this.open.describe())
  }

  private model(which: string | number | undefined): number {
    this.models ??= this.open.describe().models
    return this.open.model(which, this.models)
  }

  /** So many steps, each of `info.dt` seconds. Closes windows. */
  step(steps = 1): void {
    this.views.close()
    this.open.step(steps)
  }

  /** Back to the start; with what was set since, where `keep`. */
  reset(options: { keep?: boolean } = {}): void {
    this.views.close()
    this.described = undefined
    this.open.reset(options.keep)
  }

  /** Sets 'gas.viscosity', and records it as an entry of the timeline. */
  set(path: string, value: Json): void {
    this.views.close()
    this.described = undefined
    this.open.set(path, value)
  }

  get(path: string): Json {
    return this.open.get(path)
  }

  /** A window on a field of a model: by its name or place, the first if left out. */
  map(field: string, options: { model?: string | number; access?: 'read' | 'write' } = {}): FieldView {
    const i = this.model(options.model)
    const write = options.access === 'write'
    return this.views.add(field, this.open.map(i, field, write), write, () => this.open.unmap(i, field))
  }

  read(field: string, options: { model?: string | number } = {}): FieldData {
    return this.open.read(this.model(options.model), field)
  }

  splat(field: string, centre: ArrayLike<number>, radius: number, amount: number | number[], options: { model?: string | number } = {}): void {
    this.views.close()
    this.open.splat(this.model(options.model), field, centre, radius, amount)
  }

  probe(field: string, points: ArrayLike<number>[], options: { model?: string | number } = {}): number[] {
    return this.open.probe(this.model(options.model), field, points)
  }

  stats(): SceneStats {
    return this.open.stats()
  }

  /** As `gyre hash` and the end of `gyre run` print it. */
  hash(): string {
    return this.open.hash()
  }

  /** The present settings as a scene file. */
  file(): string {
    return this.open.file()
  }

  /** What was put in since the start, for `gyre run --replay`. */
  replay(): string {
    return this.open.replay()
  }

  save(): Uint8Array<ArrayBuffer> {
    this.views.close()
    return this.open.save()
  }

  load(bytes: Uint8Array): void {
    this.views.close()
    this.described = undefined
    this.open.load(bytes)
  }

  destroy(): void {
    if (!this.owner.delete(this)) return
    try {
      this.views.close()
    } finally {
      this.open.close()
    }
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

export interface OpenOptions {
  /** As it stands in messages. Default 'scene.json'. */
  name?: string
  set?: Record<string, Json>
  files?: Record<string, Uint8Array>
  limits?: Limits
}

/** The library in a memory of its own. */
export class Gyre {
  private readonly made = new Set<{ destroy(): void }>()
  private read: Tables | undefined

  /** @internal */
  constructor(private readonly native: Native) {}

  /** The property tables of all models and of scenes. */
  get tables(): Tables {
    return (this.read ??= this.native.json<Tables>('tables'))
  }

  get version(): string {
    return this.tables.version
  }

  /** Threads that step its models. */
  get threads(): number {
    return this.native.threads
  }

  /** Bytes of its memory, used or not: it grows, and does not shrink. */
  get memory(): number {
    return this.native.size
  }

  /** The JSON Schema of scene files. */
  schema(): { [key: string]: Json } {
    return this.native.json('schema')
  }

  /**
   * A model of what differs from the defaults: `createModel('gas', { grid: { dim: 2, n: [64, 64,
   * 1] } })`.
   */
  createModel<T extends ModelType>(type: T, def: ModelDefs[T] = {}): Model<T> {
    if (!Object.hasOwn(this.tables.models, type)) throw unknown('model', type, Object.keys(this.tables.models))
    return new Model(this.native, type, def, this.made)
  }

  /** A scene from the text of its file, or its object. */
  openScene(source: string | { [key: string]: Json }, options: OpenOptions = {}): Scene {
    const { name = 'scene.json', set, files = {}, limits } = options
    if (typeof source === 'string' && !/^\s*\{/.test(source) && (sceneNames as readonly string[]).includes(source)) {
      throw new GyreError('argument', `'${source}' is the name of a scene that comes along: loadScene() fetches it`)
    }
    const text = typeof source === 'string' ? source : JSON.stringify(source, null, 2)
    const open = new OpenScene(this.native, { file: name, name: '', text, files }, { set, limits })
    return new Scene(this.native, open, this.made)
  }

  /**
   * A scene that comes along, by its name, or as openScene() takes it, with files to be
   * fetched.
   */
  async loadScene(source: SceneSource, options: { set?: Record<string, Json>; files?: SceneFiles; limits?: Limits; signal?: AbortSignal } = {}): Promise<Scene> {
    const loaded = await loadScene(source, options.files, options.signal)
    return new Scene(this.native, new OpenScene(this.native, loaded, options), this.made)
  }

  /** Ends all of its models and scenes, and its threads. */
  destroy(): void {
    for (const one of [...this.made]) one.destroy()
    this.native.end()
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

/** Loads the module. Each call gives one of its own. */
export async function loadGyre(options: LoadOptions & { signal?: AbortSignal } = {}): Promise<Gyre> {
  return new Gyre(await loadNative(options, options.signal))
}
