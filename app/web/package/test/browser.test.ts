// Fluids in canvases, in Chromium: in a Worker and beside the page, with threads and without. Needs
// example/dist (script/web makes it) and a Chromium: $GYRE_CHROMIUM, or the system's.
import { existsSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fluid, FluidOptions } from '../src/types.js'
// @ts-expect-error: it has no types
import { serve } from '../../serve.mjs'

const program = process.env.GYRE_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((p) => existsSync(p))
const site = new URL('../example/dist/', import.meta.url)
const ready = !!program && existsSync(site)
if (!ready) console.warn(`NOT CHECKED: no fluid in a canvas: ${program ? 'script/web has not made example/dist' : 'there is no Chromium ($GYRE_CHROMIUM)'}`)

// As tools/hashes.mjs had them from the native tool, after two frames.
const known = JSON.parse(readFileSync(new URL('hashes.json', import.meta.url), 'utf8')) as Record<string, string>

declare global {
  // eslint-disable-next-line no-var
  var fluid: Fluid
}
type Create = (target: HTMLElement, options?: FluidOptions) => Promise<Fluid>

let browser: Browser
let served: { address: string; close(): Promise<void> }

describe.runIf(ready)('a fluid in a canvas', () => {
  let context: BrowserContext
  let page: Page
  const said: string[] = []

  const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
    context = await browser.newContext({ viewport: { width: 320, height: 200 }, ...options })
    page = await context.newPage()
    said.length = 0
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') said.push(message.text())
    })
    page.on('pageerror', (error) => said.push(String(error)))
    await page.goto(`${served.address}bench.html`)
    await page.waitForFunction(() => 'createFluid' in globalThis)
  }
  /** Makes a fluid of a small scene in #room; it is `fluid` there. */
  const make = (options: FluidOptions = {}): Promise<void> =>
    page.evaluate(async (o) => {
      const { createFluid } = globalThis as unknown as { createFluid: Create }
      globalThis.fluid = await createFluid(document.querySelector<HTMLElement>('#room')!, { grid: 'scene', ...(o as FluidOptions) })
    }, options as unknown)
  /** How much of the picture is not of the commonest colour. */
  const drawn = (): Promise<number> =>
    page.evaluate(async () => {
      const bitmap = await createImageBitmap(await globalThis.fluid.picture())
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
      pen.drawImage(bitmap, 0, 0)
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height)
      const counts = new Map<number, number>()
      for (let i = 0; i < data.length; i += 4) {
        const key = (data[i]! >> 3 << 10) | (data[i + 1]! >> 3 << 5) | (data[i + 2]! >> 3)
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      return 1 - Math.max(...counts.values()) / (data.length / 4)
    })
  const small = { set: { 'gas.grid.n': [64, 40, 1], 'gas.grid.h': 0.016 } } as FluidOptions

  beforeAll(async () => {
    served = await serve(site)
    browser = await chromium.launch({ executablePath: program!, args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox'] })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  it('begins small where that will do, and brings the whole module where it must', async () => {
    const wasm: string[] = []
    await open()
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname
      if (path.endsWith('.wasm')) wasm.push(path)
    })
    await make({ ...small, paused: true })
    expect(await page.evaluate(() => globalThis.fluid.info.module)).toBe('plane')
    const water = JSON.stringify({ models: { water: { grid: { dim: 2, n: [32, 24, 1], h: 0.1 }, level: 0.5 } } })
    expect(await page.evaluate(async () => (await globalThis.fluid.load('{"models": {"gas": {}').catch((e: Error) => e.message)) as string)).toMatch(/scene.json:1/)
    expect(await page.evaluate(() => globalThis.fluid.info.module)).toBe('plane')
    await page.evaluate((text) => globalThis.fluid.load(text), water)
    expect(await page.evaluate(() => [globalThis.fluid.info.module, globalThis.fluid.info.models[0]!.type])).toEqual(['whole', 'water'])
    await page.evaluate(() => globalThis.fluid.step(3))
    expect(await drawn()).toBeGreaterThan(0)
    expect(wasm.length).toBe(2)
    expect(said).toEqual([])
    await context.close()
  })

  for (const worker of [true, false]) {
    describe(worker ? 'in a Worker' : "on the page's thread", () => {
      it('is drawn, is stirred, and comes to the bits of every other build', async () => {
        await open()
        await make({ ...small, worker, paused: true })
        expect(await page.evaluate(() => [globalThis.fluid.info.worker, globalThis.fluid.info.title])).toEqual([worker, 'Inks'])
        expect(await drawn()).toBeGreaterThan(0.05)
        await page.evaluate(() => globalThis.fluid.step(4))
        const hash = await page.evaluate(() => globalThis.fluid.hash())
        const { loadGyre } = await import('../src/model.js')
        const gyre = await loadGyre()
        const scene = await gyre.loadScene('ink', { set: small.set! })
        scene.step(4)
        expect(hash).toBe(scene.hash())
        const before = await page.evaluate(async () => (await globalThis.fluid.read('violet')).data.reduce((a, b) => a + b, 0))
        await page.evaluate(() => {
          globalThis.fluid.splat({ x: 0.2, y: 0.2, colour: '#7020e0' })
          return globalThis.fluid.step(12)
        })
        const [after, high, low] = await page.evaluate(async () => {
          const { data, nx, ny } = await globalThis.fluid.read('violet')
          let [sum, high, low] = [0, 0, 0]
          data.forEach((v, i) => {
            sum += v
            if (i >= nx * (ny >> 1)) high += v
            else low += v
          })
          return [sum, high, low] as const
        })
        expect(before).toBe(0)
        expect(after).toBeGreaterThan(5)
        expect(high).toBeGreaterThan(10 * low) // y is from the upper corner
        await page.evaluate(() => globalThis.fluid.destroy())
        gyre.destroy()
        expect(said).toEqual([])
        await context.close()
      }, 240_000)

      it('comes to what gyre run prints of water, though it keeps room for a hand', async () => {
        await open()
        for (const scene of ['dam_break', 'duck_pond']) {
          await make({ scene, worker, paused: true })
          expect(await page.evaluate(async () => {
            const { fluid } = globalThis
            await fluid.step(Math.round(2 / (fluid.info.fps * fluid.info.dt)))
            return fluid.hash()
          })).toBe(known[scene])
          await page.evaluate(() => globalThis.fluid.destroy())
        }
        await context.close()
      }, 240_000)

      it('runs, pauses, is saved, and starts anew', async () => {
        await open()
        await make({ ...small, worker })
        await page.waitForFunction(async () => (await globalThis.fluid.stats()).step > 3, undefined, { timeout: 60_000 })
        const [one, two] = await page.evaluate(async () => {
          const { fluid } = globalThis
          fluid.pause()
          const saved = await fluid.save()
          await fluid.step(3)
          const one = await fluid.hash()
          await fluid.restore(saved)
          await fluid.step(3)
          return [one, await fluid.hash()]
        })
        expect(two).toBe(one)
        expect(await page.evaluate(() => globalThis.fluid.running)).toBe(false)
        expect(await page.evaluate(async () => {
          await globalThis.fluid.reset()
          return (await globalThis.fluid.stats()).step
        })).toBe(0)
        await page.evaluate(() => globalThis.fluid.destroy())
        await context.close()
      }, 240_000)

      it('keeps the fluid where the canvas gets another size', async () => {
        await open()
        await make({ ...small, worker, paused: true })
        await page.evaluate(() => globalThis.fluid.step(2))
        const hash = await page.evaluate(() => globalThis.fluid.hash())
        await page.setViewportSize({ width: 200, height: 260 })
        // A window may tell of its width before it does of its height.
        await page.waitForFunction(async () => { const { width, height } = await globalThis.fluid.stats(); return width === 200 && height === 260 })
        expect(await page.evaluate(() => globalThis.fluid.hash())).toBe(hash)
        expect(await drawn()).toBeGreaterThan(0.05)
        await page.evaluate(() => globalThis.fluid.destroy())
        await context.close()
      }, 240_000)

      it('opens other scenes, takes images and texts, and says what is wrong', async () => {
        await open()
        await make({ worker, scene: 'wind_tunnel', paused: true, set: { 'gas.grid.n': [72, 32, 1], 'gas.grid.h': 0.04 } })
        const found = await page.evaluate(async () => {
          const { fluid } = globalThis
          const caught = async (call: () => Promise<unknown>): Promise<string> => call().then(() => 'nothing', (e: Error) => e.message)
          const text = await fluid.addText('gyre', { as: 'obstacle', width: 0.3 })
          const solid = (await fluid.read('solid')).data.reduce((a, b) => a + b, 0)
          await text.remove()
          await fluid.step(1)
          const without = (await fluid.read('solid')).data.reduce((a, b) => a + b, 0)
          return {
            path: text.path, solid, without,
            unknown: await caught(() => fluid.set('gas.viscosty', 1)),
            scene: await caught(() => fluid.load('ink_dorp')),
            as: await caught(() => fluid.addText('x', { as: 'ground' })),
            bad: await caught(() => fluid.load('{ "models": { "gas": { "x": 1 } } }')),
            title: (await fluid.load('pool', { set: { 'water.grid.n': [32, 24, 1], 'water.grid.h': 0.25 } })).title,
          }
        })
        expect(found.path).toBe('gas.solids.text1')
        expect(found.solid).toBeGreaterThan(found.without + 5)
        expect(found.unknown).toMatch(/viscosity/)
        expect(found.scene).toMatch(/did you mean 'ink_drop'/)
        expect(found.as).toMatch(/takes no image as 'ground'; it takes one as 'obstacle', 'emitter'/)
        expect(found.bad).toMatch(/^scene\.json:1:\d+/)
        expect(found.title).toBe('Pool')
        expect(await drawn()).toBeGreaterThan(0.05)
        await page.evaluate(() => globalThis.fluid.destroy())
        await context.close()
      }, 240_000)
    })
  }

  it('takes an image as an obstacle and as an emitter, where it is put', async () => {
    await open()
    await make({ scene: 'wind_tunnel', paused: true, set: { 'gas.grid.n': [72, 32, 1], 'gas.grid.h': 0.04 } })
    const found = await page.evaluate(async () => {
      const { fluid } = globalThis
      const canvas = new OffscreenCanvas(64, 64), pen = canvas.getContext('2d')!
      pen.fillStyle = '#000'
      pen.fillRect(0, 32, 64, 32) // the lower half
      /** Sums over the quarters round the middle of the canvas: upper left, upper right, lower left, lower right. */
      const quarters = async (field: string): Promise<number[]> => {
        const { data, nx, ny } = await fluid.read(field), sums = [0, 0, 0, 0]
        data.forEach((v, i) => { sums[(i % nx < nx / 2 ? 0 : 1) + (Math.floor(i / nx) < ny / 2 ? 2 : 0)]! += v })
        return sums
      }
      const before = await quarters('solid')
      const wall = await fluid.addImage(canvas.transferToImageBitmap(), { as: 'obstacle', x: 0.75, y: 0.5, width: 0.2 })
      const [solid, after] = [await quarters('solid'), (await wall.remove(), await fluid.step(1), await quarters('solid'))]
      pen.fillStyle = '#fff'
      pen.fillRect(0, 0, 64, 64)
      const smoke = await quarters('density')
      const blob = await canvas.convertToBlob()
      await fluid.addImage(blob, { as: 'emitter', x: 0.25, y: 0.25, width: 0.15 })
      await fluid.step(2)
      const bad = await fluid.addImage(new Blob(['no picture']), { as: 'obstacle' }).then(() => 'nothing', (e: Error) => e.message)
      return { solid: solid.map((v, i) => v - before[i]!), after: after.map((v, i) => v - before[i]!), smoke: (await quarters('density')).map((v, i) => v - smoke[i]!), bad }
    })
    expect(found.solid[3]).toBeGreaterThan(5)
    expect(Math.abs(found.solid[1]!)).toBeLessThan(0.2 * found.solid[3]!)
    expect(Math.max(...found.solid.filter((_, i) => i % 2 === 0))).toBeLessThan(0.1)
    expect(Math.max(...found.after.map(Math.abs))).toBeLessThan(1)
    expect(found.smoke[0]).toBeGreaterThan(1)
    expect(found.bad).toMatch(/image|picture/)
    await page.evaluate(() => globalThis.fluid.destroy())
    await context.close()
  }, 240_000)

  it('has a picture flow in place of a scene’s image, until the next scene', async () => {
    await open()
    await make({ scene: 'marbling', paused: true, look: { solids: false } })
    const found = await page.evaluate(async () => {
      const { fluid } = globalThis
      const canvas = new OffscreenCanvas(96, 64), pen = canvas.getContext('2d')!
      const seen = async (): Promise<ImageData> => {
        const bitmap = await createImageBitmap(await fluid.picture()), eye = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
        eye.drawImage(bitmap, 0, 0)
        return eye.getImageData(0, 0, bitmap.width, bitmap.height)
      }
      /** Colours in the middle of the picture's quarters: upper left, upper right, lower left, lower right. */
      const quarters = async (): Promise<number[][]> => {
        const { data, width, height } = await seen(), side = Math.min(width, height)
        return [0, 1, 2, 3].map((i) => {
          const x = Math.floor(width / 2 + (i % 2 - 0.5) * side / 2), y = Math.floor(height / 2 + ((i >> 1) - 0.5) * side / 2)
          return [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)]
        })
      }
      const own = await quarters(), hash = await fluid.hash()
      for (const [i, colour] of ['#e00000', '#00e000', '#0000e0', '#e0e0e0'].entries()) {
        pen.fillStyle = colour
        pen.fillRect(48 * (i % 2), 32 * (i >> 1), 48, 32)
      }
      await fluid.flow(canvas)
      const flowing = await quarters()
      await fluid.flow(canvas, { mirror: true })
      const mirrored = await quarters()
      const same = (await fluid.hash()) === hash
      const still = (await seen()).data
      await fluid.step(20)
      const stirred = (await seen()).data.reduce((sum, v, i) => sum + (Math.abs(v - still[i]!) > 60 ? 1 : 0), 0) / still.length
      await fluid.load('marbling')
      const back = await quarters()
      await fluid.load('ink')
      const none = await fluid.flow(canvas).then(() => 'nothing', (e: Error) => e.message)
      const empty = await fluid.flow(document.createElement('video')).then(() => 'nothing', (e: Error) => e.message)
      return { own, flowing, mirrored, same, stirred, back, none, empty }
    })
    const far = (a: number[][], b: number[][]): number => Math.max(...a.flatMap((q, i) => q.map((v, c) => Math.abs(v - b[i]![c]!))))
    expect(far(found.flowing, [[224, 0, 0], [0, 224, 0], [0, 0, 224], [224, 224, 224]])).toBeLessThan(30)
    expect(far(found.mirrored, [[0, 224, 0], [224, 0, 0], [224, 224, 224], [0, 0, 224]])).toBeLessThan(30)
    expect(found.stirred).toBeGreaterThan(0.02)
    expect(far(found.back, found.own)).toBeLessThan(2)
    expect(found.same).toBe(true)
    expect(found.none).toMatch(/no image flows in this scene/)
    expect(found.empty).toMatch(/no pixels/)
    await page.evaluate(() => globalThis.fluid.destroy())
    await context.close()
  }, 240_000)

  it('lets the page shine through where it was opened so', async () => {
    for (const worker of [true, false]) {
      await open()
      await make({ scene: 'plume', worker, paused: true, transparent: true, set: { 'gas.grid.n': [24, 32, 24], 'gas.grid.h': 0.0625 }, look: { floor: false } })
      const alphas = (): Promise<number[]> => page.evaluate(async () => {
        await globalThis.fluid.step(20)
        const bitmap = await createImageBitmap(await globalThis.fluid.picture())
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
        pen.drawImage(bitmap, 0, 0)
        const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height), counts = [0, 0, 0]
        for (let i = 3; i < data.length; i += 4) counts[data[i] === 0 ? 0 : data[i] === 255 ? 2 : 1]! += 4 / data.length
        return counts
      })
      const [none, some, whole] = await alphas()
      expect(none).toBeGreaterThan(0.3)
      expect(some).toBeGreaterThan(0.01)
      expect(whole).toBeGreaterThan(0.001) // the ball
      await page.evaluate(() => globalThis.fluid.look({ transparent: false }))
      expect((await alphas())[2]).toBeCloseTo(1, 6)
      await page.evaluate(() => globalThis.fluid.destroy())
      await make({ ...small, worker, paused: true })
      expect(await page.evaluate(() => globalThis.fluid.look({ transparent: true }).then(() => 'nothing', (e: Error) => e.message))).toMatch(/open the fluid with the option transparent/)
      expect((await alphas())[2]).toBeCloseTo(1, 6)
      await page.evaluate(() => globalThis.fluid.destroy())
      await context.close()
    }
  }, 240_000)

  it('runs on a coarser grid where its own is too slow, to the bits of that grid', async () => {
    await open()
    await make({ grid: 'auto', threads: 1, paused: true, set: { 'gas.grid.n': [1536, 960, 1], 'gas.grid.h': 0.001 } })
    const found = await page.evaluate(async () => {
      const { info } = globalThis.fluid, { n, h } = info.models[0]!
      await globalThis.fluid.step(2)
      return { coarser: info.coarser, n, h, hash: await globalThis.fluid.hash() }
    })
    expect(found.coarser).toBeGreaterThan(1.04)
    expect(found.n[0]).toBeLessThan(1536)
    expect(found.n[0] * found.h).toBeCloseTo(1.536, 4)
    expect(found.coarser).toBeCloseTo(1536 / found.n[0], 6)
    const { loadGyre } = await import('../src/model.js')
    const gyre = await loadGyre()
    const scene = await gyre.loadScene('ink', { set: { 'gas.grid.n': found.n, 'gas.grid.h': (0.001 * 1536) / found.n[0] } })
    scene.step(2)
    expect(found.hash).toBe(scene.hash())
    gyre.destroy()
    await page.evaluate(() => globalThis.fluid.destroy())
    await context.close()
  }, 240_000)

  it('puts a small scene that runs too slowly on a coarser grid, but not one that was touched', async () => {
    await open()
    const run = (touched: boolean) => page.evaluate(async ([set, touch]) => {
      const { createFluid } = globalThis as unknown as { createFluid: Create }
      const fluid = await createFluid(document.querySelector<HTMLElement>('#room')!, { grid: 'auto', threads: 1, worker: false, set: set as NonNullable<FluidOptions['set']> })
      if (touch) fluid.splat({ x: 0.5, y: 0.5 })
      let loads = 0
      fluid.on('load', () => loads++)
      const first = fluid.info.coarser, told: string[] = []
      fluid.on('slow', (slow) => told.push(slow.what))
      // Till long after it was looked at.
      await new Promise<void>((done) => { let pictures = 0; fluid.on('frame', () => { if (++pictures > 60) done() }) })
      const found = { first, coarser: fluid.info.coarser, n: fluid.info.models[0]!.n, loads, told: told.includes('grid') }
      fluid.destroy()
      return found
    }, [small.set, touched] as unknown as [unknown, boolean])
    // A clock that runs so fast that no step fits.
    await page.evaluate(() => { const real = performance.now.bind(performance); performance.now = () => 300 * real() })
    const alone = await run(false)
    expect([alone.first, alone.loads, alone.told]).toEqual([1, 1, true])
    expect(alone.coarser).toBeGreaterThan(1.2)
    expect(alone.n[0]).toBeLessThan(64)
    expect(await run(true)).toEqual({ first: 1, coarser: 1, n: [64, 40, 1], loads: 0, told: false })
    await context.close()
  }, 240_000)

  it('has threads on an isolated page, and one where it is not or is asked for', async () => {
    await open()
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
    await make({ ...small, threads: 2, paused: true })
    expect(await page.evaluate(() => globalThis.fluid.info.threads)).toBe(2)
    await page.evaluate(() => globalThis.fluid.step(4))
    const two = await page.evaluate(() => globalThis.fluid.hash())
    await page.evaluate(() => globalThis.fluid.destroy())
    await make({ ...small, threads: 1, paused: true })
    expect(await page.evaluate(() => globalThis.fluid.info.threads)).toBe(1)
    await page.evaluate(() => globalThis.fluid.step(4))
    expect(await page.evaluate(() => globalThis.fluid.hash())).toBe(two)
    await page.evaluate(() => globalThis.fluid.destroy())
    await context.close()
  }, 240_000)

  it('stands still for those who prefer less motion', async () => {
    await open({ reducedMotion: 'reduce' })
    await make(small)
    const [still, running, steps] = await page.evaluate(async () => {
      await new Promise((done) => setTimeout(done, 500))
      return [globalThis.fluid.info.still, globalThis.fluid.running, (await globalThis.fluid.stats()).step] as const
    })
    expect([still, running, steps]).toEqual([true, false, 120])
    expect(await page.evaluate(async () => {
      globalThis.fluid.resume()
      await globalThis.fluid.stats()
      return [globalThis.fluid.running, globalThis.fluid.info.still]
    })).toEqual([true, false])
    await page.evaluate(() => globalThis.fluid.destroy())
    await context.close()
  }, 240_000)

  it('goes on after a lost context', async () => {
    await open()
    await page.setContent('<canvas id="c" style="width: 200px; height: 120px"></canvas>').catch(() => undefined)
    await page.goto(`${served.address}bench.html`)
    const found = await page.evaluate(async (given) => {
      const set = given as NonNullable<FluidOptions['set']>
      const { createFluid } = globalThis as unknown as { createFluid: Create }
      const canvas = document.createElement('canvas')
      canvas.style.cssText = 'width: 200px; height: 120px'
      document.querySelector('#room')!.append(canvas)
      const fluid = (globalThis.fluid = await createFluid(canvas, { worker: false, paused: true, grid: 'scene', set }))
      await fluid.step(2)
      const hash = await fluid.hash()
      const lose = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!
      const heard = (event: 'lost' | 'restored'): Promise<void> => new Promise((done) => fluid.on(event, () => done()))
      const lost = heard('lost')
      lose.loseContext()
      await lost
      const restored = heard('restored')
      setTimeout(() => lose.restoreContext(), 50)
      await restored
      return [hash, await fluid.hash()]
    }, small.set as unknown)
    expect(found[1]).toBe(found[0])
    expect(await drawn()).toBeGreaterThan(0.05)
    // The same canvas once more, on the page's thread.
    await page.evaluate(async (given) => {
      const set = given as NonNullable<FluidOptions['set']>
      const { createFluid } = globalThis as unknown as { createFluid: Create }
      const { canvas } = globalThis.fluid
      globalThis.fluid.destroy()
      globalThis.fluid = await createFluid(canvas, { worker: false, paused: true, grid: 'scene', set })
    }, small.set as unknown)
    expect(await drawn()).toBeGreaterThan(0.05)
    await page.evaluate(() => globalThis.fluid.destroy())
    await context.close()
  }, 240_000)

  it('is stirred by pointers, and no more once they are let go', async () => {
    await open()
    await make({ ...small, paused: true })
    const ink = (): Promise<number> => page.evaluate(async () => {
      await globalThis.fluid.step(2)
      let sum = 0
      for (const name of ['density', 'yellow', 'red', 'green', 'teal', 'violet']) sum += (await globalThis.fluid.read(name)).data.reduce((a, b) => a + b, 0)
      return sum
    })
    const before = await ink()
    await page.mouse.move(60, 50)
    await page.mouse.down()
    await page.mouse.move(90, 60, { steps: 4 })
    const stirred = await ink()
    await page.mouse.up()
    expect(stirred).toBeGreaterThan(before + 1)
    await ink()
    await page.evaluate(() => globalThis.fluid.attachPointers({})()) // attached anew, and ended
    const rest = await ink()
    await page.mouse.down()
    await page.mouse.move(60, 50, { steps: 4 })
    await page.mouse.up()
    expect(await ink()).toBeLessThanOrEqual(rest)
    await page.evaluate(() => globalThis.fluid.destroy())
    await context.close()
  }, 240_000)

  it('refuses what it cannot draw in', async () => {
    await open()
    const found = await page.evaluate(async (given) => {
      const set = given as NonNullable<FluidOptions['set']>
      const { createFluid } = globalThis as unknown as { createFluid: Create }
      const caught = async (target: unknown, options: FluidOptions = {}): Promise<string> =>
        createFluid(target as HTMLElement, { set, ...options }).then((f) => (f.destroy(), 'nothing'), (e: Error) => e.message)
      const room = document.querySelector<HTMLElement>('#room')!
      const empty = document.createElement('canvas')
      empty.style.width = '0px'
      room.append(empty)
      const used = document.createElement('canvas')
      room.append(used)
      used.getContext('2d')
      const aborted = new AbortController()
      const opening = caught(room, { signal: aborted.signal })
      aborted.abort(new Error('enough'))
      const canvas = document.createElement('canvas')
      room.append(canvas)
      const first = await createFluid(canvas, { set, paused: true })
      const twice = await caught(canvas)
      first.destroy()
      return {
        none: await caught(null), empty: await caught(empty), used: await caught(used), page: await caught(used, { worker: false }),
        aborted: await opening, twice, again: await caught(canvas), ratio: await caught(room, { pixelRatio: -1 }),
        left: room.querySelectorAll('canvas').length,
      }
    }, small.set as unknown)
    expect(found.none).toMatch(/a canvas, or an element to make one in, was expected/)
    expect(found.empty).toMatch(/the canvas has no size \(0 x \d+ pixels\)/)
    expect(found.used).toMatch(/has a context already/)
    expect(found.page).toMatch(/there is no WebGL 2/)
    expect(found.aborted).toBe('enough')
    expect(found.twice).toMatch(/has a fluid already/)
    expect(found.again).toMatch(/was given to a Worker before/)
    expect(found.ratio).toMatch(/pixelRatio is -1/)
    expect(found.left).toBe(3) // those that were put there here
    await context.close()
  }, 240_000)

  const times = process.env.GYRE_TEST_ALL ? 50 : 10
  it(`leaves nothing behind: ${times} times in Workers, ${times} on the page`, async () => {
    await open()
    const client = await context.newCDPSession(page)
    const numbers = async (): Promise<{ listeners: number; nodes: number; heap: number }> => {
      await client.send('HeapProfiler.collectGarbage')
      const { metrics } = await client.send('Performance.getMetrics')
      const of = (name: string): number => metrics.find((m) => m.name === name)!.value
      return { listeners: of('JSEventListeners'), nodes: of('Nodes'), heap: of('JSHeapUsedSize') }
    }
    await client.send('Performance.enable')
    const round = async (worker: boolean, times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        await make({ ...small, worker, threads: 1 })
        await page.evaluate(() => globalThis.fluid.step(1))
        await page.evaluate(() => globalThis.fluid.destroy())
      }
      await page.evaluate(() => Reflect.deleteProperty(globalThis, 'fluid'))
      await page.waitForTimeout(1500)
    }
    await round(true, 1)
    await round(false, 1)
    const before = await numbers()
    await round(true, times)
    await round(false, times)
    const after = await numbers()
    console.info(`${2 * times} fluids: heap ${before.heap} to ${after.heap} bytes, nodes ${before.nodes} to ${after.nodes}, listeners ${before.listeners} to ${after.listeners}`)
    expect(page.workers().length).toBe(0)
    expect(await page.evaluate(() => document.querySelectorAll('canvas').length)).toBe(0)
    expect(after.listeners).toBeLessThanOrEqual(before.listeners + 5)
    expect(after.nodes).toBeLessThanOrEqual(before.nodes + 10)
    expect(after.heap).toBeLessThan(before.heap + (4 << 20))
    expect(said.filter((line) => /too many|context/i.test(line))).toEqual([])
    await context.close()
  }, 1_800_000)

  it('is an example: plain, smoke and water', async () => {
    for (const [name, wait] of [['plain', () => 'fluid' in globalThis], ['smoke', () => (globalThis as { steps?: () => number }).steps?.()! > 3], ['water', () => (globalThis as { steps?: () => number }).steps?.()! > 3]] as const) {
      await open()
      await page.goto(`${served.address}${name}.html`)
      await page.waitForFunction(wait, undefined, { timeout: 90_000 })
      expect([name, ...said.filter((line) => !/GPU stall|swiftshader|GL Driver/i.test(line))]).toEqual([name])
      if (process.env.GYRE_SHOTS) await page.screenshot({ path: `${process.env.GYRE_SHOTS}/${name}.png` })
      await context.close()
    }
  }, 400_000)
})
