// app.ts: what the page does, whatever asks for it: opens scenes, pauses, shares, records.
import { shelf } from 'virtual:shelf'
import { at, clearErrors, h, note, save } from './dom.ts'
import { Hand } from './hand.ts'
import { decode, encode, plain } from './link.ts'
import { Paper } from './paper.ts'
import { fetchPiece, fitted, limits, type Piece, Stage, type StageOptions } from './stage.ts'
import { type Recording, record } from './record.ts'
import { Camera, flowing } from './picture.ts'

export const PAPER = 'paper'
export const first = 'dye'

/** What is changed of the scene of marbled paper. */
interface Marbling {
  title: string
  doc: string
  models: { gas: { grid: { n: [number, number, number] }; texture: { phases: number; period?: number } } }
  start: Record<string, string>
  view: { texture: string }
}

export class App {
  readonly stage: Stage
  readonly hand: Hand
  paper: Paper | null = null
  recording: Recording | null = null
  camera: Camera | null = null
  /** A mark that came with a link, to be checked. */
  mark: { step: number; hash: string } | null = null
  /** Told when what the controls show has changed. */
  changed: () => void = () => undefined
  private asked = false
  private slowTold = ''

  constructor(options: StageOptions) {
    this.stage = new Stage(at('stage'), options)
    this.hand = new Hand(this.stage)
    this.stage.on('open', ({ info, piece }) => {
      clearErrors()
      this.slowTold = ''
      // A still of its own keeps it.
      if (this.camera?.live && piece.name !== 'camera') this.camera.close()
      else if (this.camera) this.camera.live = false
      this.hand.attach()
      this.hand.brush()
      this.title(info.title || piece.name, info.doc)
      for (const warning of info.warnings) note(warning)
      if (info.coarser > 1) note(`This machine is slow for this scene: it runs on cells ${Number(info.coarser.toFixed(2))} times as wide.`, 'note', { label: 'As it is', run: () => void this.openPiece(piece, true) })
      if (info.still) note('Your system asks for less motion: this is a still picture.', 'note', { label: 'Let it move', run: () => this.resume() })
      this.changed()
    })
    this.stage.on('slow', (slow) => {
      // Of how slow it is the status line tells; a note says it once a scene.
      if (slow.what === 'grid' || this.slowTold === slow.what) return
      this.slowTold = slow.what
      note(`${slow.message}.`, 'note', undefined, `slow ${slow.what}`)
    })
    this.stage.on('lost', () => note('The graphics were lost; the fluid is kept and will be drawn again.'))
    this.stage.on('restored', () => note('The graphics are back.'))
    this.stage.on('error', (error) => note(error.message, 'error'))
    this.stage.on('running', () => this.changed())
  }

  get current(): string { return this.paper ? PAPER : (this.stage.piece?.id ?? '') }
  get name(): string { return this.paper ? PAPER : (this.stage.piece?.name ?? 'scene') }
  get paused(): boolean { return this.paper ? !this.paper.running : !(this.stage.fluid?.running ?? false) }

  private title(title: string, doc: string): void {
    at('title').textContent = title
    at('title').title = doc
    document.title = `${title} · gyre`
    this.stage.element.setAttribute('aria-label', `${title}. ${doc}`)
  }

  /** What the address asks for; the first scene where it asks for nothing. */
  async openAddress(): Promise<void> {
    const fragment = location.hash.slice(1)
    try {
      const linked = await decode(fragment)
      if (linked) {
        const opened = await this.openPiece({ name: linked.name, text: linked.text, files: {}, own: false }, true, false)
        if (opened && linked.mark) this.mark = linked.mark
        if (!opened) await this.openInstead()
        return
      }
      if (fragment === PAPER) return await this.openPaper()
      if (fragment && !shelf.some((s) => s.id === fragment)) throw new Error(`the address asks for a scene '${fragment.slice(0, 40)}' that is not on the shelf`)
    } catch (error) {
      note(`${(error as Error).message}. Here is another scene.`, 'error')
      return await this.openInstead()
    }
    await this.openShelf(fragment || first, false)
  }

  /** Something to look at in place of what cannot be had, and what was said of that. */
  private async openInstead(): Promise<void> {
    if (this.stage.fluid || at('invite').className === 'wall') return
    const kept = [...at('notes').children]
    await this.openShelf(first, false)
    at('notes').append(...kept)
  }

