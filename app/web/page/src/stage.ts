// stage.ts: the canvas and the fluid in it: opens scenes, one after the other, and says what happens.
// What runs when (hidden, out of sight, reduced motion, a lost context) the package sees to.
import { createFluid, type Fluid, type FluidEvents, type FluidInfo, type FluidStats, type Json, type Limits, type Look } from 'gyre-fluid'
import { shelf } from 'virtual:shelf'
import { h } from './dom.ts'

/** A scene that can be opened. */
export interface Piece {
  /** For names of files. */
  name: string
  text: string
  /** Files that the visitor gave. Those of the shelf are found by their names. */
  files: Record<string, Blob>
  /** Whether the page came with it. */
  own: boolean
  /** Of the shelf. */
  id?: string
}

export interface StageOptions {
  transparent: boolean
  /** The grid as the scene says, however slow. */
  full: boolean
  worker: boolean
  paused: boolean
  pixelRatio: number | undefined
}

type Events = FluidEvents & { open: { piece: Piece; info: FluidInfo }; stats: FluidStats }

const small = (): boolean => matchMedia('(pointer: coarse)').matches || ((navigator as { deviceMemory?: number }).deviceMemory ?? 8) < 4

/** Bounds of what comes from elsewhere: an address, a file, the editor. */
export function limits(own: boolean): Limits {
  if (own) return { cells: 4e6, bytes: 1 << 30, particles: 1e6, text: 1 << 20 }
  return small()
    ? { cells: 5e5, bytes: 256 << 20, particles: 5e4, text: 256 << 10 }
    : { cells: 2e6, bytes: 768 << 20, particles: 2e5, text: 256 << 10 }
}

const known = new Map<string, string>()
for (const scene of shelf) for (const file of scene.files) known.set(file, `scene/${file}`)

function names(value: Json | undefined, out: Set<string>): void {
  if (typeof value === 'string') out.add(value.split('#')[0]!)
  else if (value && typeof value === 'object') for (const v of Object.values(value)) names(v, out)
}

/** The files of the shelf that a scene names. A text that is no JSON names none: the module says why. */
function shelved(text: string): Record<string, URL> {
  const found = new Set<string>(), files: Record<string, URL> = {}
  try {
    names(JSON.parse(text) as Json, found)
  } catch {
    return {}
  }
  for (const name of found) {
    const path = known.get(name)
    if (path) files[name] = new URL(path, document.baseURI)
  }
  return files
}

/** A grid of about as many cells in the shape of the canvas, for the page's own scenes: the text as it is but for that. */
export function fitted(text: string, width: number, height: number): string {
  const grid = /"n": \[(\d+), (\d+), 1\], "h": ([\d.]+)/.exec(text)
  if (!grid) return text
  const cells = Number(grid[1]) * Number(grid[2]), h = Number(grid[3])
  const ratio = Math.min(3, Math.max(1 / 3, width / height))
  const even = (x: number): number => Math.max(16, 8 * Math.round(x / 8))
  const x = even(Math.sqrt(cells * ratio)), y = even(Math.sqrt(cells / ratio))
  return text
    .replace(grid[0], `"n": [${x}, ${y}, 1], "h": ${h}`)
    .replace(/"origin": \[[^\]]*\]/, `"origin": [${Number(((-x * h) / 2).toPrecision(6))}, ${Number(((-y * h) / 2).toPrecision(6))}, 0]`)
}

export class Stage {
  fluid: Fluid | null = null
  piece: Piece | null = null
  /** Whether anything was put in since the start: a hash is then that of these strokes. */
  touched = false
  look: Look = {}
  private canvas: HTMLCanvasElement
  private listeners: { [K in keyof Events]?: ((value: Events[K]) => void)[] } = {}
  private turn: Promise<unknown> = Promise.resolve()
  private loading = false

  constructor(private readonly room: HTMLElement, readonly options: StageOptions) {
    this.canvas = this.blank()
  }

  /** A canvas that no context was asked of. */
  private blank(): HTMLCanvasElement {
    const canvas = h('canvas', { id: 'canvas', tabIndex: 0, role: 'img', 'aria-label': 'The fluid', 'aria-describedby': 'summary' })
    this.room.replaceChildren(canvas)
    return canvas
  }

