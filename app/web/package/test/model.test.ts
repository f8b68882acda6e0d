// gyre-fluid/model on the real module: models and scenes without a canvas.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GyreError, loadGyre, sceneNames, type Gyre, type Scene } from '../src/model.js'

const repository = new URL('../../../../', import.meta.url)
let gyre: Gyre

beforeAll(async () => {
  gyre = await loadGyre()
})
afterAll(() => gyre.destroy())

const box = { grid: { dim: 2, n: [32, 24, 1] as [number, number, number], h: 0.1 } }
const total = (values: Float32Array): number => values.reduce((sum, v) => sum + v, 0)

function thrown(call: () => unknown): GyreError {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(GyreError)
    return error as GyreError
  }
  throw new Error('nothing was thrown')
}

describe('a model', () => {
  it('says what it is', () => {
    const gas = gyre.createModel('gas', box)
    const { info } = gas
    expect([info.type, info.dim, info.n]).toEqual(['gas', 2, [32, 24, 1]])
    expect(info.h).toBeCloseTo(0.1, 6)
    expect(info.fields.map((f) => f.name)).toContain('density')
    gas.destroy()
  })

  it('is set and read by path, and what it had before is what it gives', () => {
    const gas = gyre.createModel('gas', box)
    gas.set('viscosity', 0.125)
    expect(gas.get('viscosity')).toBe(0.125)
    gas.set('gravity', [0, -1, 0])
    expect(gas.get('gravity')).toEqual([0, -1, 0])
    gas.destroy()
  })

  it('carries what is put in, and its smoke goes up where it is warm', () => {
    const gas = gyre.createModel('gas', box)
    gas.splat('density', [1.6, 0.6], 0.3, 1)
    gas.splat('temperature', [1.6, 0.6], 0.3, 60)
    const height = (): number => {
      const { data, nx, ny } = gas.read('density')
      let [sum, high] = [0, 0]
      for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) {
        sum += data[x + nx * y]!
        high += y * data[x + nx * y]!
      }
      return high / sum
    }
    const before = height()
    const smoke = total(gas.read('density').data)
    for (let i = 0; i < 30; i++) gas.step(1 / 30)
    expect(height()).toBeGreaterThan(before + 1)
    expect(total(gas.read('density').data)).toBeCloseTo(smoke, 2)
    gas.destroy()
  })

  it('has windows on its fields, with padded rows, that a step closes', () => {
    const gas = gyre.createModel('gas', box)
    gas.splat('density', [1.6, 1.2], 0.5, 1)
    const view = gas.map('density')
    expect([view.nx, view.ny, view.nz]).toEqual([32, 24, 1])
    expect(view.strideY).toBeGreaterThanOrEqual(32)
    const whole = view.dense()
    for (const [x, y] of [[16, 12], [0, 0], [31, 23]] as const) {
      expect(view.at3(x, y)).toBe(whole[x + 32 * y])
      expect(view.data[x + y * view.strideY]).toBe(whole[x + 32 * y])
    }
    expect(Math.max(...whole)).toBeGreaterThan(0.5)
    expect(() => view.dense(new Float32Array(7))).toThrow(/room for 7 numbers: the field has 768/)
    gas.step(0.01)
    expect(view.closed).toBe(true)
    expect(() => view.data).toThrow(/is closed: map\(\) opens another/)
    gas.destroy()
  })

  it('takes what is written, and refuses NaN', () => {
    const gas = gyre.createModel('gas', box)
    const view = gas.map('density', 'write')
    for (let x = 0; x < view.nx; x++) view.data[x + 5 * view.strideY] = x
    view.close()
    const { data, nx } = gas.read('density')
    expect([data[5 * nx + 7], data[4 * nx + 7]]).toEqual([7, 0])
    const bad = gas.map('density', 'write')
    bad.data[0] = NaN
    expect(() => gas.step(0.01)).toThrow(/density/)
    const mended = gas.map('density', 'write')
    mended.data[0] = 0
    mended.close()
    gas.step(0.01)
    gas.destroy()
  })

  it('keeps its windows where the memory grows', () => {
    const gas = gyre.createModel('gas', box)
    gas.splat('density', [1.6, 1.2], 0.5, 1)
    const view = gas.map('density')
    const kept = view.data
    const value = view.at3(16, 12)
    const before = gyre.memory
    const others = []
    while (gyre.memory === before) others.push(gyre.createModel('gas', { grid: { dim: 3, n: [64, 64, 64], h: 0.1 } }))
    // An array that was kept is cut off; the view's own is made anew.
    expect(kept.length).toBe(0)
    expect(view.data.length).toBeGreaterThan(0)
    expect(view.at3(16, 12)).toBe(value)
    view.close()
    for (const one of others) one.destroy()
    gas.destroy()
  })

  it('is probed', () => {
    const gas = gyre.createModel('gas', box)
    gas.splat('density', [1.6, 1.2], 0.5, 1)
    const [middle, corner] = gas.probe('density', [[1.6, 1.2], [0.1, 0.1]])
    expect(middle).toBeGreaterThan(0.8)
    expect(corner).toBe(0)
    expect(gas.probe('density', [])).toEqual([])
    gas.destroy()
  })

  it('goes on from a saved state to the same bits', () => {
    const gas = gyre.createModel('gas', box)
    gas.splat('temperature', [1.6, 0.6], 0.3, 20)
    for (let i = 0; i < 5; i++) gas.step(1 / 30)
    const saved = gas.save()
    const hash = gas.hash()
    for (let i = 0; i < 5; i++) gas.step(1 / 30)
    const end = gas.hash()
    expect(end).not.toBe(hash)
    gas.load(saved)
    expect(gas.hash()).toBe(hash)
    for (let i = 0; i < 5; i++) gas.step(1 / 30)
    expect(gas.hash()).toBe(end)
    saved[saved.length >> 1]! ^= 1
    expect(thrown(() => gas.load(saved)).code).toBe('format')
    expect(thrown(() => gas.load(new Uint8Array(3))).code).toBe('format')
    gas.destroy()
  })

  it('is there for every type that there is', () => {
    for (const type of Object.keys(gyre.tables.models) as (keyof typeof gyre.tables.models & 'gas')[]) {
      const one = gyre.createModel(type)
      one.step(0.01)
      expect(one.hash()).toMatch(/^[0-9a-f]{16}$/)
      one.destroy()
    }
  })
})