  async openShelf(id: string, address = true): Promise<void> {
    if (id === PAPER) return this.openPaper()
    try {
      await this.openPiece(await fetchPiece(id), false, address)
    } catch (error) {
      note((error as Error).message, 'error')
    }
  }

  /** Whether it was opened; else the visitor was told. */
  async openPiece(piece: Piece, exact = false, address = true): Promise<boolean> {
    this.mark = null
    document.body.dataset.state = 'opening'
    try {
      await this.stage.open(piece, exact)
      this.closePaper()
      document.body.dataset.state = 'open'
      if (address) history.pushState(null, '', piece.id && piece.own ? `#${piece.id}` : location.pathname + location.search)
      return true
    } catch (error) {
      document.body.dataset.state = this.stage.fluid ? 'open' : 'failed'
      this.failed(error as Error)
      return false
    }
  }

  private failed(error: Error): void {
    const code = (error as { code?: string }).code
    if (this.stage.fluid || (code !== 'unsupported' && !/WebGL|WebAssembly/.test(error.message))) return note(error.message, 'error')
    const wall = at('invite')
    wall.className = 'wall'
    wall.replaceChildren(
      h('h2', {}, 'This browser cannot show gyre’s fluids'),
      h('p', {}, error.message),
      h('p', { class: 'dim' }, 'The paper’s own fluid of 2003, in whole numbers, needs neither WebGL nor vectors:'),
      h('div', { class: 'row' }, h('button', { class: 'small strong', onclick: () => { wall.hidden = true; void this.openPaper() } }, 'Show me that')))
    wall.hidden = false
  }