  get element(): HTMLCanvasElement { return this.canvas }

  on<K extends keyof Events>(event: K, listener: (value: Events[K]) => void): void {
    ((this.listeners[event] ??= []) as ((value: Events[K]) => void)[]).push(listener)
  }

  private tell<K extends keyof Events>(event: K, value: Events[K]): void {
    for (const listener of (this.listeners[event] ?? []) as ((value: Events[K]) => void)[]) listener(value)
  }

  /** Opens a scene; the one before stays where it fails. One after the other. */
  open(piece: Piece, exact = false): Promise<FluidInfo> {
    const next = this.turn.then(() => this.openNow(piece, exact))
    this.turn = next.catch(() => undefined)
    return next
  }

  private async openNow(piece: Piece, exact: boolean): Promise<FluidInfo> {
    const bounds = limits(piece.own)
    if (piece.text.length > (bounds.text ?? 0)) throw new Error(`the scene is longer than ${(bounds.text ?? 0) >> 10} KB`)
    const entry = shelf.find((s) => s.id === piece.id)
    const box = this.room.getBoundingClientRect()
    const text = entry?.fit && piece.own && !exact ? fitted(piece.text, box.width, box.height) : piece.text
    const options = { files: { ...shelved(text), ...piece.files }, limits: bounds, grid: this.options.full || exact ? 'scene' : 'auto' } as const
    let info: FluidInfo
    if (this.fluid && !this.fluid.destroyed) {
      this.loading = true
      try {
        info = await this.fluid.load(text, options)
      } finally {
        this.loading = false
      }
    } else {
      try {
        const fluid = await createFluid(this.canvas, {
          scene: text, ...options, pointers: false, worker: this.options.worker ? 'auto' : false,
          transparent: this.options.transparent,
          ...(this.options.paused ? { paused: true } : {}),
          ...(this.options.pixelRatio ? { pixelRatio: this.options.pixelRatio } : {}),
          onError: (error) => this.tell('error', error),
        })
        this.fluid = fluid
        info = fluid.info
      } catch (error) {
        this.canvas = this.blank()
        throw error
      }
      const pass = <K extends keyof FluidEvents>(event: K): void => void this.fluid?.on(event, (value) => this.tell(event as keyof Events, value as never))
      for (const event of ['frame', 'stats', 'slow', 'lost', 'restored', 'running'] as const) pass(event)
      // It has begun anew on a coarser grid.
      this.fluid!.on('load', (again) => {
        if (this.loading || !this.piece) return
        this.touched = false
        this.tell('open', { piece: this.piece, info: again })
      })
    }
    this.piece = { ...piece, text }
    this.touched = false
    this.look = await this.fluid!.getLook()
    this.tell('open', { piece: this.piece, info })
    return info
  }

  async restart(keep: boolean): Promise<void> {
    await this.fluid?.reset({ keep })
    this.touched = false
  }

  /** The state after so many steps from an untouched start, with the settings as they are. */
  async hashAt(step: number): Promise<string> {
    const fluid = this.fluid
    if (!fluid) throw new Error('no fluid is open')
    fluid.pause()
    await this.restart(true)
    for (let done = 0; done < step; done += 30) await fluid.step(Math.min(30, step - done))
    return fluid.hash()
  }

  /** Step and hash that belong together; null: it went on in between. */
  async mark(): Promise<{ step: number; hash: string } | null> {
    const fluid = this.fluid
    if (!fluid || fluid.destroyed) return null
    const [before, hash, after] = await Promise.all([fluid.stats(), fluid.hash(), fluid.stats()])
    return before.step === after.step ? { step: after.step, hash } : null
  }
}

/** A scene of the shelf. */
export async function fetchPiece(id: string): Promise<Piece> {
  const entry = shelf.find((s) => s.id === id)
  if (!entry) throw new Error(`there is no scene '${id.slice(0, 40)}' on the shelf`)
  const response = await fetch(new URL(`scene/${id}.json`, document.baseURI))
  if (!response.ok) throw new Error(`scene/${id}.json: ${response.status}`)
  return { name: id, id, text: await response.text(), files: {}, own: true }
}
