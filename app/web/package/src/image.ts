// image.ts: images and texts of the page as arrays that a scene names: brightness (or, where there
// is transparency, how opaque it is) from 0 to 1, the bottom row first.

import { GyreError } from './error.js'
import type { TextOptions } from './types.js'

export interface Mask {
  width: number
  height: number
  /** The bottom row first. */
  values: Float32Array<ArrayBuffer>
}

/** Samples along the longer side that are enough for any grid here. */
const most = 512

/** From pixels (red, green, blue, opacity; the top row first). */
export function maskOf(pixels: ArrayLike<number>, width: number, height: number, invert = false): Mask {
  const values = new Float32Array(width * height)
  let clear = false
  for (let i = 3; i < pixels.length && !clear; i += 4) clear = pixels[i]! < 255
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = 4 * (y * width + x)
      const bright = (0.2126 * pixels[i]! + 0.7152 * pixels[i + 1]! + 0.0722 * pixels[i + 2]!) / 255
      const value = clear ? pixels[i + 3]! / 255 : bright
      values[(height - 1 - y) * width + x] = invert ? 1 - value : value
    }
  }
  return { width, height, values }
}

/** A .npy file, format 1.0: a text that says what comes, then the numbers as they lie in memory. */
export function npy(mask: Mask): Uint8Array<ArrayBuffer> {
  let header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${mask.height}, ${mask.width}), }`
  header += ' '.repeat(63 - ((10 + header.length) % 64)) + '\n'
  const bytes = new Uint8Array(10 + header.length + mask.values.byteLength)
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8])
  bytes.set(new TextEncoder().encode(header), 10)
  bytes.set(new Uint8Array(mask.values.buffer), 10 + header.length)
  return bytes
}

/** A picture as the module takes it: red, green, blue, opacity, the bottom row first. */
export interface Pixels {
  width: number
  height: number
  rgba: Uint8Array<ArrayBuffer>
}

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

function sheet(width: number, height: number): Pen {
  const canvas = typeof OffscreenCanvas === 'function'
    ? new OffscreenCanvas(width, height)
    : Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d', { willReadFrequently: true }) as Pen | null
  if (!pen) throw new GyreError('unsupported', 'the browser gives no canvas to draw images in')
  return pen
}

function size(width: number, height: number): [number, number] {
  if (!(width >= 1 && height >= 1)) throw new GyreError('argument', 'the image has no pixels')
  const by = Math.min(1, most / Math.max(width, height))
  return [Math.max(1, Math.round(width * by)), Math.max(1, Math.round(height * by))]
}

export async function maskOfImage(image: ImageBitmapSource | string | URL, invert: boolean | undefined): Promise<Mask> {
  let source: ImageBitmapSource
  if (typeof image === 'string' || image instanceof URL) {
    const response = await fetch(image).catch((cause: unknown) => {
      throw new GyreError('network', `${String(image)}: ${(cause as Error).message}`, { cause })
    })
    if (!response.ok) throw new GyreError('network', `${String(image)}: ${response.status} ${response.statusText}`)
    source = await response.blob()
  } else {
    source = image
  }
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(source)
  } catch (cause) {
    throw new GyreError('format', `the image cannot be read: ${(cause as Error).message}`, { cause })
  }
  try {
    const [width, height] = size(bitmap.width, bitmap.height)
    const pen = sheet(width, height)
    pen.drawImage(bitmap, 0, 0, width, height)
    return maskOf(pen.getImageData(0, 0, width, height).data, width, height, invert)
  } finally {
    bitmap.close()
  }
}

const sizeOf = (image: CanvasImageSource): [number, number] => {
  const { videoWidth, videoHeight } = image as HTMLVideoElement
  if (videoWidth !== undefined) return [videoWidth, videoHeight]
  const { displayWidth, displayHeight } = image as VideoFrame
  if (displayWidth !== undefined) return [displayWidth, displayHeight]
  const { naturalWidth, naturalHeight } = image as HTMLImageElement
  if (naturalWidth !== undefined) return [naturalWidth, naturalHeight]
  const { width, height } = image as HTMLCanvasElement
  return [width, height]
}

let flowSheet: Pen | undefined

/** The middle of a picture in the shape `ratio` (width / height), `mirror`: left and right changed over. */
export function pixelsOf(image: CanvasImageSource, ratio: number, mirror = false): Pixels {
  const [wide, high] = sizeOf(image)
  if (!(wide >= 1 && high >= 1)) throw new GyreError('argument', 'the picture has no pixels, or none yet')
  const cut = [Math.min(wide, high * ratio), Math.min(high, wide / ratio)] as const
  const [width, height] = size(...cut)
  flowSheet ??= sheet(width, height)
  const pen = flowSheet
  if (pen.canvas.width !== width || pen.canvas.height !== height) Object.assign(pen.canvas, { width, height })
  pen.setTransform(mirror ? -1 : 1, 0, 0, -1, mirror ? width : 0, height)
  pen.drawImage(image, (wide - cut[0]) / 2, (high - cut[1]) / 2, cut[0], cut[1], 0, 0, width, height)
  const { data } = pen.getImageData(0, 0, width, height)
  return { width, height, rgba: new Uint8Array(data.buffer as ArrayBuffer) }
}

export function maskOfText(text: string, options: TextOptions): Mask {
  const lines = text.split('\n')
  const font = (pixels: number): string => (options.font ?? 'bold sans-serif').replace(/^(.*?)(?=[^ ,]*(?:,|$))/, `$1${pixels}px `)
  const measure = sheet(1, 1)
  measure.font = font(100)
  const wide = Math.max(...lines.map((line) => measure.measureText(line).width))
  if (!(wide > 0)) throw new GyreError('argument', `the text '${text}' has nothing to be seen`)
  const high = 120 * lines.length
  const by = Math.min(most / wide, most / high)
  const [width, height] = [Math.ceil(wide * by) + 4, Math.ceil(high * by) + 4]
  const pen = sheet(width, height)
  pen.font = font(100 * by)
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillStyle = '#fff'
  lines.forEach((line, i) => pen.fillText(line, width / 2, 2 + (i + 0.5) * 120 * by))
  return maskOf(pen.getImageData(0, 0, width, height).data, width, height, options.invert)
}
