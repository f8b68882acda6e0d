// complete.ts: what may stand at a place of a scene's text, by the JSON Schema of scenes. The reader
// takes texts that are being written: what is missing or wrong is passed over.
export type Schema = { [key: string]: unknown }

interface Node {
  kind: 'object' | 'array' | 'value'
  from: number
  to: number
  value: unknown
  members: { key: string; keyFrom: number; keyTo: number; node: Node | null }[]
  items: Node[]
}

/** A choice. */
export interface Choice {
  label: string
  /** What is put in, in place of `from` to `to` of the text. */
  insert: string
  detail: string
  info: string
}

export interface Choices {
  from: number
  to: number
  choices: Choice[]
}

class Reader {
  private at = 0
  constructor(private readonly text: string) {}

  private space(): void {
    while (/[\s,:]/.test(this.text[this.at] ?? '')) this.at++
  }

  private string(): string {
    const from = this.at++
    while (this.at < this.text.length && this.text[this.at] !== '"' && this.text[this.at] !== '\n') {
      this.at += this.text[this.at] === '\\' ? 2 : 1
    }
    const closed = this.text[this.at] === '"'
    if (closed) this.at++
    const raw = this.text.slice(from, this.at)
    try {
      return JSON.parse(closed ? raw : `${raw}"`) as string
    } catch {
      return raw.slice(1)
    }
  }

