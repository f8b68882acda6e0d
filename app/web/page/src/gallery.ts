// gallery.ts: the scenes on the shelf, by group, with their pictures.
import { shelf } from 'virtual:shelf'
import { h } from './dom.ts'

const order = ['Put your hand in', 'Dye and smoke', 'Pictures that flow', 'Smoke in the round', 'Fire', 'Water', 'Seas']

const rank = (group: string): number => (order.indexOf(group) + order.length + 1) % (order.length + 1)

export interface Special { id: string; title: string; doc: string; thumb: string }

function card(id: string, title: string, doc: string, thumb: string, now: boolean, open: (id: string) => void): HTMLElement {
  return h('li', {},
    h('button', { class: 'card', 'data-id': id, 'aria-current': now ? 'true' : undefined, title: doc, onclick: () => open(id) },
      thumb ? h('img', { src: thumb, alt: '', loading: 'lazy', width: 320, height: 200 }) : h('span', { class: 'no-picture' }),
      h('span', { class: 'card-title' }, title)))
}

/** `specials`: what the page has beside scenes. */
export function gallery(current: string, specials: Special[], open: (id: string) => void): HTMLElement {
  const groups = new Map<string, HTMLElement[]>()
  const add = (group: string, element: HTMLElement): void => void (groups.get(group) ?? groups.set(group, []).get(group)!).push(element)
  for (const s of [...shelf].sort((a, b) => Number(b.fit) - Number(a.fit) || a.title.localeCompare(b.title))) {
    add(s.group, card(s.id, s.title, s.doc, s.thumb, s.id === current, open))
  }
  for (const s of specials) add(order[0]!, card(s.id, s.title, s.doc, s.thumb, s.id === current, open))
  const sorted = [...groups].sort((a, b) => rank(a[0]) - rank(b[0]) || a[0].localeCompare(b[0]))
  const found = h('p', { class: 'dim', role: 'status' })
  const body = h('div', {}, sorted.map(([group, cards]) =>
    h('section', { class: 'shelf' }, h('h3', {}, group), h('ul', { class: 'cards' }, cards))))
  const search = h('input', { type: 'search', placeholder: 'Find a scene', 'aria-label': 'Find a scene', oninput: () => {
    const word = search.value.toLowerCase()
    let count = 0
    for (const section of body.querySelectorAll<HTMLElement>('.shelf')) {
      let seen = 0
      for (const li of section.querySelectorAll('li')) {
        const button = li.querySelector('button')!
        li.hidden = !`${button.textContent} ${button.title} ${section.querySelector('h3')?.textContent}`.toLowerCase().includes(word)
        seen += li.hidden ? 0 : 1
      }
      section.hidden = seen === 0
      count += seen
    }
    found.textContent = word ? `${count} found` : ''
  } })
  return h('div', { class: 'gallery' }, search, found, body)
}
