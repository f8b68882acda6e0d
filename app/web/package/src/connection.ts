// connection.ts: the engine in a Worker of its own, or on the page's thread. Both are asked alike
// and answer later, so that what works with one works with the other.

import { Engine } from './engine.js'
import { fromPlain, GyreError, type PlainError } from './error.js'
import type { LoadOptions } from './load.js'
import type { Call, Connection, EngineOptions, Reply } from './protocol.js'
import type { FluidEvents } from './types.js'

export type OnEvent = (event: keyof FluidEvents, value: unknown) => void

/** Whether this browser can draw in a Worker at all. */
export function canTransfer(canvas: HTMLCanvasElement): boolean {
  return typeof Worker === 'function' && typeof OffscreenCanvas === 'function' && typeof canvas.transferControlToOffscreen === 'function'
}

function startWorker(): Worker {
  try {
    return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'gyre-fluid' })
  } catch (error) {
    // A Worker must come from the page's own origin; one that imports need not.
    if ((error as Error).name !== 'SecurityError') throw error
    const text = `import ${JSON.stringify(import.meta.url.replace(/[^/]*$/, 'worker.js'))}`
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    const worker = new Worker(url, { type: 'module', name: 'gyre-fluid' })
    worker.addEventListener('message', () => URL.revokeObjectURL(url), { once: true })
    return worker
  }
}

/** Started before it is needed. */
let ahead: Worker | undefined

export function startAhead(options: LoadOptions): void {
  if (ahead || typeof Worker !== 'function' || typeof OffscreenCanvas !== 'function') return
  try {
    ahead = startWorker()
    const started = ahead
    // One that fails is started again where it is needed, and that is told there.
    started.addEventListener('error', () => {
      if (ahead === started) ahead = undefined
    })
    started.postMessage({ call: 'ahead', args: [options] } satisfies Call)
  } catch {
    ahead = undefined
  }
}

export function takeAhead(): Worker | undefined {
  const taken = ahead
  ahead = undefined
  return taken
}

/** Waits until the Worker has all ready to be drawn, and says that it can draw. */
async function greet(worker: Worker, options: EngineOptions, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = (result: () => void): void => {
      worker.removeEventListener('message', hello)
      worker.removeEventListener('error', failed)
      signal?.removeEventListener('abort', aborted)
      result()
    }
    const hello = ({ data }: MessageEvent<Reply>): void => {
      if (!('ready' in data)) return
      if ('error' in data) return end(() => reject(new Unready(fromPlain(data.error))))
      end(() => (data.webgl ? resolve() : reject(new GyreError('unsupported', 'there is no WebGL 2 in Workers of this browser'))))
    }
    const failed = (event: ErrorEvent): void =>
      end(() => reject(new GyreError('network', `the Worker could not be started${event.message ? `: ${event.message}` : ''}`)))
    const aborted = (): void => end(() => reject(signal!.reason as Error))
    worker.addEventListener('message', hello)
    worker.addEventListener('error', failed)
    signal?.addEventListener('abort', aborted)
    worker.postMessage({ call: 'prepare', args: [options] } satisfies Call)
  })
}

/** What is wrong with the scene or with the module, and no better on the page's thread. */
class Unready extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message)
  }
}

class WorkerConnection implements Connection {
  readonly worker = true
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  private calls = 0
  private closed = false

  constructor(private readonly thread: Worker, canvas: HTMLCanvasElement, onEvent: OnEvent) {
    const offscreen = canvas.transferControlToOffscreen()
    thread.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if ('event' in data) {
        if (!this.closed) onEvent(data.event, data.event === 'error' ? fromPlain(data.value as PlainError) : data.value)
      } else if ('number' in data) {
        const one = this.waiting.get(data.number)
        this.waiting.delete(data.number)
        if ('error' in data) one?.reject(fromPlain(data.error))
        else one?.resolve(data.value)
      }
    })
    thread.addEventListener('error', (event) => {
      const error = new GyreError('device', `the Worker failed: ${event.message || 'no reason given'}`)
      this.giveUp(error)
      if (!this.closed) onEvent('error', error)
    })
    thread.postMessage({ call: 'canvas', args: [offscreen] } satisfies Call, [offscreen])
  }

  call(call: string, args: unknown[], transfer: Transferable[] = []): Promise<unknown> {
    if (this.closed) return Promise.reject(new GyreError('destroyed', 'the fluid was destroyed'))
    const number = ++this.calls
    return new Promise((resolve, reject) => {
      this.thread.postMessage({ call, args, number } satisfies Call, transfer)
      this.waiting.set(number, { resolve, reject })
    })
  }

  send(call: string, args: unknown[]): void {
    if (!this.closed) this.thread.postMessage({ call, args } satisfies Call)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.giveUp(new GyreError('destroyed', 'the fluid was destroyed'))
    const number = ++this.calls
    // It gives its context and its threads back and ends itself; one that hangs is ended.
    const end = (): void => {
      clearTimeout(timer)
      this.thread.terminate()
    }
    const timer = setTimeout(end, 1000)
    this.waiting.set(number, { resolve: end, reject: end })
    this.thread.postMessage({ call: 'destroy', args: [], number } satisfies Call)
  }

  private giveUp(error: Error): void {
    const all = [...this.waiting.values()]
    this.waiting.clear()
    for (const { reject } of all) reject(error)
  }
}

