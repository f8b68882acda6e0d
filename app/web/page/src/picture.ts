// picture.ts: a visitor's photograph or camera as an image that flows. Nothing leaves the machine.
import type { Fluid } from 'gyre-fluid'
import { h, note } from './dom.ts'

const MOST = 1024 // pixels along a side
const BYTES = 40e6

/** A picture in the shape of the domain (`ratio`: width / height), cut to its middle, as a PNG; `mirror`: left and right changed over. */
export async function flowing(source: Blob | HTMLVideoElement, ratio: number, mirror = false): Promise<Blob> {
  if (source instanceof Blob && source.size > BYTES) throw new Error(`the picture has more than ${BYTES / 1e6} MB`)
  let image: ImageBitmap
  try {
    image = await createImageBitmap(source)
  } catch {
    throw new Error('this is no picture that the browser can read')
  }
  const width = Math.min(image.width, image.height * ratio), height = width / ratio
  const shrink = Math.min(1, MOST / Math.max(width, height))
  const canvas = h('canvas', { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round(height * shrink)) })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser has no canvas to read the picture with')
  context.imageSmoothingQuality = 'high'
  if (mirror) context.setTransform(-1, 0, 0, 1, canvas.width, 0)
  context.drawImage(image, (image.width - width) / 2, (image.height - height) / 2, width, height, 0, 0, canvas.width, canvas.height)
  image.close()
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be kept'))), 'image/png'))
}

/** The visitor's camera. It is on until it is closed. */
export class Camera {
  readonly video = h('video', { muted: true, playsInline: true, 'aria-label': 'What the camera sees' })
  /** Whether each of its pictures flows. */
  live = false
  /** Told when it has been closed. */
  closed: () => void = () => undefined
  private ended = false

  private constructor(private readonly stream: MediaStream, /** As one sees oneself. */ readonly mirror: boolean) {
    this.video.srcObject = stream
    this.video.classList.toggle('mirror', mirror)
    // Pulled out, or taken by the system.
    for (const track of stream.getTracks()) track.addEventListener('ended', () => this.close())
  }

  /** Asks for it; null, and the visitor was told, where it cannot be had. */
  static async open(): Promise<Camera | null> {
    if (!navigator.mediaDevices?.getUserMedia) {
      note('This page has no camera: the browser has none, or the page was not loaded over https.', 'error')
      return null
    }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: { ideal: 1280 } }, audio: false })
      const camera = new Camera(stream, stream.getVideoTracks()[0]?.getSettings().facingMode !== 'environment')
      await camera.video.play().catch(() => undefined)
      return camera
    } catch (error) {
      const name = (error as Error).name
      note(name === 'NotAllowedError' ? 'The camera was not granted. A picture from a file does as well.' : name === 'NotFoundError' ? 'No camera was found.' : `The camera cannot be had: ${(error as Error).message}`, 'error')
      return null
    }
  }

  /** Each picture flows, one after the other and while the fluid moves, as long as `wanted` says so. */
  flow(fluid: Fluid, wanted: () => boolean): void {
    this.live = true
    let failures = 0
    const next = async (): Promise<void> => {
      if (this.ended || !wanted()) return
      if (fluid.running && this.video.videoWidth > 0) {
        try {
          // Out of the page, with its sheet, it stops.
          if (this.video.paused) await this.video.play()
          await fluid.flow(this.video, { mirror: this.mirror })
          failures = 0
        } catch (error) {
          // Another scene comes, perhaps, which is not told yet.
          if (++failures > 60) {
            if (!this.ended && wanted()) note((error as Error).message, 'error')
            return this.close()
          }
        }
      }
      setTimeout(() => void next(), 1000 / 30)
    }
    void next()
  }

  close(): void {
    if (this.ended) return
    this.ended = true
    this.live = false
    for (const track of this.stream.getTracks()) track.stop()
    this.video.srcObject = null
    this.video.remove()
    this.closed()
  }
}