describe('what is wrong', () => {
  it('is said, with what was expected and what is nearest', () => {
    expect(thrown(() => gyre.createModel('gass' as 'gas')).message).toBe("unknown model 'gass': did you mean 'gas'?")
    expect(thrown(() => gyre.createModel('gas', { viscosty: 1 } as object)).message).toMatch(/viscosty.*"viscosity"/s)
    const gas = gyre.createModel('gas', box)
    expect(thrown(() => gas.set('viscosty', 1)).message).toMatch(/viscosity/)
    expect(thrown(() => gas.set('viscosity', -1)).message).toMatch(/viscosity/)
    expect(thrown(() => gas.set('viscosity', 'thick' as never)).message).toMatch(/viscosity/)
    expect(thrown(() => gas.set('viscosity', NaN)).message).toBe('viscosity is NaN: a finite number was expected')
    expect(thrown(() => gas.map('densty')).message).toMatch(/density/)
    expect(thrown(() => gas.map('density', 'both' as never)).message).toMatch(/'read' or 'write' was expected/)
    expect(thrown(() => gas.step(NaN)).message).toMatch(/dt is \[NaN\]: finite numbers were expected/)
    expect(thrown(() => gas.splat('density', [NaN, 0], 1, 1)).message).toMatch(/centre is/)
    expect(thrown(() => gas.splat('density', [0, 0], 1, [])).message).toMatch(/amount is/)
    gas.destroy()
    expect(thrown(() => gas.step(0.1)).code).toBe('destroyed')
    gas.destroy()
  })

  it('in a scene is told with file, line and column', () => {
    const text = '{\n  "models": {\n    "gas": { "grid": { "dim": 2, "n": [16, 16, 1], "h": 0.1 }, "viscosty": 1 }\n  }\n}'
    expect(thrown(() => gyre.openScene(text, { name: 'mine.json' })).message).toMatch(/^mine\.json:3:\d+: .*viscosity/)
    expect(thrown(() => gyre.openScene('{ "models": ', { name: 'mine.json' })).message).toMatch(/^mine\.json:1:\d+/)
    expect(thrown(() => gyre.openScene('ink_drop')).message).toMatch(/loadScene\(\) fetches it/)
    const missing = '{ "models": { "water": { "grid": { "dim": 2, "n": [16, 16, 1], "h": 1 }, "bed": { "data": "no.npy" } } } }'
    expect(thrown(() => gyre.openScene(missing)).message).toMatch(/no\.npy/)
    expect(thrown(() => gyre.openScene(missing)).message).not.toMatch(/\/scene\d/)
  })

  it('and what is too large is refused before it is made', () => {
    const large = { models: { gas: { grid: { dim: 3, n: [512, 512, 512], h: 1 } } } }
    const before = gyre.memory
    expect(thrown(() => gyre.openScene(large)).message).toMatch(/134217728 cells; more than 4194304 are not allowed/)
    expect(thrown(() => gyre.openScene(large, { limits: { cells: -1 } })).message).toMatch(/limits\.cells is -1/)
    expect(gyre.memory).toBe(before)
  })
})

