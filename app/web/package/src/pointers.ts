// pointers.ts: mouse, pen and fingers of a canvas. Each finger is a stroke of its own.

import type { Colour, Fluid, Play, PointerOptions } from './types.js'

type Hand = Pick<Fluid, 'canvas' | 'pointer' | 'zoom'>

/** Where an event is in the canvas, 0 to 1 from its upper left corner. */
export function placeIn(canvas: Element, event: { clientX: number; clientY: number }): [number, number] {
  const box = canvas.getBoundingClientRect()
  return [(event.clientX - box.left) / (box.width || 1), (event.clientY - box.top) / (box.height || 1)]
}

/** Numbers for fingers: browsers count theirs on and on; the scene has some sixteen. */
export class Fingers {
  private readonly numbers = new Map<number, number>()

  take(id: number): number {
    const known = this.numbers.get(id)
    if (known !== undefined) return known
    const used = new Set(this.numbers.values())
    let number = 0
    while (used.has(number)) number++
    this.numbers.set(id, number)
    return number
  }

  has(id: number): boolean {
    return this.numbers.has(id)
  }

  drop(id: number): number | undefined {
    const number = this.numbers.get(id)
    this.numbers.delete(id)
    return number
  }

  all(): number[] {
    return [...this.numbers.keys()]
  }
}

export function attachPointers(fluid: Hand, options: PointerOptions = {}): () => void {
  const { canvas } = fluid
  const { what = 'play', secondary = 'push', hover = false, zoom = true } = options
  const fingers = new Fingers()
  const doing = new Map<number, Play>()
  const colourOf = (number: number): Colour | undefined =>
    typeof options.colour === 'function' ? options.colour(number) : options.colour

  const start = (event: PointerEvent, play: Play): void => {
    const number = fingers.take(event.pointerId)
    doing.set(event.pointerId, play)
    const [x, y] = placeIn(canvas, event)
    fluid.pointer(number, 'down', x, y, play, colourOf(number))
  }
  const end = (id: number, x: number, y: number): void => {
    const number = fingers.drop(id)
    if (number === undefined) return
    fluid.pointer(number, 'up', x, y, doing.get(id))
    doing.delete(id)
  }
  const onDown = (event: PointerEvent): void => {
    if (event.button > 2) return
    // Mouse buttons that come on top change nothing.
    if (fingers.has(event.pointerId)) {
      if (!hover) return
      end(event.pointerId, ...placeIn(canvas, event))
    }
    const play = event.button === 1 || event.altKey ? 'orbit' : event.button === 2 ? secondary : what
    try {
      canvas.setPointerCapture(event.pointerId)
    } catch {
      // The pointer is gone already (or was made by a program): it draws inside the canvas alone.
    }
    if (event.button === 1) event.preventDefault()
    start(event, play)
  }
  const onMove = (event: PointerEvent): void => {
    if (!fingers.has(event.pointerId)) {
      if (!hover || event.pointerType === 'touch') return
      start(event, what)
      return
    }
    const number = fingers.take(event.pointerId)
    // What came between two pictures is a stroke of several parts.
    const events = event.getCoalescedEvents?.() ?? []
    for (const one of events.length ? events : [event]) {
      const [x, y] = placeIn(canvas, one)
      fluid.pointer(number, 'move', x, y, doing.get(event.pointerId), colourOf(number))
    }
  }
  const onUp = (event: PointerEvent): void => end(event.pointerId, ...placeIn(canvas, event))
  const onLeave = (event: PointerEvent): void => {
    if (hover && event.buttons === 0) onUp(event)
  }
  const onMenu = (event: Event): void => event.preventDefault()
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return // the page scrolls
    event.preventDefault()
    const [x, y] = placeIn(canvas, event)
    fluid.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.005)), x, y)
  }

  const before = canvas.style.touchAction
  // A finger on the canvas stirs and does not scroll.
  canvas.style.touchAction = 'none'
  const ended = new AbortController()
  const { signal } = ended
  canvas.addEventListener('pointerdown', onDown, { signal })
  canvas.addEventListener('pointermove', onMove, { signal })
  canvas.addEventListener('pointerup', onUp, { signal })
  canvas.addEventListener('pointercancel', onUp, { signal })
  canvas.addEventListener('pointerleave', onLeave, { signal })
  canvas.addEventListener('contextmenu', onMenu, { signal })
  if (zoom) canvas.addEventListener('wheel', onWheel, { signal, passive: false })
  return () => {
    if (signal.aborted) return
    ended.abort()
    canvas.style.touchAction = before
    for (const id of fingers.all()) end(id, 0.5, 0.5)
  }
}
