// hand.ts: what pointers and keys of the canvas do to the fluid.
import type { Play, PointerOptions } from 'gyre-fluid'
import { at } from './dom.ts'
import type { Stage } from './stage.ts'

export const plays: [Play, string, string][] = [
  ['play', 'Play', 'what the scene is best played with'],
  ['pour', 'Pour', 'dye, smoke, heat or water'],
  ['push', 'Push', 'with the pointer’s speed'],
  ['grab', 'Grab', 'floating bodies'],
  ['dig', 'Dig', 'the ground under water'],
  ['orbit', 'Turn', 'around the scene'],
  ['pan', 'Move', 'across the scene'],
]

export const swatches = ['#ff5d73', '#ffa24d', '#ffe08a', '#6fe3a5', '#4fd0e8', '#6f8cff', '#c58bff', '#ffffff']

const KEYS = 90 // the number of the keyboard's pointer

export class Hand {
  what: Play = 'play'
  /** null: another for each stroke. */
  colour: string | null = null
  radius = 0
  strength = 1
  private detach: (() => void) | null = null
  private strokes = 0
  /** Colours by the package's number of a finger, and that of the stroke that begins. */
  private readonly of = new Map<number, string>()
  private begun: string | null = null
  private x = 0.5
  private y = 0.5
  private pressed: Play | null = null

  constructor(private readonly stage: Stage) {}

  private pick = (pointer: number): string => {
    if (this.begun) this.of.set(pointer, this.begun)
    this.begun = null
    return this.colour ?? this.of.get(pointer) ?? swatches[0]!
  }

  private next(): void {
    this.begun = swatches[(this.strokes++ * 3) % (swatches.length - 1)]!
  }

  /** Takes hold of the fluid that is there; again when what a press does has changed. */
  attach(): void {
    this.detach?.()
    this.detach = null
    const fluid = this.stage.fluid
    if (!fluid) return
    const options: PointerOptions = { what: this.what, secondary: this.what === 'push' ? 'pour' : 'push', colour: this.pick, zoom: true }
    const canvas = this.stage.element
    const down = (): void => { this.next(); this.stage.touched = true }
    canvas.addEventListener('pointerdown', down, true)
    const end = fluid.attachPointers(options)
    this.detach = () => { end(); canvas.removeEventListener('pointerdown', down, true) }
  }

  brush(): void {
    this.stage.fluid?.brush({ radius: this.radius, strength: this.strength })
  }

  // ---- the keyboard: a ring that arrows move, Enter pours, x pushes ----
  listen(room: HTMLElement): void {
    room.addEventListener('keydown', (event) => this.key(event, true))
    room.addEventListener('keyup', (event) => this.key(event, false))
    room.addEventListener('focusout', () => { this.lift(); at('ring').hidden = true })
    room.addEventListener('pointerdown', () => { at('ring').hidden = true })
  }

  private lift(): void {
    if (this.pressed) this.stage.fluid?.pointer(KEYS, 'up', this.x, this.y, this.pressed)
    this.pressed = null
  }

  private key(event: KeyboardEvent, down: boolean): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? 0.08 : 0.02
    const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key]
    const what: Play | null = event.key === 'Enter' ? this.what : event.key === 'x' ? 'push' : null
    if (!way && !what) return
    event.preventDefault()
    const fluid = this.stage.fluid
    if (way && down) {
      this.x = Math.min(0.98, Math.max(0.02, this.x + way[0]!))
      this.y = Math.min(0.98, Math.max(0.02, this.y + way[1]!))
      if (this.pressed) fluid?.pointer(KEYS, 'move', this.x, this.y, this.pressed, this.pick(KEYS))
    } else if (what && down && !event.repeat) {
      this.lift()
      this.next()
      this.stage.touched = true
      this.pressed = what
      fluid?.pointer(KEYS, 'down', this.x, this.y, what, this.pick(KEYS))
    } else if (what && !down) {
      this.lift()
    }
    const ring = at('ring'), box = this.stage.element.getBoundingClientRect()
    ring.hidden = false
    ring.style.transform = `translate(${box.left + this.x * box.width}px, ${box.top + this.y * box.height}px)`
    ring.classList.toggle('down', this.pressed !== null)
  }
}