  // ---- the paper's fluid, in whole numbers ----
  async openPaper(): Promise<void> {
    if (this.paper) return
    try {
      this.paper = await Paper.open()
    } catch (error) {
      return note(`The paper's fluid could not be loaded: ${(error as Error).message}`, 'error')
    }
    this.camera?.close()
    this.stage.fluid?.pause()
    this.stage.element.style.visibility = 'hidden'
    at('stage').append(this.paper.canvas)
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) { for (let i = 0; i < 90; i++) this.paper.step(); this.paper.running = false }
    at('invite').hidden = true
    document.body.dataset.state = 'open'
    this.title('The paper’s fluid, for phones of 2003', 'The hundred-line solver in whole numbers, 16.16 bits, 160 by 160 cells.')
    if (location.hash !== `#${PAPER}`) history.pushState(null, '', `#${PAPER}`)
    this.changed()
  }

  private closePaper(): void {
    if (!this.paper) return
    this.paper.destroy()
    this.paper = null
    this.stage.element.style.visibility = ''
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches && !this.stage.options.paused) this.stage.fluid?.resume()
  }

  // ---- time ----
  resume(): void {
    if (this.paper) this.paper.running = true
    else this.stage.fluid?.resume()
    this.changed()
  }

  toggle(): void {
    if (this.paused) return this.resume()
    if (this.paper) this.paper.running = false
    else this.stage.fluid?.pause()
    this.changed()
  }

  async step(): Promise<void> {
    if (this.paper) {
      this.paper.running = false
      this.paper.step()
    } else {
      this.stage.fluid?.pause()
      await this.stage.fluid?.step()
    }
    this.changed()
  }

  async restart(): Promise<void> {
    if (this.paper) this.paper.restart()
    else await this.stage.restart(true).catch((error: Error) => note(error.message, 'error'))
  }

  // ---- out of the page ----
  toggleRecording(): void {
    if (this.recording) return this.recording.stop()
    const canvas = this.paper?.canvas ?? this.stage.element
    this.recording = record(canvas, `gyre_${this.name}`, () => { this.recording = null; this.changed() })
    this.changed()
  }

  /** The address of the scene as it is set now, with a state to hold it against where nothing was poured. */
  async link(): Promise<string> {
    if (this.paper) return new URL(`#${PAPER}`, location.href).href
    const fluid = this.stage.fluid
    if (!fluid) throw new Error('no fluid is open')
    const mark = this.stage.touched ? null : await this.stage.mark()
    const text = await fluid.sceneFile()
    const fragment = await encode({ text, name: this.name, ...(mark && mark.step > 0 ? { mark } : {}) })
    return new URL(`#${fragment}`, location.href).href
  }

  async saveScene(): Promise<void> {
    const text = await this.stage.fluid?.sceneFile()
    if (text) save(`${this.name}.json`, text)
    for (const [name, blob] of Object.entries(this.stage.piece?.files ?? {})) save(name, blob)
  }

  // ---- what is let go on the page, or chosen ----
  async take(file: Blob & { name?: string }): Promise<void> {
    const name = file.name ?? ''
    if (name.endsWith('.json') || file.type === 'application/json') {
      if (file.size > (limits(false).text ?? 0)) return note('This scene file is too long.', 'error')
      await this.openPiece({ name: plain(name.replace(/\.json$/, '')), text: await file.text(), files: {}, own: false }, true)
    } else if (file.type.startsWith('image/')) {
      await this.flow(file)
    } else {
      note(`${name || 'This'} is neither a picture nor a scene.`, 'error')
    }
  }

  /**
   * A picture that flows: the scene of marbled paper with it. `seconds`: it goes back to what was
   * handed over in about so many; 0: never.
   */
  async flow(source: Blob | HTMLVideoElement, mirror = false, seconds = 0): Promise<boolean> {
    try {
      const shelved = await fetchPiece('marbling')
      const box = at('stage').getBoundingClientRect()
      const scene = JSON.parse(fitted(shelved.text, box.width, box.height)) as Marbling
      const { gas } = scene.models, [nx, ny] = gas.grid.n
      const picture = await flowing(source, nx / ny, mirror)
      const what = source instanceof Blob ? 'picture' : 'camera'
      scene.title = `Your ${what}, liquid`
      scene.doc = `${what === 'picture' ? 'A picture of yours' : 'What your camera sees'}, carried by the flow. It has not left this machine.`
      scene.view.texture = 'picture.png'
      if (seconds > 0) {
        gas.texture = { phases: 2, period: seconds }
        // It begins calmly, that one sees who is there.
        for (const [field, formula] of Object.entries(scene.start)) scene.start[field] = `0.2 * (${formula})`
      }
      const text = JSON.stringify(scene, null, 2)
      return await this.openPiece({ name: what, text, files: { 'picture.png': picture }, own: true }, true)
    } catch (error) {
      note((error as Error).message, 'error')
      return false
    }
  }

  /** Asks for the camera and keeps it until it is closed. */
  async openCamera(): Promise<Camera | null> {
    if (this.camera) return this.camera
    const camera = await Camera.open()
    if (!camera) return null
    camera.closed = () => { this.camera = null; this.changed() }
    this.camera = camera
    this.changed()
    return camera
  }

  /** What the camera sees flows, picture by picture, until another scene is opened; then the camera goes off. */
  async flowLive(seconds: number): Promise<void> {
    const { camera } = this
    if (!camera || !(await this.flow(camera.video, camera.mirror, seconds)) || !this.stage.fluid) return
    const { piece } = this.stage
    camera.flow(this.stage.fluid, () => this.stage.piece === piece && !this.paper)
    this.changed()
  }

  /** What a screen reader says of the fluid. */
  async describe(): Promise<string> {
    if (this.paper) return `${document.title}. ${this.paper.running ? 'It moves' : 'It stands still'}; step ${this.paper.steps}.`
    const fluid = this.stage.fluid
    if (!fluid) return 'Nothing is open.'
    const { info } = fluid, stats = await fluid.stats()
    const models = info.models.map((m) => `${m.type}, ${m.n.slice(0, m.dim).join(' by ')} cells, ${m.n.slice(0, m.dim).map((n) => Number((n * m.h).toPrecision(2))).join(' by ')} metres`)
    const speeds = info.models.map((m) => stats.models[m.name]?.max_speed).filter((v): v is number => typeof v === 'number')
    return `${info.title || 'A scene'}. ${info.doc} ${models.join('; ')}. ${fluid.running ? 'It moves' : 'It stands still'}, ${stats.time.toFixed(1)} seconds after the start${speeds.length ? `, at most ${Math.max(...speeds).toPrecision(2)} metres a second fast` : ''}.`
  }

  /** Once: a word to who has just come. */
  invite(): void {
    if (this.asked) return
    this.asked = true
    const hint = at('invite')
    hint.className = 'hint'
    hint.textContent = matchMedia('(pointer: coarse)').matches ? 'touch it' : 'draw in it'
    hint.hidden = false
    const gone = (): void => { hint.classList.add('gone'); setTimeout(() => { if (hint.className.includes('hint')) hint.hidden = true }, 1200) }
    at('stage').addEventListener('pointerdown', gone, { once: true })
    setTimeout(gone, 8000)
  }
}