describe('a scene', () => {
  it('is opened, stepped, set, saved, written and played back', async () => {
    const scene = await gyre.loadScene('ink_drop', { set: { 'gas.grid.n': [64, 96, 1], 'gas.grid.h': 0.004 } })
    expect([scene.info.title, scene.info.models[0]!.n]).toEqual(['Ink drop', [64, 96, 1]])
    scene.step(3)
    expect(scene.stats().step).toBe(3)
    expect(scene.stats().time).toBeCloseTo(3 * scene.info.dt, 6)
    scene.set('gas.viscosity', 0.001)
    expect(scene.get('gas.viscosity')).toBeCloseTo(0.001, 8)
    const saved = scene.save()
    scene.step(3)
    const hash = scene.hash()
    scene.load(saved)
    scene.step(3)
    expect(scene.hash()).toBe(hash)
    expect(JSON.parse(scene.file()).models.gas.viscosity).toBeCloseTo(0.001, 8)
    const view = scene.map('density', { model: 'gas' })
    expect([view.nx, view.ny]).toEqual([64, 96])
    expect(thrown(() => scene.map('density', { model: 'gs' })).message).toMatch(/did you mean 'gas'/)
    scene.reset()
    expect(scene.stats().step).toBe(0)
    scene.set('gas.viscosity', 0.001)
    const replay = JSON.parse(scene.replay())
    expect(replay.timeline[0]).toMatchObject({ path: 'gas.viscosity' })
    expect(JSON.stringify(replay)).not.toMatch(/\/scene\d/)
    scene.destroy()
    expect(thrown(() => scene.step()).code).toBe('destroyed')
  })

  it('has files that its elements name', async () => {
    const scene = await gyre.loadScene('duck_pond')
    expect(scene.info.models[0]!.type).toBe('water')
    scene.step(2)
    scene.destroy()
  })
})

// As tools/hashes.mjs had them from the native tool, at the end of
//     build/gyre run scene/NAME.json --frames 2
type Known = Record<string, string>
const known = JSON.parse(readFileSync(new URL('hashes.json', import.meta.url), 'utf8')) as Known

