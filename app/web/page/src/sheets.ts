// sheets.ts: what stands in the sheet beside the fluid: scenes, hand, sliders, text, picture, share, help.
import type { Play } from 'gyre-fluid'
import type { App } from './app.ts'
import { PAPER } from './app.ts'
import { h, note, save } from './dom.ts'
import { gallery } from './gallery.ts'
import { plays, swatches } from './hand.ts'
import { Panel } from './panel.ts'
import type { Camera } from './picture.ts'
import { place, type Schema } from './complete.ts'

export type SheetName = 'scenes' | 'hand' | 'tune' | 'write' | 'picture' | 'share' | 'help'

export const sheets: Record<SheetName, { title: string; wide?: boolean; make: (app: App) => HTMLElement | Promise<HTMLElement> }> = {
  scenes: { title: 'Scenes', wide: true, make: scenes },
  hand: { title: 'Your hand', make: hand },
  tune: { title: 'Tune', make: tune },
  write: { title: 'The scene as text', make: write },
  picture: { title: 'A picture that flows', make: picture },
  share: { title: 'Share and keep', make: share },
  help: { title: 'gyre', make: help },
}

function scenes(app: App): HTMLElement {
  const specials = [{ id: PAPER, title: 'For phones of 2003', doc: 'The paper’s own solver in whole numbers, 160 by 160 cells', thumb: 'thumb/paper.webp' }]
  const element = gallery(app.current, specials, (id) => {
    for (const card of element.querySelectorAll('.card')) card.toggleAttribute('aria-current', card.getAttribute('data-id') === id)
    void app.openShelf(id)
  })
  return element
}

function hand(app: App): HTMLElement {
  const its = app.hand
  const choose = h('div', { class: 'choices', role: 'radiogroup', 'aria-label': 'What a press does' }, plays.map(([what, title, doc]) =>
    h('label', {}, h('input', { type: 'radio', name: 'what', value: what, checked: its.what === what, onchange: () => { its.what = what as Play; its.attach() } }), title, h('small', {}, doc))))
  const colours = h('div', { class: 'swatches' })
  const paint = (): void => {
    colours.replaceChildren(
      h('button', { class: 'all', 'aria-label': 'another colour for each stroke', title: 'another colour for each stroke', 'aria-pressed': String(its.colour === null), onclick: () => { its.colour = null; paint() } }),
      ...swatches.map((c) => {
        const b = h('button', { 'aria-label': `colour ${c}`, 'aria-pressed': String(its.colour === c), onclick: () => { its.colour = c; paint() } })
        b.style.background = c
        return b
      }))
  }
  paint()
  const domain = app.stage.fluid?.info.models[0]
  const width = domain ? domain.n[0] * domain.h : 1
  const size = h('input', { type: 'range', min: '0', max: '0.3', step: '0.005', value: String(its.radius / width), oninput: () => { its.radius = Number(size.value) * width; its.brush() } })
  const strength = h('input', { type: 'range', min: '0.1', max: '4', step: '0.1', value: String(its.strength), oninput: () => { its.strength = Number(strength.value); its.brush() } })
  return h('div', {},
    choose,
    h('h3', {}, 'Colour'), colours, h('p', { class: 'dim' }, 'Of dyes, where the scene has some that can be coloured.'),
    h('h3', {}, 'Brush'),
    h('label', { class: 'wide-label' }, 'Size (far left: the scene’s own)', size),
    h('label', { class: 'wide-label' }, 'Strength', strength),
    h('div', { class: 'row' },
      h('button', { class: 'small', onclick: () => app.stage.fluid?.zoom(1.25) }, 'Nearer'),
      h('button', { class: 'small', onclick: () => app.stage.fluid?.zoom(0.8) }, 'Farther')))
}

function tune(app: App): HTMLElement {
  const { fluid } = app.stage
  if (!fluid || app.paper) return h('p', { class: 'dim' }, 'This fluid has no sliders: choose a scene that has.')
  return new Panel(fluid, () => { app.stage.touched = true }).element
}

let schema: Schema | null = null

async function loadSchema(): Promise<Schema | null> {
  if (schema) return schema
  try {
    const { schemaText } = await import('./schema.ts')
    schema = JSON.parse(await schemaText()) as Schema
  } catch (error) {
    note(`Without completion: ${(error as Error).message}`)
  }
  return schema
}

