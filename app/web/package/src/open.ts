// open.ts: an open scene of the module: what both the canvas and gyre-fluid/model stand on.

import { GyreError, unknown } from './error.js'
import type { Pixels } from './image.js'
import { type Layout, type Native, dense } from './native.js'
import { checkFileName, type LoadedScene, setLines } from './scenes.js'
import type { FieldData, Json, Limits, ModelInfo, SceneInfo, SceneStats } from './types.js'

let folders = 0

/** A number of components from what a call hands over; NaN and infinity are refused here. */
export function numbers(what: string, values: ArrayLike<number> | number): number[] {
  const list = typeof values === 'number' ? [values] : Array.from(values)
  if (!list.length || !list.every((v) => Number.isFinite(v))) {
    throw new GyreError('argument', `${what} is [${list.join(', ')}]: finite numbers were expected`)
  }
  return list
}

export function json(path: string, value: Json): string {
  const text = JSON.stringify(value)
  if (text === undefined) throw new GyreError('argument', `${path}: ${String(value)} is nothing that JSON can say`)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new GyreError('argument', `${path} is ${value}: a finite number was expected`)
  }
  return text
}

export class OpenScene {
  readonly address: number
  /** In the module's file system: the scene's files lie there. */
  private readonly folder: string
  private closed = false

  constructor(
    readonly native: Native,
    readonly loaded: LoadedScene,
    options: { set?: Record<string, Json> | undefined; limits?: Limits | undefined; threads?: number | undefined } = {},
  ) {
    this.folder = `/scene${++folders}`
    const sets = setLines(options.set)
    this.native.module.FS.mkdirTree(this.folder)
    try {
      for (const [name, bytes] of Object.entries(loaded.files)) this.addFile(name, bytes)
      this.address = native.made((place) =>
        native.limits(options.limits, (limits) =>
          this.run(() =>
            native.run('open', loaded.text, `${this.folder}/${loaded.file}`, sets, options.threads ?? native.threads, limits, place),
          ),
        ),
      )
    } catch (error) {
      this.removeFiles()
      throw error
    }
  }

  /** Names of files in messages without the folder, which is nobody's business. */
  private run<T>(call: () => T): T {
    try {
      return call()
    } catch (error) {
      if (error instanceof GyreError && error.message.includes(this.folder)) {
        throw new GyreError(error.code, error.message.replaceAll(`${this.folder}/`, ''), { cause: error })
      }
      throw error
    }
  }

  private need(): void {
    if (this.closed) throw new GyreError('destroyed', 'the scene was destroyed')
  }

  private do(name: string, ...args: (number | string | null)[]): void {
    this.need()
    this.run(() => this.native.run(name, this.address, ...args))
  }

  private text(name: string, ...args: (number | string | null)[]): string {
    this.need()
    return this.run(() => this.native.ask(name, this.address, ...args))
  }

  addFile(name: string, bytes: Uint8Array): void {
    checkFileName(name)
    this.native.module.FS.writeFile(`${this.folder}/${name}`, bytes)
  }

  step(steps = 1): void {
    if (!(Number.isInteger(steps) && steps >= 0)) {
      throw new GyreError('argument', `steps is ${steps}: a whole number from 0 on was expected`)
    }
    this.do('step', steps)
  }

  reset(keep = false): void {
    this.do('reset', keep ? 1 : 0)
  }

  set(path: string, value: Json): void {
    this.do('set', path, json(path, value))
  }

  get(path: string): Json {
    return JSON.parse(this.text('get', path)) as Json
  }

  describe(): SceneInfo {
    return JSON.parse(this.text('describe')) as SceneInfo
  }

  stats(): SceneStats {
    return JSON.parse(this.text('stats')) as SceneStats
  }

  hash(): string {
    return this.text('hash')
  }

  file(): string {
    return this.text('scene_file').replaceAll(`${this.folder}/`, '')
  }

  replay(): string {
    return this.text('replay').replaceAll(`${this.folder}/`, '')
  }

  save(): Uint8Array<ArrayBuffer> {
    return this.native.saved((bytes, size) => this.do('save', bytes, size))
  }

  load(bytes: Uint8Array): void {
    this.native.lend(bytes, (address) => this.do('load', address, bytes.length))
  }

  /** The place of a model in the scene, by its name or place. */
  model(which: string | number | undefined, models: ModelInfo[]): number {
    if (which === undefined) return 0
    const i = typeof which === 'number' ? which : models.findIndex((m) => m.name === which)
    if (i >= 0 && i < models.length && Number.isInteger(i)) return i
    if (typeof which === 'string') throw unknown('model', which, models.map((m) => m.name))
    throw new GyreError('argument', `model is ${which}: the scene has ${models.length}, from 0 on`)
  }

  map(model: number, field: string, write: boolean): Layout {
    return this.native.layout((place) => this.do('map', model, field, write ? 1 : 0, place))
  }

  unmap(model: number, field: string): void {
    this.do('unmap', model, field)
  }

  read(model: number, field: string): FieldData {
    const at = this.map(model, field, false)
    try {
      return { data: dense(this.native, at), nx: at.nx, ny: at.ny, nz: at.nz }
    } finally {
      this.unmap(model, field)
    }
  }

  splat(model: number, field: string, centre: ArrayLike<number>, radius: number, amount: number | number[]): void {
    const [x = 0, y = 0, z = 0] = numbers('centre', centre)
    const amounts = numbers('amount', amount)
    numbers('radius', radius)
    this.native.lendFloats([x, y, z, ...amounts], (place) =>
      this.do('splat', model, field, place, radius, place + 12, amounts.length),
    )
  }

  probe(model: number, field: string, points: ArrayLike<number>[]): number[] {
    const flat = points.flatMap((p) => {
      const [x = 0, y = 0, z = 0] = numbers('a point', p)
      return [x, y, z]
    })
    if (!points.length) return []
    return this.native.lendFloats(flat, (place) =>
      this.native.borrow(4 * points.length, (values) => {
        this.do('probe', model, field, place, points.length, values)
        return Array.from(this.native.floats(values, points.length))
      }),
    )
  }

  pointer(pointer: number, phase: number, what: number, x: number, y: number, colour: number): void {
    this.do('pointer', pointer, phase, what, x, y, colour)
  }

  zoom(factor: number, x: number, y: number): void {
    this.do('zoom', factor, x, y)
  }

  brush(radius: number, strength: number): void {
    this.do('brush', radius, strength)
  }

  drawOpen(): void {
    this.do('draw_open')
  }

  drawClose(lost: boolean): void {
    this.native.call('draw_close', this.address, lost ? 1 : 0)
  }

  look(look: Json): void {
    this.do('look', json('look', look))
  }

  getLook(): { [key: string]: Json } {
    return JSON.parse(this.text('get_look')) as { [key: string]: Json }
  }

  show(): void {
    this.do('show')
  }

  draw(width: number, height: number, blend: number): void {
    this.do('draw', width, height, blend)
  }

  flow({ width, height, rgba }: Pixels): void {
    if (rgba.length !== 4 * width * height) throw new GyreError('argument', `a picture of ${width} x ${height} pixels has ${rgba.length} bytes, ${4 * width * height} were expected`)
    this.native.lend(rgba, (address) => this.do('flow', width, height, address))
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    try {
      this.native.call('close', this.address)
    } finally {
      this.removeFiles()
    }
  }

  private removeFiles(): void {
    const { FS } = this.native.module
    for (const name of FS.readdir(this.folder)) {
      if (name !== '.' && name !== '..') FS.unlink(`${this.folder}/${name}`)
    }
    FS.rmdir(this.folder)
  }
}
