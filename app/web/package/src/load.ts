// load.ts: chooses and starts one of the modules: with threads where they are to be had, else one
// without; the whole one, or that for gases in 2D alone (see plane.ts). Works in pages, Workers and Node.js, and touches nothing when it is imported.

import { GyreError } from './error.js'
import { Native, type GyreModule } from './native.js'

export interface LoadOptions {
  /**
   * 1: one thread. 0 or left out: as many as the machine has, at most 8, where threads are to be
   * had.
   */
  threads?: number
  /** Folder in which `wasm/` lies, if not in the package's own. */
  assets?: string | URL
  /** Whether the module for gases in 2D alone will do. */
  plane?: boolean | undefined
  /** The module, where it was compiled ahead; one for another number of threads, or too small, is left alone. */
  compiled?: Compiled | undefined
}

/** A module that was fetched and compiled, and whether it is one with threads, and one for gases in 2D alone. */
export interface Compiled {
  module: WebAssembly.Module
  threads: boolean
  plane: boolean
}

/** What emscripten makes a module from. */
type Factory = (options: Record<string, unknown>) => Promise<GyreModule>
const most = 8

interface NodeProcess {
  versions?: { node?: string }
  getBuiltinModule?(name: 'node:fs'): { promises: { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> } }
}

export const inNode = (): boolean => {
  const { process } = globalThis as { process?: NodeProcess }
  return !!process?.versions?.node && typeof process.getBuiltinModule === 'function'
}

/** A module of one v128 constant: whether vectors of 128 bits are understood. */
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
])

async function readDisk(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { process } = globalThis as unknown as { process: Required<NodeProcess> }
  try {
    return new Uint8Array(await process.getBuiltinModule('node:fs').promises.readFile(new URL(url.pathname, url)))
  } catch (cause) {
    throw new GyreError('file', `${url.pathname}: ${(cause as Error).message}`, { cause })
  }
}

const whole = (url: URL | string): URL =>
  url instanceof URL ? url : new URL(url, (globalThis as { location?: Location }).location?.href)

async function respond(full: URL, signal: AbortSignal | undefined): Promise<Response> {
  let response: Response
  try {
    response = await fetch(full, signal ? { signal } : {})
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw new GyreError('network', `${full.href}: ${(cause as Error).message}`, { cause })
  }
  if (!response.ok) throw new GyreError('network', `${full.href}: ${response.status} ${response.statusText}`)
  return response
}

/** Fetches a file of the package or of the page, in Node.js from the disk. */
export async function fetchBytes(url: URL | string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const full = whole(url)
  if (full.protocol === 'file:' && inNode()) return readDisk(full)
  return new Uint8Array(await (await respond(full, signal)).arrayBuffer())
}

/** Compiles a module while it comes in, where the server says that it is one. */
async function compile(url: string, signal: AbortSignal | undefined): Promise<WebAssembly.Module> {
  const full = whole(url)
  try {
    if (full.protocol === 'file:' && inNode()) return await WebAssembly.compile(await readDisk(full))
    const response = await respond(full, signal)
    const streams = typeof WebAssembly.compileStreaming === 'function' && /^application\/wasm\b/.test(response.headers.get('content-type') ?? '')
    return await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()))
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof GyreError) throw cause
    throw new GyreError('network', `${full.href}: the module that came is damaged: ${(cause as Error).message}`, { cause })
  }
}

/** Fetches and compiles the module that `loadNative` with these options will want. */
export async function compileAhead(options: LoadOptions, signal?: AbortSignal): Promise<Compiled> {
  checkEngine()
  const threads = threadCount(options.threads)
  const plane = !!options.plane
  return { module: await compile(place('gyre.wasm', kindOf(threads, plane), options.assets), signal), threads: threads > 1, plane }
}

/** Whether threads are to be had here: memory that they share, and leave to share it. */
export function threadsToBeHad(): boolean {
  if (typeof SharedArrayBuffer !== 'function' || typeof Worker !== 'function') return false
  return (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true
}

/** How many threads `wanted` comes to here. */
export function threadCount(wanted: number | undefined): number {
  if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= 0)) {
    throw new GyreError('argument', `threads is ${wanted}: a whole number from 0 on was expected`)
  }
  if (wanted === 1 || !threadsToBeHad()) return 1
  const machine = Math.max(1, globalThis.navigator?.hardwareConcurrency ?? 1)
  return Math.min(wanted || machine, machine, most)
}