describe('the same bits as of the native library', () => {
  const after = async (name: string, use: (scene: Scene) => void): Promise<void> => {
    const scene = await gyre.loadScene(name)
    scene.step(Math.round(2 / (scene.info.fps * scene.info.dt)))
    use(scene)
    scene.destroy()
  }
  for (const [name, hash] of Object.entries(known)) {
    it(name, () => after(name, (scene) => expect(scene.hash()).toBe(hash)))
  }
  const tool = new URL('build/gyre', repository)
  it.runIf(existsSync(tool))('and build/gyre prints them today', async () => {
    // @ts-expect-error: it has no types
    const { ask } = (await import('../tools/hashes.mjs')) as { ask(tool: string): Known }
    expect(ask(tool.pathname)).toEqual(known)
  }, 600_000)
})

describe('all scenes that come along', () => {
  it('open and take a step, but those that say why they do not', async () => {
    const refused: string[] = []
    for (const name of sceneNames) {
      try {
        const scene = await gyre.loadScene(name)
        scene.step(1)
        scene.destroy()
      } catch (error) {
        refused.push(`${name}: ${(error as Error).message}`)
      }
    }
    expect(refused).toEqual([])
  }, 600_000)
})

describe('nothing is left behind', () => {
  it('by 100 models and 100 scenes', async () => {
    const once = async (): Promise<void> => {
      const gas = gyre.createModel('gas', { ...box, emitters: [{ name: 'jet', density: 1 }] })
      gas.map('density')
      gas.step(0.01)
      gas.save()
      gas.destroy()
      const scene = await gyre.loadScene('duck_pond', { files: { 'spare.npy': new Uint8Array(10_000) } })
      scene.step(1)
      scene.save()
      scene.file()
      expect(() => scene.set('water.nothing', 1)).toThrow()
      scene.destroy()
      expect(() => gyre.openScene('{"models": {"gas": {"x": 1}}}', { files: { 'spare.npy': new Uint8Array(10_000) } })).toThrow()
    }
    for (let i = 0; i < 3; i++) await once()
    const native = (gyre as unknown as { native: import('../src/native.js').Native }).native
    const folders = (): string[] => native.module.FS.readdir('/').filter((f) => f.startsWith('scene'))
    // What is free, as the addresses of what is asked for say: a leak moves them.
    const places = (): number[] => {
      const got = [64, 1024, 16_384, 262_144, 1 << 20].map((size) => native.allocate(size))
      for (const one of got) native.free(one)
      return got
    }
    const [memory, free, left] = [gyre.memory, places(), folders()]
    const heap = (): number => {
      ;(globalThis as { gc?: () => void }).gc?.()
      return process.memoryUsage().heapUsed
    }
    const before = heap()
    for (let i = 0; i < 100; i++) await once()
    expect(gyre.memory).toBe(memory)
    expect(places()).toEqual(free)
    expect(folders()).toEqual(left)
    expect(heap() - before).toBeLessThan(4 << 20)
  }, 600_000)

  it('by modules: their memory goes with them', async () => {
    const gone = new FinalizationRegistry<number>(() => (count += 1))
    let count = 0
    for (let i = 0; i < 10; i++) {
      const one = await loadGyre()
      one.createModel('gas', box).step(0.01)
      gone.register(one, i)
      one.destroy()
    }
    for (let i = 0; i < 20 && count < 9; i++) {
      ;(globalThis as { gc?: () => void }).gc?.()
      await new Promise((done) => setTimeout(done, 50))
    }
    expect(count).toBeGreaterThanOrEqual(9)
    expect(process.listenerCount('uncaughtException')).toBeLessThan(3)
  })
})

describe('what is made from the tables', () => {
  it('is up to date', () => {
    execFileSync('node', ['tools/properties.mjs', '--check'], { cwd: new URL('..', import.meta.url) })
  })
})
