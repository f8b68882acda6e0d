// The module for gases in 2D alone: what it is taken for, what it runs, what it refuses.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planeNames } from '../src/generated/scenes.js'
import { loadGyre, sceneNames, type Gyre } from '../src/model.js'
import { lacksWhole, suitsPlane } from '../src/plane.js'

const known = JSON.parse(readFileSync(new URL('hashes.json', import.meta.url), 'utf8')) as Record<string, string>
const grid = { dim: 2, n: [32, 24, 1], h: 0.1 }
let gyre: Gyre

beforeAll(async () => {
  gyre = await loadGyre({ plane: true })
})
afterAll(() => gyre.destroy())

describe('the module for gases in 2D', () => {
  it('runs each scene that is listed, to the bits of the tool', async () => {
    let held = 0
    for (const name of planeNames) {
      const scene = await gyre.loadScene(name)
      const hash = known[name]
      if (hash) {
        const { dt, fps } = scene.info
        scene.step(Math.round(2 / fps / dt))
        expect([name, scene.hash()]).toEqual([name, hash])
        held++
      }
      scene.destroy()
    }
    expect(held).toBeGreaterThan(3)
  })

  it('is what scenes of these are opened with', () => {
    for (const name of sceneNames) expect([name, suitsPlane(name)]).toEqual([name, (planeNames as readonly string[]).includes(name)])
    expect(suitsPlane('no such scene')).toBe(false)
    expect(suitsPlane({ models: { gas: { grid } } })).toBe(true)
    expect(suitsPlane(JSON.stringify({ models: { air: { type: 'gas', grid }, dye: { type: 'classic', grid } } }))).toBe(true)
    expect(suitsPlane('{ "models": ')).toBe(false)
  })

  const more: [string, object, RegExp][] = [
    ['water', { models: { pond: { type: 'water', grid } } }, /water/],
    ['3D', { models: { gas: { grid: { ...grid, dim: 3, n: [8, 8, 8] } } } }, /dim is 3/],
    ['fire', { models: { gas: { grid, channels: [{ name: 'fuel' }], fire: { fuel: 'fuel' } } } }, /fire/],
    ['tracers', { models: { gas: { grid, tracers: { capacity: 9 } } } }, /tracers/],
    ['an atmosphere', { models: { gas: { grid, atmosphere: { layered: true } } } }, /atmosphere/],
    ['a picture', { models: { gas: { grid, texture: { phases: 1 } } }, view: { texture: 'paper.png' } }, /PNG|png/],
  ]
  for (const [what, scene, says] of more) {
    it(`refuses ${what}, and is not taken for it`, () => {
      expect(suitsPlane(JSON.stringify(scene))).toBe(false)
      let error: unknown
      try {
        gyre.openScene(JSON.stringify(scene), { files: { 'paper.png': new Uint8Array(8) } })
      } catch (thrown) {
        error = thrown
      }
      expect(String(error)).toMatch(says)
      expect(lacksWhole(error)).toBe(true)
    })
  }

  it('is not begun with where a property asks for more', () => {
    expect(suitsPlane('ink', { 'gas.viscosity': 0.1 })).toBe(true)
    expect(suitsPlane('ink', { 'gas.fire.fuel': 'red' })).toBe(false)
  })
})
