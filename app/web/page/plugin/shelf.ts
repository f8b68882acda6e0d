// plugin/shelf.ts: what stands on the shelf: every scene of the folders scene/ (the project's and the
// page's own), its picture made small, and the files that it names. Read when the page is built, so
// that a new scene or model is there by itself. Also the service worker with its list of files.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import type { Plugin } from 'vite'

const page = resolve(import.meta.dirname, '..')
const root = resolve(page, '../../..')
const folders = [join(page, 'scene'), join(root, 'scene')]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Obj = { [key: string]: Json }

/** A scene of the gallery. */
export interface Shelved {
  id: string
  title: string
  doc: string
  group: string
  /** Cells of all its models. */
  cells: number
  /** Files that it names, which lie beside it. */
  files: string[]
  thumb: string
  /** Of the page's own: its grid takes the canvas's shape. */
  fit: boolean
}

function strings(value: Json, out: string[] = []): string[] {
  if (typeof value === 'string') out.push(value)
  else if (value && typeof value === 'object') for (const v of Object.values(value)) strings(v as Json, out)
  return out
}

const has = (value: Json | undefined, key: string): boolean =>
  !!value && typeof value === 'object' && !Array.isArray(value) && value[key] !== undefined

// Where a scene stands. A model that is not known here gets a group by its own name.
function groupOf(scene: Obj, own: boolean): string {
  if (own) return 'Put your hand in'
  const models = Object.entries((scene.models ?? {}) as Obj) as [string, Obj][]
  const types = models.map(([name, m]) => (typeof m.type === 'string' ? m.type : name))
  if (types.includes('ocean')) return 'Seas'
  if (types.includes('water')) return 'Water'
  if (has(scene.view, 'texture')) return 'Pictures that flow'
  if (models.some(([, m]) => has(m, 'fire'))) return 'Fire'
  if (types.includes('gas')) {
    const flat = models.every(([, m]) => ((m.grid as Obj | undefined)?.dim ?? 3) === 2)
    return flat ? 'Dye and smoke' : 'Smoke in the round'
  }
  if (types.includes('classic')) return 'Put your hand in'
  const name = types[0] ?? 'other'
  return name[0]!.toUpperCase() + name.slice(1)
}

function cellsOf(scene: Obj): number {
  let cells = 0
  for (const m of Object.values((scene.models ?? {}) as Obj) as Obj[]) {
    const n = (m.grid as Obj | undefined)?.n
    cells += Array.isArray(n) ? n.reduce<number>((a, b) => a * Number(b), 1) : 0
  }
  return cells
}

function pictureOf(id: string): string | null {
  for (const path of [join(page, 'scene', `${id}.png`), join(root, 'doc', `${id}.png`)]) {
    if (existsSync(path)) return path
  }
  return null
}

// A picture made small; kept by its bytes, for they seldom change.
async function thumb(path: string): Promise<Uint8Array> {
  const bytes = readFileSync(path)
  const folder = join(page, 'node_modules', '.cache', 'thumb')
  const kept = join(folder, `${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}.webp`)
  if (existsSync(kept)) return readFileSync(kept)
  const small = await sharp(bytes).resize(320, 200, { fit: 'cover' }).webp({ quality: 68, effort: 2 }).toBuffer()
  mkdirSync(folder, { recursive: true })
  writeFileSync(kept, small)
  return small
}

/** All scenes, and what makes the bytes of each file that the page serves of them. */
export function readShelf(): { shelf: Shelved[]; files: Map<string, () => Promise<Uint8Array>> } {
  const shelf: Shelved[] = []
  const files = new Map<string, () => Promise<Uint8Array>>()
  for (const [at, folder] of folders.entries()) {
    if (!existsSync(folder)) continue
    const names = readdirSync(folder).sort()
    for (const name of names) {
      if (!name.endsWith('.json')) continue
      const path = join(folder, name), id = name.slice(0, -5)
      const scene = JSON.parse(readFileSync(path, 'utf8')) as Obj
      const named = [...new Set(strings(scene).map((s) => s.split('#')[0]!))]
      const beside = named.filter((s) => folders.some((f) => !s.includes('/') && existsSync(join(f, s))))
      const picture = pictureOf(id)
      shelf.push({
        id, title: String(scene.title ?? id), doc: String(scene.doc ?? ''), group: groupOf(scene, at === 0),
        cells: cellsOf(scene), files: beside, thumb: picture ? `thumb/${id}.webp` : '', fit: at === 0,
      })
      files.set(`scene/${name}`, async () => readFileSync(path))
      for (const s of beside) {
        const from = folders.map((f) => join(f, s)).find((f) => existsSync(f))!
        files.set(`scene/${s}`, async () => readFileSync(from))
      }
      if (picture) {
        files.set(`thumb/${id}.webp`, () => thumb(picture))
      }
    }
  }
  files.set('thumb/paper.webp', () => thumb(join(page, 'scene', 'paper.png')))
  files.set('paper.wasm', async () => paperModule())
  return { shelf, files }
}

// The paper's solver in whole numbers: native/paper.c.
function paperModule(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'gyre-paper-'))
  try {
    const out = join(folder, 'paper.wasm')
    execFileSync(join(page, 'native', 'build'), [out], { stdio: 'inherit' })
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const ID = 'virtual:shelf'

/** The list as a module, `virtual:shelf`, and its files. */
export function shelf(): Plugin {
  const { shelf, files } = readShelf()
  return {
    name: 'gyre-shelf',
    resolveId: (id) => (id === ID ? '\0' + ID : null),
    load: (id) => (id === '\0' + ID ? `export const shelf = ${JSON.stringify(shelf)}` : null),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const make = files.get(decodeURIComponent((request.url ?? '').split('?')[0]!.slice(1)))
        if (!make) return next()
        make().then((bytes) => {
          if (request.url!.endsWith('.wasm')) response.setHeader('Content-Type', 'application/wasm')
          if (/\.m?js$/.test(request.url!)) response.setHeader('Content-Type', 'text/javascript')
          response.end(bytes)
        }, next)
      })
    },
    async buildStart() {
      if (this.meta.watchMode) return
      for (const [fileName, make] of files) {
        this.emitFile({ type: 'asset', fileName, source: await make() })
      }
    },
  }
}

/** The service worker: every file of the page, and a version that is their hash. */
export function worker(): Plugin {
  return {
    name: 'gyre-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const names = Object.keys(bundle).filter((n) => !n.endsWith('.map')).sort()
        for (const name of readdirSync(join(page, 'public'))) names.push(name)
        const hash = createHash('sha256')
        for (const name of names) {
          const file = bundle[name]
          hash.update(name)
          hash.update(!file ? readFileSync(join(page, 'public', name)) : file.type === 'chunk' ? file.code : file.source)
        }
        const text = readFileSync(join(page, 'src', 'sw.js'), 'utf8')
        const source = text
          .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 12)))
          .replace('/* FILES */', ['./', ...names.filter((n) => n !== 'index.html')].map((n) => JSON.stringify(n)).join(', '))
        this.emitFile({ type: 'asset', fileName: 'sw.js', source })
      },
    },
  }
}
