// record.ts: what is seen, as a video.
import { note, save } from './dom.ts'

const types = ['video/mp4;codecs=avc1', 'video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4']
const MOST = 120 // seconds

export interface Recording {
  stop(): void
}

/** Begins; null: this browser has no recorder, and the visitor was told. `ended` is always called. */
export function record(canvas: HTMLCanvasElement, name: string, ended: () => void): Recording | null {
  const missing = typeof MediaRecorder === 'undefined' ? 'MediaRecorder' : typeof canvas.captureStream !== 'function' ? 'captureStream' : ''
  if (missing) {
    note(`This browser cannot record a canvas (it has no ${missing}). The scene file, played by gyre run, makes the video.`, 'error')
    return null
  }
  const type = types.find((t) => MediaRecorder.isTypeSupported(t))
  if (!type) {
    note('This browser has no video format to record in.', 'error')
    return null
  }
  let recorder: MediaRecorder
  try {
    recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 })
  } catch (error) {
    note(`Recording did not begin: ${(error as Error).message}`, 'error')
    return null
  }
  const parts: Blob[] = []
  const timer = setTimeout(() => { if (recorder.state !== 'inactive') recorder.stop() }, MOST * 1000)
  recorder.ondataavailable = (event) => { if (event.data.size) parts.push(event.data) }
  recorder.onerror = () => note('Recording failed.', 'error')
  recorder.onstop = () => {
    clearTimeout(timer)
    for (const track of recorder.stream.getTracks()) track.stop()
    const video = new Blob(parts, { type })
    if (video.size === 0) note('Nothing was recorded: no picture was drawn meanwhile.', 'error')
    else {
      save(`${name}.${type.includes('mp4') ? 'mp4' : 'webm'}`, video)
      note(`Recorded ${(video.size / 1e6).toFixed(1)} MB.`)
    }
    ended()
  }
  recorder.start(1000)
  note(`Recording; it ends when you press the button again, or after ${MOST} seconds.`)
  return { stop: () => { if (recorder.state !== 'inactive') recorder.stop() } }
}
