// native.ts: the functions of app/web/native/web.h, with texts, numbers and failures turned into
// what JavaScript has. The address of a thing in the module's memory is a number; 0 is none.

import { GyreError } from './error.js'
import type { Limits } from './types.js'

/** What emscripten's module has of all that it could have. */
export interface GyreModule {
  HEAPU8: Uint8Array
  wasmMemory?: WebAssembly.Memory
  FS: {
    mkdirTree(path: string): void
    writeFile(path: string, bytes: Uint8Array): void
    unlink(path: string): void
    readdir(path: string): string[]
    rmdir(path: string): void
  }
  GL: {
    registerContext(context: WebGL2RenderingContext, attributes: object): number
    makeContextCurrent(handle: number): boolean
    deleteContext(handle: number): void
  }
  PThread?: { terminateAllThreads(): void }
  [name: `_web_${string}`]: (...args: number[]) => number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What a window on a field is like: web_map(). */
export interface Layout {
  address: number
  nx: number
  ny: number
  nz: number
  /** In floats. */
  strideY: number
  strideZ: number
}

type Argument = number | string | null

export class Native {
  /** Why nothing works any more: the module has trapped. */
  private stopped: GyreError | undefined

  /** `plane`: it is the module for gases in 2D alone. */
  constructor(readonly module: GyreModule, readonly threads: number, readonly plane = false) {}

  /** The memory's present buffer: another one after it has grown. */
  get buffer(): ArrayBufferLike {
    return this.module.wasmMemory?.buffer ?? this.module.HEAPU8.buffer
  }

  /** Bytes of the module's memory, used or not. It grows, and does not shrink. */
  get size(): number {
    return this.buffer.byteLength
  }

  /** Calls web_NAME(); texts are handed over and freed. */
  call(name: string, ...args: Argument[]): number {
    if (this.stopped) throw this.stopped
    const f = this.module[`_web_${name}`]
    if (!f) throw new GyreError('unsupported', `the module has no function web_${name}()`)
    const texts: number[] = []
    try {
      return f(
        ...args.map((a) => {
          if (a === null) return 0
          if (typeof a === 'number') return a
          const address = this.text(a)
          texts.push(address)
          return address
        }),
      )
    } catch (cause) {
      if (cause instanceof GyreError) throw cause
      this.stopped = new GyreError('device', `the module stopped in web_${name}(): ${String(cause)}`, { cause })
      throw this.stopped
    } finally {
      if (!this.stopped) for (const address of texts) this.free(address)
    }
  }

  /** The same of a function that gives a gyre_result. */
  run(name: string, ...args: Argument[]): void {
    const result = this.call(name, ...args)
    if (result !== 0) throw GyreError.of(result, this.message())
  }

  /** The same of a function that gives a text, or NULL. */
  ask(name: string, ...args: Argument[]): string {
    const address = this.call(name, ...args) >>> 0 // above 2 GiB they come below 0
    if (!address) throw GyreError.of(1, this.message())
    const text = this.read(address)
    this.free(address)
    return text
  }

  /** The same of a function that gives JSON. */
  json<T>(name: string, ...args: Argument[]): T {
    const text = this.ask(name, ...args)
    try {
      return JSON.parse(text) as T
    } catch (cause) {
      throw new GyreError('format', `web_${name}() gave no JSON: ${text.slice(0, 80)}`, { cause })
    }
  }

  message(): string {
    return this.read(this.module._web_message!() >>> 0)
  }

  allocate(size: number): number {
    const address = this.module._web_malloc!(Math.max(size, 1)) >>> 0
    if (!address) throw new GyreError('memory', `no memory for ${size} bytes`)
    return address
  }

  free(address: number): void {
    if (address) this.module._web_free!(address)
  }

  /** Makes room, hands it to `use`, and frees it. */
  borrow<T>(size: number, use: (address: number) => T): T {
    const address = this.allocate(size)
    try {
      return use(address)
    } finally {
      this.free(address)
    }
  }

  /** The same with `bytes` in it. */
  lend<T>(bytes: Uint8Array, use: (address: number) => T): T {
    return this.borrow(bytes.length, (address) => {
      this.bytes(address, bytes.length).set(bytes)
      return use(address)
    })
  }

