// picture.ts: a visitor's photograph or camera as an image that flows. Nothing leaves the machine.
import { h, note } from './dom.ts'

const MOST = 1024 // pixels along a side
const BYTES = 40e6

/** A picture in the shape of the domain (`ratio`: width / height), cut to its middle, as a PNG. */
export async function flowing(source: Blob | HTMLVideoElement, ratio: number): Promise<Blob> {
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
  context.drawImage(image, (image.width - width) / 2, (image.height - height) / 2, width, height, 0, 0, canvas.width, canvas.height)
  image.close()
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be kept'))), 'image/png'))
}

/** Asks for the camera, shows it, and hands over a still as often as one is wanted, until it is closed or its sheet is. */
export async function camera(room: HTMLElement, take: (video: HTMLVideoElement) => Promise<void>): Promise<void> {
  if (!navigator.mediaDevices?.getUserMedia) {
    return note('This page has no camera: the browser has none, or the page was not loaded over https.', 'error')
  }
  let stream: MediaStream
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: { ideal: 1280 } }, audio: false })
  } catch (error) {
    const name = (error as Error).name
    return note(name === 'NotAllowedError' ? 'The camera was not granted. A picture from a file does as well.' : name === 'NotFoundError' ? 'No camera was found.' : `The camera cannot be had: ${(error as Error).message}`, 'error')
  }
  const video = h('video', { muted: true, playsInline: true, 'aria-label': 'What the camera sees' })
  video.srcObject = stream
  await video.play().catch(() => undefined)
  const close = (): void => {
    for (const track of stream.getTracks()) track.stop()
    gone.disconnect()
    box.remove()
  }
  const flow = h('button', { class: 'small strong', onclick: async () => {
    flow.disabled = true
    await take(video)
    flow.disabled = false
    flow.textContent = 'Another still'
  } }, 'Let it flow')
  const box = h('div', { class: 'camera' }, video, h('div', { class: 'row' }, flow, h('button', { class: 'small', onclick: close }, 'Close the camera')))
  // No camera goes on where it is not seen.
  const gone = new MutationObserver(() => { if (!box.isConnected) close() })
  for (const old of room.querySelectorAll('.camera button:last-child')) (old as HTMLElement).click()
  room.append(box)
  gone.observe(document.body, { childList: true, subtree: true })
}
