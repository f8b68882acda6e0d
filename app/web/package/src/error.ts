// error.ts: what goes wrong, with a code that programs can ask for.

/**
 * 'argument' to 'device': as gyre_result has them (include/gyre/base.h). 'destroyed': the object is
 * gone; 'network': something could not be fetched.
 */
export type GyreErrorCode =
  | 'argument' | 'memory' | 'file' | 'format' | 'unsupported' | 'state' | 'interrupted' | 'device'
  | 'destroyed' | 'network'

/** By gyre_result. */
const codes: GyreErrorCode[] = [
  'state', 'argument', 'memory', 'file', 'format', 'unsupported', 'state', 'interrupted', 'device',
]

export class GyreError extends Error {
  override readonly name = 'GyreError'
  readonly code: GyreErrorCode

  constructor(code: GyreErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  /** Of a gyre_result that is not GYRE_OK. */
  static of(result: number, message: string): GyreError {
    return new GyreError(codes[result] ?? 'state', message || `failed with result ${result}`)
  }
}

/** Operations that turn one word into another: insert, remove, replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}

/** The nearest of `names`, or undefined where none is near: a third of its letters may differ. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Infinity
  for (const other of names) {
    const d = distance(name.toLowerCase(), other.toLowerCase())
    if (d < least && d <= Math.max(2, other.length / 3)) {
      least = d
      best = other
    }
  }
  return best
}

/** "unknown WHAT 'NAME': did you mean 'OTHER'?" */
export function unknown(what: string, name: string, names: readonly string[]): GyreError {
  const near = nearest(name, names)
  const known = near ? `did you mean '${near}'?` : `known are ${names.join(', ')}`
  return new GyreError('argument', `unknown ${what} '${name}': ${known}`)
}

/** A form that crosses from a Worker. */
export interface PlainError {
  name: string
  message: string
  code?: GyreErrorCode
  stack?: string | undefined
}

export function plainError(error: unknown): PlainError {
  if (error instanceof GyreError) return { name: error.name, message: error.message, code: error.code, stack: error.stack }
  if (error instanceof Error) return { name: error.name, message: error.message, stack: error.stack }
  return { name: 'Error', message: String(error) }
}

export function fromPlain(plain: PlainError): Error {
  if (plain.code) return new GyreError(plain.code, plain.message)
  const error = new Error(plain.message)
  error.name = plain.name
  return error
}
