// main.ts: the page begins here: address, dock, keys, sheet, what is dropped.
import { prepareFluid } from 'gyre-fluid'
import { App, PAPER } from './app.ts'
import { at, h, icon, note, typing } from './dom.ts'
import type { SheetName } from './sheets.ts'

performance.mark('script')
// It comes in while the rest begins.
const query = new URLSearchParams(location.search)
if (location.hash !== `#${PAPER}`) prepareFluid({ worker: query.get('worker') === '0' ? false : 'auto' })

const transparent = query.has('transparent')
if (transparent) document.documentElement.classList.add('transparent')
const ratio = Number(query.get('ratio'))

const app = new App({
  transparent,
  full: query.has('full'),
  worker: query.get('worker') !== '0',
  paused: query.has('paused'),
  pixelRatio: ratio >= 0.1 && ratio <= 4 ? ratio : undefined,
})

// ---- the sheet ----
let open: SheetName | null = null
let opener: HTMLElement | null = null

async function show(name: SheetName | null, focus = true): Promise<void> {
  const sheet = at('sheet'), was = open
  open = name === open ? null : name
  for (const button of document.querySelectorAll<HTMLElement>('[data-sheet]')) button.setAttribute('aria-expanded', String(button.dataset.sheet === open))
  if (open) document.body.dataset.sheet = open
  else delete document.body.dataset.sheet
  if (!open) {
    sheet.hidden = true
    at('sheet-body').replaceChildren()
    if (was) (opener ?? app.stage.element).focus({ preventScroll: true })
    return
  }
  const now = open
  if (!was) opener = document.activeElement instanceof HTMLElement && document.activeElement !== document.body ? document.activeElement : null
  // Fetched when the first is wanted: nobody waits for them to see the fluid move.
  const { sheets } = await import('./sheets.ts')
  if (open !== now) return
  at('sheet-title').textContent = sheets[now].title
  sheet.className = `${sheets[now].wide ? 'wide' : ''} ${now === 'write' ? 'editor' : ''}`
  sheet.hidden = false
  at('sheet-body').replaceChildren(h('p', { class: 'dim' }, '…'))
  try {
    const content = await sheets[now].make(app)
    if (open !== now) return
    at('sheet-body').replaceChildren(content)
    at('sheet-body').scrollTop = 0
  } catch (error) {
    note((error as Error).message, 'error')
  }
  if (focus) at('sheet-title').focus({ preventScroll: true })
}

const again = (): void => {
  if (open !== 'hand' && open !== 'tune' && open !== 'share') return
  const name = open
  open = null
  void show(name, false)
}

// ---- the dock ----
interface Button { key: string; name: string; icon: string; run?: () => void; sheet?: SheetName; second?: boolean; id?: string }
const buttons: (Button | null)[] = [
  { key: 'g', name: 'Scenes', icon: 'scenes', sheet: 'scenes' },
  { key: ' ', name: 'Pause', icon: 'pause', id: 'pause', run: () => app.toggle() },
  { key: 'r', name: 'From the start', icon: 'restart', id: 'restart', run: () => void app.restart() },
  null,
  { key: 'h', name: 'Your hand', icon: 'hand', sheet: 'hand' },
  { key: 't', name: 'Tune', icon: 'tune', sheet: 'tune' },
  { key: 'i', name: 'A picture that flows', icon: 'picture', sheet: 'picture', second: true },
  { key: 'e', name: 'The scene as text', icon: 'write', sheet: 'write', second: true },
  null,
  { key: 'v', name: 'Record a video', icon: 'record', id: 'record', second: true, run: () => app.toggleRecording() },
  { key: 's', name: 'Share', icon: 'share', sheet: 'share' },
  { key: '?', name: 'Help', icon: 'help', sheet: 'help', second: true },
]

function dock(): void {
  const nav = at('dock')
  for (const b of buttons) {
    if (!b) {
      nav.append(h('span', { class: 'gap', 'aria-hidden': 'true' }))
      continue
    }
    nav.append(h('button', {
      id: b.id, class: b.second ? 'second' : undefined, 'aria-label': b.name, 'data-sheet': b.sheet, 'aria-expanded': b.sheet ? 'false' : undefined,
      'aria-controls': b.sheet ? 'sheet' : undefined, 'aria-keyshortcuts': b.key === ' ' ? 'Space' : b.key, onclick: () => (b.sheet ? void show(b.sheet) : b.run?.()),
    }, icon(b.icon), h('span', { class: 'name', 'aria-hidden': 'true' }, b.name)))
  }
  const more = h('button', { class: 'only-narrow', id: 'more', 'aria-label': 'More', 'aria-expanded': 'false', onclick: () => more.setAttribute('aria-expanded', String(nav.classList.toggle('more'))) }, icon('more'))
  nav.append(more)
}

