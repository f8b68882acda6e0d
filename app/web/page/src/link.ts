// link.ts: a scene in the fragment of an address: JSON, deflated, in base64url. What comes in is not
// trusted: bounds on the letters, on the bytes that they unfold to, and on every member.

/** What a link holds. */
export interface Linked {
  text: string
  name: string
  /** A state that an untouched run comes to. */
  mark?: { step: number; hash: string }
}

export const LETTERS = 96 * 1024
export const BYTES = 256 * 1024
const PREFIX = 's1='

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error('the link holds letters that no link of gyre has')
  let binary: string
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    throw new Error('the link is cut')
  }
  return Uint8Array.from(binary, (c) => c.charCodeAt(0))
}

async function drain(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      reader.cancel().catch(() => undefined)
      throw new Error(`the link unfolds to more than ${most / 1024} KB`)
    }
    parts.push(value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** The fragment, without #. */
export async function encode(linked: Linked): Promise<string> {
  if (!('CompressionStream' in window)) throw new Error('this browser cannot compress, and so cannot make links')
  // Spaces between tokens say nothing.
  const text = JSON.stringify(JSON.parse(linked.text))
  const bytes = new TextEncoder().encode(JSON.stringify({ v: 1, ...linked, text }))
  if (bytes.length > BYTES) throw new Error(`the scene is longer than the ${BYTES / 1024} KB that a link holds`)
  const packed = await drain(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')), BYTES)
  const fragment = PREFIX + toBase64(packed)
  if (fragment.length > LETTERS) throw new Error('the scene is too long for a link; save it as a file')
  return fragment
}

/** null: it is no such link. Throws what is wrong with it. */
export async function decode(fragment: string): Promise<Linked | null> {
  if (!fragment.startsWith(PREFIX)) return null
  if (fragment.length > LETTERS) throw new Error(`the link is longer than ${LETTERS / 1024} KB`)
  const packed = fromBase64(fragment.slice(PREFIX.length))
  let value: unknown
  try {
    const bytes = await drain(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')), BYTES)
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('the link')) throw error
    throw new Error('the link is damaged')
  }
  return check(value)
}

function check(value: unknown): Linked {
  if (!value || typeof value !== 'object') throw new Error('the link holds no scene')
  const { v, text, name, mark } = value as Record<string, unknown>
  if (v !== 1) throw new Error('the link was made by another version of this page')
  if (typeof text !== 'string') throw new Error('the link holds no scene')
  const linked: Linked = { text, name: typeof name === 'string' ? plain(name) : 'shared' }
  if (mark && typeof mark === 'object') {
    const { step, hash } = mark as Record<string, unknown>
    if (Number.isInteger(step) && (step as number) > 0 && (step as number) <= 1e6 && typeof hash === 'string' && /^[0-9a-f]{16}$/.test(hash)) {
      linked.mark = { step: step as number, hash }
    }
  }
  return linked
}

/** A name that may stand before .json. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 40) || 'scene'
}