/** Contexts that were given back, of canvases that may serve again, and when that was told. */
const given = new WeakMap<HTMLCanvasElement, { lose: WEBGL_lose_context; told: Promise<void> }>()

function giveBack(canvas: HTMLCanvasElement): void {
  const lose = canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')
  if (!lose) return
  const told = new Promise<void>((resolve) => {
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault() // or it could not be asked for again
      resolve()
    }, { once: true })
  })
  given.set(canvas, { lose, told })
  lose.loseContext()
}

class PageConnection implements Connection {
  readonly worker = false
  private readonly engine: Engine
  private closed = false

  constructor(private readonly canvas: HTMLCanvasElement, private readonly onEvent: OnEvent) {
    this.engine = new Engine((event, value) => {
      // As from a Worker: never in the middle of a call.
      queueMicrotask(() => {
        if (!this.closed) onEvent(event, value)
      })
    })
    this.engine.canvas = canvas
  }

  async call(call: string, args: unknown[]): Promise<unknown> {
    const value = await this.engine.handleCall(call, args)
    if (this.closed) throw new GyreError('destroyed', 'the fluid was destroyed')
    return value
  }

  send(call: string, args: unknown[]): void {
    this.engine.handleCall(call, args).catch((error: unknown) => {
      if (!this.closed) this.onEvent('error', error)
    })
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.engine.destroy()
    giveBack(this.canvas)
  }
}

/** A canvas whose context was given back gets it again, before another fluid draws in it. */
async function retake(canvas: HTMLCanvasElement): Promise<void> {
  const before = given.get(canvas)
  if (!before) return
  given.delete(canvas)
  await before.told
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 2000)
    canvas.addEventListener('webglcontextrestored', () => {
      clearTimeout(timer)
      resolve()
    }, { once: true })
    // Not from within the event that tells of the loss.
    setTimeout(() => before.lose.restoreContext(), 0)
  })
}

export interface Connected {
  connection: Connection
  /** Why it does not run in a Worker, where it was to be. */
  warning?: string
}

/** `options`: of the engine; in a Worker it has the module, the scene and its files ready by the end. */
export async function connect(canvas: HTMLCanvasElement, worker: boolean | 'auto', options: EngineOptions, signal: AbortSignal | undefined, onEvent: OnEvent): Promise<Connected> {
  let warning: string | undefined
  if (worker !== false) {
    if (canTransfer(canvas)) {
      const thread = takeAhead() ?? startWorker()
      try {
        await greet(thread, { ...options, worker: true }, signal)
        return { connection: new WorkerConnection(thread, canvas, onEvent) }
      } catch (error) {
        thread.terminate()
        if (signal?.aborted) throw error
        if (error instanceof Unready) throw error.cause
        if ((error as Error).name === 'InvalidStateError') {
          throw new GyreError('state', 'this canvas is in use, was given to a Worker before, or has a context already: hand over a fresh canvas, or its container, in which one is made', { cause: error })
        }
        if (worker === true) throw error
        warning = `it runs on the page's thread: ${(error as Error).message}`
      }
    } else if (worker === true) {
      throw new GyreError('unsupported', 'this browser cannot draw in a Worker: it has no OffscreenCanvas')
    } else {
      warning = "it runs on the page's thread: this browser cannot draw in a Worker"
    }
  }
  await retake(canvas)
  signal?.throwIfAborted()
  return { connection: new PageConnection(canvas, onEvent), ...(warning ? { warning } : {}) }
}
