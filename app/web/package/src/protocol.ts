// protocol.ts: what the page and the engine say to each other, whether a Worker lies between them
// or not.

import type { PlainError } from './error.js'
import type { Compiled } from './load.js'
import type { FluidEvents, Json, Limits, Look, SceneFiles, SceneSource } from './types.js'

export interface EngineOptions {
  scene: SceneSource
  set?: Record<string, Json> | undefined
  files?: SceneFiles | undefined
  limits?: Limits | undefined
  grid?: 'auto' | 'scene' | undefined
  threads?: number | undefined
  transparent?: boolean | undefined
  look?: Look | undefined
  assets?: string | undefined
  module?: 'auto' | 'whole' | undefined
  /** The module, where the page has compiled it. */
  compiled?: Compiled | undefined
  /** Whether it begins to run by itself. */
  paused: boolean
  /** Seconds of the fluid's time that are stepped before the first picture. */
  ahead: number
  width: number
  height: number
  /** Whether it is in a Worker, and whether the user got a still picture: for `info`. */
  worker: boolean
  still: boolean
}

/** A call: with a number where an answer is waited for. */
export interface Call {
  call: string
  args: unknown[]
  number?: number
}

/** What comes back: an answer, an event, or that all is ready to be drawn in the canvas, or why not. */
export type Reply =
  | { number: number; value: unknown }
  | { number: number; error: PlainError }
  | { event: keyof FluidEvents; value: unknown }
  | { ready: true; webgl: boolean }
  | { ready: true; error: PlainError }

/** What holds an engine: in a Worker or here. */
export interface Connection {
  readonly worker: boolean
  call(name: string, args: unknown[], transfer?: Transferable[]): Promise<unknown>
  send(name: string, args: unknown[]): void
  close(): void
}