/** Refuses, with a sentence, where the module cannot run. */
export function checkEngine(): void {
  if (typeof WebAssembly !== 'object') {
    throw new GyreError('unsupported', 'this browser has no WebAssembly, which gyre runs as')
  }
  if (!WebAssembly.validate(simd)) {
    throw new GyreError('unsupported', 'this browser has no WebAssembly SIMD (vectors of 128 bits): Chrome from 91, Firefox from 89, Safari from 16.4 on have it')
  }
}

/** Folder of a module below `wasm/`. */
type Kind = '' | 'threads/' | 'plane/' | 'plane/threads/'
const kindOf = (threads: number, plane: boolean): Kind => `${plane ? 'plane/' : ''}${threads > 1 ? 'threads/' : ''}`

async function factory(kind: Kind, assets: string | URL | undefined): Promise<Factory> {
  if (assets !== undefined) {
    const url = place('gyre.js', kind, assets)
    return ((await import(/* @vite-ignore */ /* webpackIgnore: true */ url)) as { default: Factory }).default
  }
  const scripts = {
    '': () => import('../wasm/gyre.js'),
    'threads/': () => import('../wasm/threads/gyre.js'),
    'plane/': () => import('../wasm/plane/gyre.js'),
    'plane/threads/': () => import('../wasm/plane/threads/gyre.js'),
  }
  return (await scripts[kind]()).default as Factory
}

/** Fetches the script of the module that `loadNative` with these options will want. What fails is told there. */
export function loadScript(options: LoadOptions): void {
  void factory(kindOf(threadCount(options.threads), !!options.plane), options.assets).catch(() => undefined)
}

/** A folder's URL, ended by a slash. */
function folder(assets: string | URL): URL {
  const text = String(assets)
  return new URL(text.endsWith('/') ? text : `${text}/`, (globalThis as { location?: Location }).location?.href)
}

/** Where a file of the module lies; in the forms that bundlers know. */
function place(name: string, kind: Kind, assets: string | URL | undefined): string {
  if (assets !== undefined) return new URL(`wasm/${kind}${name}`, folder(assets)).href
  switch (kind + name) {
    case 'gyre.wasm': return new URL('../wasm/gyre.wasm', import.meta.url).href
    case 'threads/gyre.wasm': return new URL('../wasm/threads/gyre.wasm', import.meta.url).href
    case 'threads/gyre.js': return new URL('../wasm/threads/gyre.js', import.meta.url).href
    case 'threads/gyre.worker.js': return new URL('../wasm/threads/gyre.worker.js', import.meta.url).href
    case 'plane/gyre.wasm': return new URL('../wasm/plane/gyre.wasm', import.meta.url).href
    case 'plane/threads/gyre.wasm': return new URL('../wasm/plane/threads/gyre.wasm', import.meta.url).href
    case 'plane/threads/gyre.js': return new URL('../wasm/plane/threads/gyre.js', import.meta.url).href
    case 'plane/threads/gyre.worker.js': return new URL('../wasm/plane/threads/gyre.worker.js', import.meta.url).href
  }
  throw new GyreError('file', `the module asks for '${name}', which is not of the package`)
}

export async function loadNative(options: LoadOptions = {}, signal?: AbortSignal): Promise<Native> {
  checkEngine()
  const threads = threadCount(options.threads)
  // The whole one does all that the other does.
  const fits = options.compiled?.threads === threads > 1 && (!options.compiled.plane || !!options.plane)
  const given = fits ? options.compiled : undefined
  const plane = given ? given.plane : !!options.plane
  const kind = kindOf(threads, plane)
  const compiling = given ? Promise.resolve(given.module) : compile(place('gyre.wasm', kind, options.assets), signal)
  compiling.catch(() => undefined) // told below, after the script's own failure
  let make: Factory
  try {
    make = await factory(kind, options.assets)
  } catch (cause) {
    throw new GyreError('network', `the module could not be loaded: ${(cause as Error).message}`, { cause })
  }
  const compiled = await compiling
  signal?.throwIfAborted()
  const lines: string[] = []
  let failed: (cause: unknown) => void
  const failure = new Promise<never>((_, reject) => {
    failed = (cause) => reject(new GyreError('memory', `the module could not be started: ${(cause as Error).message}`, { cause }))
  })
  const made = make({
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) => {
      WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled)).catch(failed)
      return {} // it comes later
    },
    locateFile: (file: string) => place(file, kind, options.assets),
    ...(threads > 1 ? { mainScriptUrlOrBlob: place('gyre.js', kind, options.assets) } : {}),
    pthreads: threads,
    print: (line: string) => lines.push(line),
    printErr: (line: string) => lines.push(line),
    // A module that gives up says why; without this it would write to the console alone.
    onAbort: (why: unknown) => lines.push(String(why)),
    noExitRuntime: true,
  })
  return new Native(await Promise.race([made, failure]), threads, plane)
}
