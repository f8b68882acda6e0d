// worker.ts: what runs in the Worker: an engine, and the messages to and from it. First the engine gets
// ready without a canvas; then the page hears whether it can draw here, and gives it one.

import { plainError } from './error.js'
import { Engine } from './engine.js'
import { loadScript, type LoadOptions } from './load.js'
import type { Call, EngineOptions, Reply } from './protocol.js'

const scope = globalThis as unknown as {
  postMessage(message: Reply, transfer?: Transferable[]): void
  addEventListener(name: 'message', listener: (event: MessageEvent<Call>) => void): void
  close(): void
}
let engine: Engine | undefined
performance.mark('gyre:worker')

/** Large arrays go over without a copy: nobody here keeps them. */
function transferable(value: unknown): Transferable[] {
  const array = value instanceof Uint8Array ? value : (value as { data?: unknown } | null)?.data
  return ArrayBuffer.isView(array) && array.buffer instanceof ArrayBuffer ? [array.buffer] : []
}

scope.addEventListener('message', ({ data: { call, args, number } }) => {
  if (call === 'ahead') return loadScript(args[0] as LoadOptions)
  if (call === 'prepare') {
    engine = new Engine((event, value) => {
      scope.postMessage({ event, value: event === 'error' ? plainError(value) : value })
    })
    // Asked at the end: a context waits for all that the page has to draw by then.
    engine.prepare(args[0] as EngineOptions).then(
      () => scope.postMessage({ ready: true, webgl: hasWebgl() }),
      (error: unknown) => scope.postMessage({ ready: true, error: plainError(error) }))
    return
  }
  if (call === 'canvas') {
    if (engine) engine.canvas = args[0] as OffscreenCanvas
    return
  }
  if (call === 'destroy') {
    engine?.destroy()
    engine?.loseContext()
    engine = undefined
    scope.postMessage({ number: number!, value: undefined })
    scope.close()
    return
  }
  engine?.handleCall(call, args).then(
    (value) => {
      if (number !== undefined) scope.postMessage({ number, value }, transferable(value))
    },
    (error: unknown) => {
      const plain = plainError(error)
      if (number !== undefined) scope.postMessage({ number, error: plain })
      else scope.postMessage({ event: 'error', value: plain })
    },
  )
})

/** Whether WebGL 2 is to be had in a Worker: in some browsers OffscreenCanvas came before it. */
function hasWebgl(): boolean {
  try {
    const context = new OffscreenCanvas(1, 1).getContext('webgl2')
    context?.getExtension('WEBGL_lose_context')?.loseContext()
    return context !== null
  } catch {
    return false
  }
}