app.changed = () => {
  const pause = at('pause'), { paused } = app
  pause.replaceChildren(icon(paused ? 'play' : 'pause'), h('span', { class: 'name', 'aria-hidden': 'true' }, paused ? 'Go on' : 'Pause'))
  pause.setAttribute('aria-label', paused ? 'Go on' : 'Pause')
  const record = at('record')
  record.classList.toggle('recording', app.recording !== null)
  record.setAttribute('aria-label', app.recording ? 'End the video' : 'Record a video')
  document.body.dataset.running = String(!paused)
  // Where it is on it says so, and can be switched off.
  at('camera-on').hidden = app.camera === null
}

// ---- keys ----
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && open && !(event.target as HTMLElement).closest?.('.cm-editor')) return void show(null)
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return
  if (event.key === ' ' && (event.target as HTMLElement).closest?.('button, summary, label')) return
  if (event.key === 'n') return void app.step()
  if (event.key === 'd') return void app.describe().then((text) => note(text), () => undefined)
  const b = buttons.find((x) => x?.key === event.key)
  if (!b) return
  event.preventDefault()
  if (b.sheet) void show(b.sheet)
  else b.run?.()
})
at('camera-on').addEventListener('click', () => app.camera?.close())
at('sheet-close').addEventListener('click', () => void show(null))

// ---- pictures and scenes that are let go or pasted ----
addEventListener('dragover', (event) => { event.preventDefault(); at('drop').hidden = false })
addEventListener('dragleave', (event) => { if (!event.relatedTarget) at('drop').hidden = true })
addEventListener('drop', (event) => {
  event.preventDefault()
  at('drop').hidden = true
  const file = event.dataTransfer?.files[0]
  if (file) void app.take(file)
})
addEventListener('paste', (event) => {
  if (typing(event.target)) return
  const file = event.clipboardData?.files[0]
  if (file) void app.take(file)
})

// ---- controls grow pale while the hand is in the fluid ----
let quiet: ReturnType<typeof setTimeout> | undefined
const wake = (): void => {
  document.body.classList.remove('calm')
  clearTimeout(quiet)
  quiet = setTimeout(() => document.body.classList.add('calm'), 3500)
}
for (const event of ['pointermove', 'keydown', 'focusin']) addEventListener(event, (e) => { if (!(e instanceof PointerEvent && e.buttons)) wake() })
at('stage').addEventListener('pointerdown', () => document.body.classList.add('calm'))

// ---- what runs ----
let moves = false
app.stage.on('stats', (s) => {
  const slow = s.speed > 0 && s.speed < 0.95 ? ` · ${s.speed.toFixed(2)} × real time` : ''
  at('rate').textContent = s.paused ? 'paused' : `${Math.round(s.fps)} a second${slow}`
  at('state').textContent = `step ${s.step} · ${s.time.toFixed(1)} s`
  document.body.dataset.step = String(s.step)
  if (!s.paused) document.body.classList.toggle('quick', s.fps > 50)
  if (Math.round(s.time) % 5 === 0) void app.describe().then((text) => { at('summary').textContent = text }, () => undefined)
})
app.stage.on('open', ({ piece }) => {
  document.body.dataset.scene = piece.id ?? piece.name
  void app.describe().then((text) => { at('summary').textContent = text }, () => undefined)
  again()
  app.invite()
})
app.stage.on('frame', (f) => {
  // Of the first picture that moved, for those who measure.
  if (f.step > 0 && !moves) {
    moves = true
    performance.mark('moves')
    document.body.classList.add('moves')
  }
  document.body.dataset.frame = String(f.step)
})

addEventListener('popstate', () => void app.openAddress())

// For the console: gyre.stage.fluid is the fluid, as gyre-fluid has it.
Object.assign(globalThis, { gyre: app })

dock()
app.hand.listen(at('stage'))
wake()
void app.openAddress().then(() => {
  app.changed()
  if (app.mark) note(`This link says what state step ${app.mark.step} comes to.`, 'note', { label: 'Check it', run: () => void show('share') })
})

if ('serviceWorker' in navigator && import.meta.env.PROD && !query.has('nosw')) {
  addEventListener('load', () => void navigator.serviceWorker.register('sw.js').then(
    (r) => navigator.serviceWorker.ready.then(() => { document.body.dataset.offline = r.active ? 'ready' : '' }),
    () => undefined))
}
