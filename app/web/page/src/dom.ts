// dom.ts: elements in a line, notes to the visitor, icons.
type Child = Node | string | null | undefined | false
type Props = Record<string, unknown>

/** An element: properties (`on...`: listeners; `class`, `aria-...`, `data-...`: attributes), children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: (Child | Child[])[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener)
    else if (key === 'class' || key === 'for' || key === 'role' || key === 'list' || key.includes('-')) element.setAttribute(key, value === true ? 'true' : String(value))
    else (element as unknown as Props)[key] = value
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) element.append(child)
  return element
}

export function at<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`no element ${id}`)
  return element as T
}

const paths: Record<string, string> = {
  scenes: 'M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.500v15l12-7.500z',
  restart: 'M5 12a7 7 0 1 0 2.200-5.100M5 4v4h4',
  hand: 'M12 3.500c3.200 4.300 5.500 7 5.500 10.200a5.500 5.500 0 0 1-11 0c0-3.200 2.300-5.900 5.500-10.200z',
  tune: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.800v4.400M9 14.800v4.400M4 12h0M20 12',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-2.500 4 3.500M15.500 9.500h.01',
  write: 'M8 6l-5 6 5 6M16 6l5 6-5 6',
  record: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
  share: 'M12 15V4M8 7.500L12 4l4 3.500M5 12v8h14v-8',
  help: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.800h.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
}

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', paths[name] ?? '')
  svg.append(path)
  return svg
}

/** A sentence for the visitor, seen and heard, in place of one `about` the same. An error stays until it is closed. */
export function note(text: string, kind: 'note' | 'error' = 'note', action?: { label: string; run: () => void }, about = text): void {
  const notes = at('notes')
  text = text.slice(0, 1).toUpperCase() + text.slice(1)
  for (const old of [...notes.children]) if ((old as HTMLElement).dataset.about === about) old.remove()
  while (notes.children.length > 2) notes.firstElementChild?.remove()
  const element = h('div', { class: `note ${kind}` }, h('p', {}, text))
  element.dataset.about = about
  if (action) element.append(h('button', { class: 'small', onclick: () => { element.remove(); action.run() } }, action.label))
  element.append(h('button', { class: 'bare', 'aria-label': 'Close this note', onclick: () => element.remove() }, '✕'))
  notes.append(element)
  if (kind === 'note') setTimeout(() => element.remove(), 7000)
}

export function clearErrors(): void {
  for (const element of [...at('notes').children]) if (element.classList.contains('error')) element.remove()
}

/** Hands the visitor a file. */
export function save(name: string, data: Blob | string, type = 'application/json'): void {
  const url = URL.createObjectURL(typeof data === 'string' ? new Blob([data], { type }) : data)
  const link = h('a', { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60000)
}

/** Whether keys are meant for what has the focus. */
export function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
