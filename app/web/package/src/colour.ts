// colour.ts: colours of CSS as numbers 0xrrggbb.

import { GyreError } from './error.js'
import type { Colour } from './types.js'

let pen: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null | undefined

function byCss(colour: string): string | undefined {
  if (pen === undefined) {
    if (typeof document === 'object') pen = document.createElement('canvas').getContext('2d')
    else if (typeof OffscreenCanvas === 'function') pen = new OffscreenCanvas(1, 1).getContext('2d')
  }
  if (!pen) return undefined
  // What is no colour leaves the one before: two of those tell.
  pen.fillStyle = '#000000'
  pen.fillStyle = colour
  const first = pen.fillStyle
  pen.fillStyle = '#ffffff'
  pen.fillStyle = colour
  return pen.fillStyle === first ? String(first) : undefined
}

/** -1: none was given, and the scene's own counts. */
export function colourNumber(colour: Colour | undefined): number {
  if (colour === undefined) return -1
  if (typeof colour === 'number') {
    if (Number.isInteger(colour) && colour >= 0 && colour <= 0xffffff) return colour
  } else {
    const text = /^#/.test(colour) ? colour : byCss(colour) ?? ''
    const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?$/i.exec(text)
    if (short) return parseInt(short.slice(1).map((d) => d + d).join(''), 16)
    const long = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(text)
    if (long) return parseInt(long[1]!, 16)
    const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(text)
    if (parts) return parts.slice(1, 4).reduce((sum, part) => 256 * sum + Math.min(255, Number(part)), 0)
  }
  throw new GyreError('argument', `'${colour}' is no colour: '#0af', '#00aaff', a name or function of CSS, or a number from 0 to 0xffffff was expected`)
}