async function write(app: App): Promise<HTMLElement> {
  const { fluid, piece } = app.stage
  if (!fluid || !piece || app.paper) return h('p', { class: 'dim' }, 'This fluid has no scene file: choose a scene that has.')
  const [{ editor }, its] = await Promise.all([import('./editor.ts'), loadSchema()])
  const mistake = h('p', { class: 'mistake', role: 'alert' })
  const run = async (): Promise<void> => {
    mistake.textContent = ''
    pane.mistake(null)
    try {
      await app.stage.open({ name: piece.name, text: pane.text(), files: piece.files, own: false }, true)
      note('It runs.')
    } catch (error) {
      const { message } = error as Error, found = place(message)
      pane.mistake(message)
      mistake.textContent = found ? `Line ${found.line}, column ${found.column}: ${found.what}` : message
    }
  }
  const pane = editor(piece.text, its, () => void run())
  return h('div', { class: 'editor-pane' },
    h('div', { class: 'row' },
      h('button', { class: 'small strong', id: 'run', onclick: () => void run() }, 'Run it'),
      h('button', { class: 'small', onclick: () => void fluid.sceneFile().then(pane.set, (e: Error) => note(e.message, 'error')) }, 'Present settings'),
      h('span', { class: 'dim' }, 'Ctrl+Space completes, Ctrl+Enter runs')),
    mistake, h('div', { class: 'editor-text' }, pane.element))
}

/** Seconds in which a live picture goes back to what the camera sees, as last chosen. */
let back = 6

// What the camera sees, and what may be done with it.
function cameraBox(app: App, camera: Camera, again: () => void): HTMLElement {
  const say = h('output', { id: 'back-says' }, `${back} s`)
  const slider = h('input', { type: 'range', min: '1', max: '20', step: '1', value: String(back), id: 'back', 'aria-valuetext': `${back} seconds`, oninput: () => {
    back = Number(slider.value)
    say.value = `${back} s`
    slider.setAttribute('aria-valuetext', `${back} seconds`)
    if (camera.live) void app.stage.fluid?.set('gas.texture.period', back).catch((e: Error) => note(e.message, 'error'))
  } })
  const buttons = [
    h('button', { class: 'small strong', id: 'live', onclick: () => only(() => app.flowLive(back)) }, 'Let it flow'),
    h('button', { class: 'small', id: 'still', onclick: () => only(() => app.flow(camera.video, camera.mirror)) }, 'A still of it'),
    h('button', { class: 'small', id: 'camera-close', onclick: () => camera.close() }, 'Close the camera'),
  ]
  const only = (run: () => Promise<unknown>): void => {
    for (const b of buttons) b.disabled = true
    void run().finally(() => { for (const b of buttons) b.disabled = false })
  }
  const box = h('div', { class: 'camera' }, camera.video, h('div', { class: 'row' }, buttons),
    h('label', { class: 'wide-label' }, h('span', {}, 'It flows back to what the camera sees in about ', say), slider))
  // No camera goes on where neither it nor what it sees is to be seen.
  const gone = new MutationObserver(() => {
    if (box.isConnected) return
    gone.disconnect()
    if (!camera.live) camera.close()
  })
  gone.observe(document.body, { childList: true, subtree: true })
  const closed = camera.closed
  camera.closed = () => { closed(); gone.disconnect(); box.remove(); again() }
  return box
}

function picture(app: App): HTMLElement {
  const room = h('div', {})
  const file = h('input', { type: 'file', accept: 'image/*', id: 'photo', class: 'only-heard', onchange: () => { const f = file.files?.[0]; if (f) void app.take(f) } })
  const open = h('button', { class: 'small', onclick: async () => { open.disabled = true; show(await app.openCamera()) } }, 'Camera')
  const show = (camera: Camera | null): void => {
    open.disabled = camera !== null
    room.replaceChildren(...(camera ? [cameraBox(app, camera, () => { open.disabled = false })] : []))
    // Taken out of the page it stops.
    void camera?.video.play().catch(() => undefined)
  }
  show(app.camera)
  return h('div', {},
    h('p', {}, 'Your photograph, or what your camera sees, becomes liquid: draw in it. It stays on this machine.'),
    h('div', { class: 'row' },
      h('label', { class: 'small strong', for: 'photo' }, 'Choose a picture'), file,
      open,
      h('button', { class: 'small', onclick: () => void app.openShelf('marbling') }, 'Marbled paper')),
    room,
    h('p', { class: 'dim' }, 'A picture can also be let go over the fluid, or pasted.'))
}

