// paper.ts: the paper's own solver in whole numbers, 160 x 160, in a module of 18 KB that draws into
// a canvas of two dimensions: what phones of 2003 ran, and what runs where WebGL 2 does not.
import { h } from './dom.ts'

interface Exports {
  memory: WebAssembly.Memory
  paper_open(): number
  paper_hand(x: number, y: number, which: number, dx: number, dy: number): void
  paper_step(): number
  paper_pixels(): number
  paper_steps(): number
  paper_hash(): number
}

/** The fluid of the paper, in a canvas of its own. */
export class Paper {
  readonly canvas = h('canvas', { class: 'paper', tabIndex: 0, role: 'img', 'aria-label': "The paper's fluid, in whole numbers" })
  running = true
  touched = false
  private frame = 0
  private last = 0
  private side = 0
  private fingers = new Map<number, { x: number; y: number; which: number }>()

  private constructor(private readonly its: Exports) {
    this.side = its.paper_open()
    this.canvas.width = this.canvas.height = this.side
    this.listen()
    this.frame = requestAnimationFrame(this.tick)
  }

  static async open(): Promise<Paper> {
    const bytes = await (await fetch(new URL('paper.wasm', document.baseURI))).arrayBuffer()
    const { instance } = await WebAssembly.instantiate(bytes, {})
    return new Paper(instance.exports as unknown as Exports)
  }

  get steps(): number { return this.its.paper_steps() }
  get hash(): string { return (this.its.paper_hash() >>> 0).toString(16).padStart(8, '0') }

  restart(): void {
    this.its.paper_open()
    this.touched = false
    this.step()
  }

  /** Until the visitor comes, two jets pass each other by. */
  private demo(): void {
    const t = this.its.paper_steps()
    if (this.touched || t > 90) return
    this.its.paper_hand(20 + Math.floor(t / 3), 66, 0, 2, 0)
    this.its.paper_hand(140 - Math.floor(t / 3), 94, 1, -2, 0)
  }

  step(): void {
    this.demo()
    for (const f of this.fingers.values()) this.its.paper_hand(f.x, f.y, f.which, 0, 0)
    this.its.paper_step()
    const pixels = new Uint8ClampedArray(this.its.memory.buffer, this.its.paper_pixels(), this.side * this.side * 4)
    this.canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(pixels), this.side), 0, 0)
  }

  /** A stroke: x and y 0 to 1 from the upper left corner. */
  hand(id: number, phase: 'down' | 'move' | 'up', x: number, y: number, which: number): void {
    const cx = Math.ceil(x * this.side), cy = Math.ceil((1 - y) * this.side)
    const before = this.fingers.get(id)
    this.touched = true
    if (phase === 'up') return void this.fingers.delete(id)
    if (phase === 'down' || !before) return void this.fingers.set(id, { x: cx, y: cy, which })
    const dx = cx - before.x, dy = cy - before.y, parts = Math.ceil(Math.hypot(dx, dy) / 3)
    for (let i = 1; i <= parts; i++) this.its.paper_hand(Math.round(before.x + (dx * i) / parts), Math.round(before.y + (dy * i) / parts), before.which, dx, dy)
    this.fingers.set(id, { x: cx, y: cy, which: before.which })
  }

  private listen(): void {
    const send = (phase: 'down' | 'move' | 'up') => (event: PointerEvent) => {
      if (phase === 'down') this.canvas.setPointerCapture(event.pointerId)
      else if (phase === 'move' && !this.fingers.has(event.pointerId)) return
      const r = this.canvas.getBoundingClientRect()
      const which = event.button === 2 || event.buttons === 2 ? -1 : this.fingers.size % 2
      this.hand(event.pointerId, phase, (event.clientX - r.left) / r.width, (event.clientY - r.top) / r.height, which)
      event.preventDefault()
    }
    this.canvas.addEventListener('pointerdown', send('down'))
    this.canvas.addEventListener('pointermove', send('move'))
    this.canvas.addEventListener('pointerup', send('up'))
    this.canvas.addEventListener('pointercancel', send('up'))
    this.canvas.addEventListener('contextmenu', (event) => event.preventDefault())
  }

  private tick = (now: number): void => {
    this.frame = requestAnimationFrame(this.tick)
    if (!this.running || document.hidden || now - this.last < 1000 / 31) return
    this.last = now
    this.step()
  }

  destroy(): void {
    cancelAnimationFrame(this.frame)
    this.canvas.remove()
  }
}