  /** A view that holds until the memory grows: at once, and not kept. */
  bytes(address: number, count: number): Uint8Array {
    return new Uint8Array(this.buffer, address, count)
  }

  floats(address: number, count: number): Float32Array {
    return new Float32Array(this.buffer, address, count)
  }

  ints(address: number, count: number): Int32Array {
    return new Int32Array(this.buffer, address, count)
  }

  /** Numbers as C has them, for a call. */
  lendFloats<T>(numbers: ArrayLike<number>, use: (address: number) => T): T {
    return this.borrow(4 * numbers.length, (address) => {
      this.floats(address, numbers.length).set(numbers)
      return use(address)
    })
  }

  /** Calls `use` with a place for an address, and gives what was put there. */
  made(use: (place: number) => void): number {
    return this.borrow(8, (place) => {
      this.ints(place, 1)[0] = 0
      use(place)
      return this.ints(place, 1)[0]! >>> 0
    })
  }

  /** The bytes that web_save() and its like put out. */
  saved(use: (bytes: number, size: number) => void): Uint8Array<ArrayBuffer> {
    return this.borrow(8, (place) => {
      use(place, place + 4)
      const [address, size] = this.ints(place, 2)
      const bytes = this.bytes(address! >>> 0, size!).slice() as Uint8Array<ArrayBuffer>
      this.free(address! >>> 0)
      return bytes
    })
  }

  layout(use: (place: number) => void): Layout {
    return this.borrow(24, (place) => {
      use(place)
      const [address, nx, ny, nz, strideY, strideZ] = this.ints(place, 6)
      return { address: address! >>> 0, nx: nx!, ny: ny!, nz: nz!, strideY: strideY!, strideZ: strideZ! }
    })
  }

  /** web_limits: four doubles. */
  limits<T>(limits: Limits | undefined, use: (address: number) => T): T {
    const { cells = 0, bytes = 0, particles = 0, text = 0 } = limits ?? {}
    for (const [name, value] of Object.entries({ cells, bytes, particles, text })) {
      if (!(value >= 0)) throw new GyreError('argument', `limits.${name} is ${value}: a number from 0 on was expected`)
    }
    return this.borrow(32, (address) => {
      new Float64Array(this.buffer, address, 4).set([cells, bytes, particles, text])
      return use(address)
    })
  }

  /** Ends the module's threads; nothing may be called afterwards. */
  end(): void {
    this.stopped ??= new GyreError('destroyed', 'the module was ended')
    this.module.PThread?.terminateAllThreads()
  }

  private text(text: string): number {
    const bytes = encoder.encode(text)
    const address = this.allocate(bytes.length + 1)
    const memory = this.bytes(address, bytes.length + 1)
    memory.set(bytes)
    memory[bytes.length] = 0
    return address
  }

  private read(address: number): string {
    const memory = new Uint8Array(this.buffer)
    // A copy: what threads share is no text to a decoder.
    return decoder.decode(memory.slice(address, memory.indexOf(0, address)))
  }
}

/** The grid of a field, dense: x fastest, without the padding of rows. */
export function dense(native: Native, at: Layout, out?: Float32Array): Float32Array<ArrayBuffer> {
  const count = at.nx * at.ny * at.nz
  if (out && out.length < count) {
    throw new GyreError('argument', `room for ${out.length} numbers: the field has ${count}`)
  }
  const to = (out ?? new Float32Array(count)) as Float32Array<ArrayBuffer>
  const from = new Float32Array(native.buffer)
  const start = at.address / 4
  if (at.strideY === at.nx && (at.nz === 1 || at.strideZ === at.nx * at.ny)) {
    to.set(from.subarray(start, start + count))
    return to
  }
  let row = 0
  for (let z = 0; z < at.nz; z++) {
    for (let y = 0; y < at.ny; y++, row += at.nx) {
      const at0 = start + y * at.strideY + z * at.strideZ
      to.set(from.subarray(at0, at0 + at.nx), row)
    }
  }
  return to
}