function share(app: App): HTMLElement {
  const hash = h('output', { class: 'hash', id: 'hash' }), where = h('input', { type: 'text', readOnly: true, id: 'address', 'aria-label': 'The address of this scene' })
  const wanted = h('input', { type: 'number', min: '1', max: '100000', value: String(app.mark?.step ?? 60), 'aria-label': 'Step', id: 'step' })
  const show = async (): Promise<void> => {
    if (app.paper) return void (hash.value = `step ${app.paper.steps} · ${app.paper.hash} (32 bits)`)
    const mark = await app.stage.mark().catch(() => null)
    if (mark) {
      hash.value = `step ${mark.step} · ${mark.hash}`
      hash.dataset.step = String(mark.step)
      hash.dataset.hash = mark.hash
    }
  }
  const count = async (): Promise<void> => {
    const step = Math.min(100000, Math.max(1, Math.round(Number(wanted.value) || 1)))
    button.disabled = true
    hash.value = `going to step ${step} …`
    try {
      const found = await app.stage.hashAt(step)
      hash.value = `step ${step} · ${found}`
      hash.dataset.step = String(step)
      hash.dataset.hash = found
      if (app.mark?.step === step) note(found === app.mark.hash ? `Step ${step}: the same to the last bit as where the link was made.` : `Step ${step}: ${found}, where the link was made ${app.mark.hash}. Another version of gyre, or another scene.`, found === app.mark.hash ? 'note' : 'error')
    } catch (error) {
      note((error as Error).message, 'error')
    }
    button.disabled = false
    app.changed()
  }
  const button = h('button', { class: 'small', id: 'count', onclick: () => void count() }, app.mark ? 'Check it' : 'From the start')
  const link = async (): Promise<void> => {
    try {
      where.value = await app.link()
      where.hidden = false
      where.select()
      await navigator.clipboard.writeText(where.value)
      note('The address is on the clipboard.')
    } catch (error) {
      note(where.value ? 'The address stands below: copy it.' : (error as Error).message, where.value ? 'note' : 'error')
    }
  }
  const text = async (get: () => Promise<string> | undefined, done: (t: string) => unknown): Promise<void> => {
    try {
      const t = await get()
      if (t) await done(t)
    } catch (error) {
      note((error as Error).message, 'error')
    }
  }
  where.hidden = true
  void show()
  const { fluid } = app.stage
  const scene = !app.paper && fluid
  return h('div', {},
    h('h3', {}, 'Address'),
    h('div', { class: 'row' }, h('button', { class: 'small strong', id: 'link', onclick: () => void link() }, 'Copy the address')),
    where,
    Object.keys(app.stage.piece?.files ?? {}).length ? h('p', { class: 'dim' }, 'Your picture does not go along: it stays on this machine.') : null,
    scene ? h('div', {},
      h('h3', {}, 'Scene file'),
      h('p', { class: 'dim' }, 'What gyre run plays to the same bits, on any machine.'),
      h('div', { class: 'row' },
        h('button', { class: 'small', id: 'copy-scene', onclick: () => void text(() => fluid.sceneFile(), (t) => navigator.clipboard.writeText(t).then(() => note('The scene file is on the clipboard.'))) }, 'Copy as scene file'),
        h('button', { class: 'small', onclick: () => void app.saveScene() }, 'Save it'),
        h('button', { class: 'small', onclick: () => void text(() => fluid.replay(), (t) => save(`${app.name}.replay.json`, t)) }, 'Save your strokes'))) : null,
    h('h3', {}, 'Picture and video'),
    h('div', { class: 'row' },
      scene ? h('button', { class: 'small', onclick: () => void fluid.picture().then((b) => save(`gyre_${app.name}.png`, b), (e: Error) => note(e.message, 'error')) }, 'Save a picture') : null,
      h('button', { class: 'small', onclick: () => app.toggleRecording() }, 'Record a video')),
    h('h3', {}, 'State'),
    h('p', {}, hash),
    scene ? h('div', { class: 'row' }, wanted, button) : null,
    h('p', { class: 'dim' }, scene ? (app.stage.touched ? 'With what you have put in: Save your strokes keeps that, and gyre run --replay plays it to this state.' : `gyre run ${app.name}.json comes to the same sixteen digits after as many steps.`) : 'The same digits on every machine, after as many steps.'))
}

function help(_app: App): HTMLElement {
  const keys: [string, string][] = [
    ['arrows', 'move a ring over the fluid, when it has the focus'], ['Enter, x', 'pour, push at the ring'],
    ['space, n', 'pause, one step'], ['r', 'from the start'], ['g h t e i', 'scenes, hand, tune, text, picture'], ['s, v', 'share, record'],
    ['d', 'say what is seen'], ['Esc', 'close'],
  ]
  return h('div', {},
    h('p', {}, 'A fluid in your browser: put your hand in. One finger pours and pushes, several do so at once; the right button pushes; Ctrl and the wheel go nearer.'),
    h('h3', {}, 'Keys'), h('dl', { class: 'keys' }, keys.flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)])),
    h('h3', {}, 'What it is'),
    h('p', {}, 'gyre is a fluid library in C17, here compiled to WebAssembly: the same smoke, fire and water, to the same bits, as on any other machine. It works without a network once it was loaded, and sends nothing anywhere.'))
}
