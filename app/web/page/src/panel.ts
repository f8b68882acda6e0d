// panel.ts: sliders made from the property tables: what the library can be told, with unit, range
// and meaning, marked where it differs from the default.
import type { Fluid, Json, ModelInfo, Property } from 'gyre-fluid'
import { h, note } from './dom.ts'

type Obj = { [key: string]: Json }
const object = (v: Json | undefined): Obj => (v && typeof v === 'object' && !Array.isArray(v) ? v : {})

/** 5 digits, no more zeros than it takes. */
export const short = (x: number): string => String(Number(x.toPrecision(5)))

/** A slider's way from 0 to 1 to a value and back: straight in small ranges, else finer near 0. */
export function scale(low: number, high: number, now: number, initial: number, whole: boolean): { to(t: number): number; from(v: number): number } {
  if (high - low <= 20 || (whole && high - low <= 400)) {
    return { to: (t) => (whole ? Math.round(low + t * (high - low)) : low + t * (high - low)), from: (v) => (v - low) / (high - low) }
  }
  // v = s sinh(k t'): t' from -1 or 0 to 1.
  const s = Math.max(Math.abs(initial), Math.abs(now) * 0.5, whole ? 1 : Math.min(1e-3, (high - low) * 1e-6)) * 0.5
  const a = Math.asinh(low / s), b = Math.asinh(high / s)
  const to = (t: number): number => {
    const v = t <= 0 ? low : t >= 1 ? high : s * Math.sinh(a + t * (b - a))
    return whole ? Math.round(v) : low <= 0 && Math.abs(v) < s * 1e-3 ? 0 : t <= 0 || t >= 1 ? v : Number(v.toPrecision(4))
  }
  return { to, from: (v) => (Math.asinh(v / s) - a) / (b - a) }
}

const same = (a: Json | undefined, b: Json | undefined): boolean => {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b))
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]))
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function initial(p: Property): Json {
  if (p.default !== undefined) {
    if (p.kind === 'bool') return p.default === true || p.default === 1
    if (p.kind === 'enum' && typeof p.default === 'number') return p.names?.[p.default] ?? ''
    return p.default
  }
  if (p.count > 1) return Array<Json>(p.count).fill(0)
  return p.kind === 'bool' ? false : p.kind === 'enum' ? (p.names?.[0] ?? '') : p.kind === 'string' ? '' : 0
}

const numeric = (p: Property): boolean => ['int', 'float', 'int64', 'double'].includes(p.kind)
const leaf = (p: Property): boolean => numeric(p) || p.kind === 'bool' || p.kind === 'enum' || p.kind === 'string'

export class Panel {
  readonly element = h('div', { class: 'panel' })
  private filter = ''
  private onlyChanged = false