  read(depth = 0): Node | null {
    this.space()
    const c = this.text[this.at], from = this.at
    const node: Node = { kind: 'value', from, to: from, value: null, members: [], items: [] }
    if (c === undefined || c === '}' || c === ']' || depth > 64) return null
    if (c === '{') this.object(node, depth)
    else if (c === '[') this.array(node, depth)
    else if (c === '"') node.value = this.string()
    else {
      while (/[^\s,:{}[\]"]/.test(this.text[this.at] ?? '')) this.at++
      try {
        node.value = JSON.parse(this.text.slice(from, this.at))
      } catch {
        node.value = null
      }
    }
    node.to = this.at
    return node
  }

  private object(node: Node, depth: number): void {
    const value: Record<string, unknown> = {}
    node.kind = 'object'
    this.at++
    for (;;) {
      this.space()
      const c = this.text[this.at]
      if (c === undefined) break
      if (c === '}' || c === ']') { this.at++; break }
      const keyFrom = this.at
      if (c !== '"') {
        // No key: a value where none may be.
        if (!this.read(depth + 1) && this.at === keyFrom) this.at++
        continue
      }
      const key = this.string(), keyTo = this.at
      while (/\s/.test(this.text[this.at] ?? '')) this.at++
      const colon = this.text[this.at] === ':'
      const inner = colon ? this.read(depth + 1) : null
      node.members.push({ key, keyFrom, keyTo, node: inner })
      value[key] = inner?.value ?? null
    }
    node.value = value
  }

  private array(node: Node, depth: number): void {
    node.kind = 'array'
    this.at++
    for (;;) {
      this.space()
      const c = this.text[this.at]
      if (c === undefined) break
      if (c === ']' || c === '}') { this.at++; break }
      const before = this.at
      const inner = this.read(depth + 1)
      if (inner) node.items.push(inner)
      if (this.at === before) this.at++
    }
    node.value = node.items.map((n) => n.value)
  }
}

export function read(text: string): Node | null {
  return new Reader(text).read()
}

const object = (x: unknown): Schema | null => (x && typeof x === 'object' && !Array.isArray(x) ? (x as Schema) : null)

// The schemas that hold of a value: itself, what it refers to, and of its "if"s those that apply.
function all(root: Schema, schema: Schema | null, value: unknown, out: Schema[] = [], depth = 0): Schema[] {
  if (!schema || depth > 8) return out
  out.push(schema)
  if (typeof schema.$ref === 'string') all(root, object(object(root.$defs)?.[schema.$ref.replace('#/$defs/', '')]), value, out, depth + 1)
  for (const part of (Array.isArray(schema.allOf) ? schema.allOf : []) as Schema[]) {
    const test = object(part.if)
    if (!test || applies(test, value)) all(root, test ? object(part.then) : part, value, out, depth + 1)
  }
  for (const part of (Array.isArray(schema.anyOf) ? schema.anyOf : []) as Schema[]) all(root, part, value, out, depth + 1)
  return out
}

function applies(test: Schema, value: unknown): boolean {
  const type = object(value)?.type
  const not = object(test.not)
  if (not) return !applies(not, value)
  const wanted = object(object(test.properties)?.type)?.const
  if (wanted !== undefined) return type === wanted
  return !Array.isArray(test.required) || test.required.every((k) => object(value)?.[k as string] !== undefined)
}

function member(root: Schema, schemas: Schema[], key: string, value: unknown): Schema[] {
  const out: Schema[] = []
  for (const s of schemas) {
    const own = object(object(s.properties)?.[key])
    if (own) all(root, own, value, out)
    else if (object(s.additionalProperties)) all(root, object(s.additionalProperties), value, out)
  }
  return out
}

// What a value of a schema begins as.
function blank(schemas: Schema[]): string {
  for (const s of schemas) {
    if (s.default !== undefined) return JSON.stringify(s.default)
    if (s.const !== undefined) return JSON.stringify(s.const)
  }
  for (const s of schemas) {
    if (s.type === 'object' || s.properties) return '{}'
    if (s.type === 'array') return '[]'
    if (s.type === 'string') return '""'
    if (s.type === 'boolean') return 'true'
  }
  return '0'
}

const about = (schemas: Schema[]): string => String(schemas.find((s) => typeof s.description === 'string')?.description ?? '')

function range(schemas: Schema[]): string {
  const s = schemas.find((x) => x.minimum !== undefined)
  const kind = String(schemas.find((x) => typeof x.type === 'string')?.type ?? (schemas.some((x) => x.enum) ? 'name' : ''))
  return s ? `${s.minimum} to ${s.maximum}` : kind
}

function keys(root: Schema, schemas: Schema[], node: Node, pos: number, colon: boolean): Choice[] {
  const choices: Choice[] = []
  const taken = new Set(node.members.filter((m) => pos < m.keyFrom || pos > m.keyTo).map((m) => m.key))
  for (const s of schemas) {
    for (const [key, inner] of Object.entries(object(s.properties) ?? {})) {
      if (taken.has(key) || choices.some((c) => c.label === key)) continue
      const its = all(root, object(inner), null)
      choices.push({ label: key, insert: JSON.stringify(key) + (colon ? '' : `: ${blank(its)}`), detail: range(its), info: about(its) })
    }
  }
  return choices
}

function values(schemas: Schema[]): Choice[] {
  const list: unknown[] = []
  for (const s of schemas) {
    if (Array.isArray(s.enum)) list.push(...(s.enum as unknown[]))
    if (s.const !== undefined) list.push(s.const)
    if (s.type === 'boolean') list.push(true, false)
    if (s.default !== undefined && !Array.isArray(s.enum) && s.type !== 'boolean') list.push(s.default)
  }
  return [...new Set(list.map((v) => JSON.stringify(v)))].map((v) => ({ label: v.replaceAll('"', ''), insert: v, detail: range(schemas), info: about(schemas) }))
}

/** What may stand at `pos`; null: nothing is known there. */
export function complete(root: Schema, text: string, pos: number): Choices | null {
  let node = read(text)
  if (!node) return null
  let schemas = all(root, root, node.value)
  for (;;) {
    if (node.kind === 'array') {
      const inner: Node | undefined = node.items.find((n) => n.from <= pos && pos <= n.to)
      schemas = schemas.flatMap((s) => all(root, object(s.items), inner?.value))
      if (inner && inner.kind !== 'value') { node = inner; continue }
      return { from: inner?.from ?? pos, to: inner?.to ?? pos, choices: values(schemas) }
    }
    if (node.kind !== 'object') return { from: node.from, to: node.to, choices: values(schemas) }
    const here: Node['members'][number] | undefined = node.members.find((m) => m.keyFrom <= pos && pos <= (m.node?.to ?? m.keyTo))
    if (here && pos <= here.keyTo) {
      const colon = /^\s*:/.test(text.slice(here.keyTo))
      return { from: here.keyFrom, to: here.keyTo, choices: keys(root, schemas, node, pos, colon) }
    }
    if (here?.node && here.node.from <= pos) {
      schemas = member(root, schemas, here.key, here.node.value)
      node = here.node
      continue
    }
    const last: Node['members'][number] | undefined = node.members.filter((m) => m.keyTo <= pos).at(-1)
    if (last && /^\s*:\s*$/.test(text.slice(last.keyTo, pos))) {
      return { from: pos, to: pos, choices: values(member(root, schemas, last.key, null)) }
    }
    return { from: pos, to: pos, choices: keys(root, schemas, node, pos, false) }
  }
}

/** Where a message of the module points: NAME:LINE:COLUMN: what. null: nowhere. */
export function place(message: string): { line: number; column: number; what: string } | null {
  const found = /^[^\n:]*:(\d+):(\d+):\s*([\s\S]*)$/.exec(message)
  return found ? { line: Number(found[1]), column: Number(found[2]), what: found[3]! } : null
}