  constructor(private readonly fluid: Fluid, private readonly touched: () => void) {
    const tools = h('div', { class: 'row' },
      h('input', { type: 'search', placeholder: 'Find a property', 'aria-label': 'Find a property', oninput: (e: Event) => { this.filter = (e.target as HTMLInputElement).value.toLowerCase(); this.sift() } }),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', onchange: (e: Event) => { this.onlyChanged = (e.target as HTMLInputElement).checked; this.sift() } }), 'changed'))
    this.element.append(this.looks(), tools)
    for (const model of fluid.info.models) this.element.append(this.model(model))
  }

  private sift(): void {
    const on = this.filter !== '' || this.onlyChanged
    for (const row of this.element.querySelectorAll<HTMLElement>('.property')) {
      row.hidden = (this.filter !== '' && !row.dataset.words!.includes(this.filter)) || (this.onlyChanged && !row.classList.contains('changed'))
    }
    for (const group of [...this.element.querySelectorAll<HTMLDetailsElement>('details.group')].reverse()) {
      const empty = ![...group.querySelectorAll<HTMLElement>('.property')].some((r) => !r.hidden)
      group.hidden = on && empty
      if (on && !empty) group.open = true
    }
  }

  // ---- the look ----
  private looks(): HTMLElement {
    const box = h('details', { class: 'group', open: true }, h('summary', {}, 'Look'))
    void this.fluid.getLook().then((look) => {
      const { info } = this.fluid
      const set = (change: Record<string, Json>): void => void this.fluid.look(change).catch((e: Error) => note(e.message, 'error'))
      const pick = (label: string, key: string, names: string[], now: unknown): HTMLElement =>
        h('label', { class: 'property pick', 'data-words': label }, h('span', {}, label), h('select', { 'data-look': key, onchange: (e: Event) => set({ [key]: (e.target as HTMLSelectElement).value }) },
          names.map((n) => h('option', { value: n, selected: n === now }, n.replaceAll('_', ' ')))))
      if (info.modes.length > 1) box.append(pick('drawn as', 'mode', info.modes, look.mode))
      const fields = [...new Set(info.models.flatMap((m) => m.fields.map((f) => f.name)))]
      if (typeof look.field === 'string' && look.field && !fields.includes(look.field)) fields.unshift(look.field)
      if (fields.length) box.append(pick('field', 'field', fields, look.field))
      const maps = ['viridis', 'magma', 'inferno', 'coolwarm', 'gray', 'ink', 'smoke', 'blackbody']
      if (typeof look.map === 'string' && look.map && !maps.includes(look.map)) maps.unshift(look.map)
      box.append(pick('colours', 'map', maps, look.map))
      box.append(h('label', { class: 'property pick', 'data-words': 'arrows' }, h('span', {}, 'velocity as arrows'), h('input', { type: 'checkbox', checked: look.arrows === true, onchange: (e: Event) => set({ arrows: (e.target as HTMLInputElement).checked }) })))
    }).catch(() => undefined)
    return box
  }

  // ---- the tables ----
  private model(model: ModelInfo): HTMLElement {
    const table = this.fluid.info.tables.models[model.type] ?? []
    const box = h('details', { class: 'group model', open: true }, h('summary', {}, `${model.name}${model.name === model.type ? '' : ` (${model.type})`}`))
    this.members(box, table, model.name, model.values, 0)
    return box
  }

  private members(box: HTMLElement, table: Property[], path: string, values: Obj, depth: number): void {
    for (const p of table) if (leaf(p)) this.leaf(box, p, `${path}.${p.name}`, values[p.name] ?? initial(p))
    for (const p of table) {
      if (p.kind === 'struct' && p.members) this.group(box, p.name, p.doc, p.members, `${path}.${p.name}`, object(values[p.name]), depth)
      if (p.kind === 'union' && p.members) {
        for (const [which, inner] of Object.entries(object(values[p.name]))) {
          const members = p.members.find((m) => m.name === which)?.members
          if (members) this.group(box, `${p.name}: ${which}`, p.doc, members, `${path}.${p.name}.${which}`, object(inner), depth)
        }
      }
      if (p.kind === 'pool' && p.members && Array.isArray(values[p.name])) {
        for (const [i, element] of (values[p.name] as Json[]).entries()) {
          const name = object(element).name
          const key = typeof name === 'string' && name ? name : String(i)
          this.group(box, `${p.name} · ${key}`, p.doc, p.members, `${path}.${p.name}.${key}`, object(element), depth)
        }
      }
    }
  }

  private group(box: HTMLElement, title: string, doc: string, members: Property[], path: string, values: Obj, depth: number): void {
    if (depth > 4) return
    const inner = h('details', { class: 'group' }, h('summary', { title: doc }, title.replaceAll('_', ' ')))
    // A table may be long and there may be many: made when it is opened or searched.
    this.members(inner, members, path, values, depth + 1)
    if (inner.querySelector('.property')) box.append(inner)
  }

  private leaf(box: HTMLElement, p: Property, path: string, value: Json): void {
    const begin = initial(p), id = `p-${path.replace(/[^\w]/g, '-')}`
    const unit = p.unit && p.unit !== '1' ? ` ${p.unit}` : ''
    const tip = `${p.doc}${unit ? ` (${unit.trim()})` : ''}${p.high ? `, ${short(p.low ?? 0)} to ${short(p.high)}` : ''}${p.fixed ? '; fixed when the scene begins: change it in the scene file' : ''}`
    const row = h('div', { class: 'property', 'data-path': path, 'data-words': `${path} ${p.doc}`.toLowerCase(), title: tip })
    let now = value
    const mark = (): void => {
      const changed = !same(now, begin)
      row.classList.toggle('changed', changed)
      back.hidden = !changed || p.fixed === true || p.kind === 'string'
    }
    const set = (next: Json): void => {
      now = next
      this.touched()
      this.fluid.set(path, next).then(mark, (error: Error) => {
        note(error.message, 'error')
        void this.fluid.get(path).then((v) => { now = v; control.show(v); mark() }, () => undefined)
      })
    }
    const control = this.control(p, id, value, set)
    const back = h('button', { class: 'bare back', 'aria-label': `${p.name}: back to the default`, title: `back to ${Array.isArray(begin) ? begin.join(', ') : String(begin)}`, onclick: () => { set(begin); control.show(begin) } }, '↺')
    row.append(h('label', { for: id }, p.name.replaceAll('_', ' '), h('span', { class: 'unit' }, unit)), ...control.elements, back)
    if (p.fixed) row.classList.add('fixed')
    mark()
    box.append(row)
  }

  private control(p: Property, id: string, value: Json, set: (v: Json) => void): { elements: HTMLElement[]; show(v: Json): void } {
    const fixed = p.fixed === true
    if (p.kind === 'bool') {
      const box = h('input', { type: 'checkbox', id, checked: value === true, disabled: fixed, onchange: () => set(box.checked) })
      return { elements: [box], show: (v) => { box.checked = v === true } }
    }
    if (p.kind === 'enum') {
      const select = h('select', { id, disabled: fixed, onchange: () => set(select.value) }, (p.names ?? []).map((n) => h('option', { value: n, selected: n === value }, n.replaceAll('_', ' '))))
      return { elements: [select], show: (v) => { select.value = String(v) } }
    }
    if (p.kind === 'string') {
      const text = h('output', { id }, String(value))
      return { elements: [text], show: (v) => { text.value = String(v) } }
    }
    if (p.count > 1) return this.vector(p, id, value, set)
    return this.number(p, id, value, set)
  }

  private number(p: Property, id: string, value: Json, set: (v: Json) => void): { elements: HTMLElement[]; show(v: Json): void } {
    const whole = p.kind === 'int' || p.kind === 'int64', now = Number(value), fixed = p.fixed === true
    const bounded = (p.low ?? 0) !== 0 || (p.high ?? 0) !== 0
    const low = bounded ? p.low! : Math.min(-1, -10 * Math.abs(now)), high = bounded ? p.high! : Math.max(1, 10 * Math.abs(now))
    const way = scale(low, high, now, Number(initial(p)), whole)
    const show = (v: number): void => {
      slider.value = String(way.from(v))
      slider.setAttribute('aria-valuetext', `${short(v)} ${p.unit && p.unit !== '1' ? p.unit : ''}`.trim())
      field.value = short(v)
    }
    const slider = h('input', { type: 'range', id, min: '0', max: '1', step: '0.001', disabled: fixed, oninput: () => { const v = way.to(Number(slider.value)); show(v); set(v) } })
    const field = h('input', { type: 'number', step: 'any', disabled: fixed, 'aria-label': `${p.name} as a number`, onchange: () => {
      const v = Math.min(high, Math.max(low, Number(field.value)))
      if (field.value === '' || !Number.isFinite(v)) return show(Number(value))
      show(whole ? Math.round(v) : v)
      set(whole ? Math.round(v) : v)
    } })
    if (bounded) { field.min = String(low); field.max = String(high) }
    show(now)
    return { elements: [slider, field], show: (v) => show(Number(v)) }
  }

  private vector(p: Property, id: string, value: Json, set: (v: Json) => void): { elements: HTMLElement[]; show(v: Json): void } {
    const parts = Array.isArray(value) ? value.map(Number) : Array<number>(p.count).fill(Number(value))
    const fields = parts.map((v, i) => h('input', { type: 'number', step: 'any', id: i ? undefined : id, value: short(v), disabled: p.fixed === true, 'aria-label': `${p.name}, ${'xyzw'[i] ?? i}`, onchange: () => {
      const next = fields.map((f) => Number(f.value))
      if (next.every(Number.isFinite)) set(next)
    } }))
    return { elements: [h('span', { class: 'vector' }, fields)], show: (v) => { for (const [i, f] of fields.entries()) f.value = short(Number((v as Json[])[i] ?? 0)) } }
  }
}
