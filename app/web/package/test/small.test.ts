// Colours, fingers, images as arrays, names that are nearly right, scenes that come along.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { colourNumber } from '../src/colour.js'
import { fromPlain, GyreError, nearest, plainError, unknown } from '../src/error.js'
import { maskOf, npy } from '../src/image.js'
import { Native, type GyreModule } from '../src/native.js'
import { Fingers, placeIn } from '../src/pointers.js'
import { checkFileName, loadScene, sceneNames, setLines } from '../src/scenes.js'

const repository = new URL('../../../../', import.meta.url)

describe('colours', () => {
  it('are numbers', () => {
    expect(colourNumber('#0af')).toBe(0x00aaff)
    expect(colourNumber('#0afc')).toBe(0x00aaff)
    expect(colourNumber('#123456')).toBe(0x123456)
    expect(colourNumber(0xff0000)).toBe(0xff0000)
    expect(colourNumber(undefined)).toBe(-1)
  })
  it('are refused where they are none', () => {
    for (const bad of ['#12', '#ggg', 'nocolour', -1, 0x1000000, NaN, 0.5]) {
      expect(() => colourNumber(bad)).toThrow(/is no colour/)
    }
  })
})

describe('errors', () => {
  it('name what is nearest', () => {
    expect(nearest('ink_dorp', sceneNames)).toBe('ink_drop')
    expect(nearest('xyzzy', sceneNames)).toBeUndefined()
    expect(unknown('scene', 'polo', ['pool', 'pond']).message).toBe("unknown scene 'polo': did you mean 'pool'?")
  })
  it('cross from a Worker as they are', () => {
    const error = new GyreError('format', 'a.json:3:5: no')
    const back = fromPlain(structuredClone(plainError(error)))
    expect(back).toBeInstanceOf(GyreError)
    expect((back as GyreError).code).toBe('format')
    expect(back.message).toBe(error.message)
    expect(fromPlain(plainError(new TypeError('t'))).name).toBe('TypeError')
    expect(fromPlain(plainError('word')).message).toBe('word')
  })
})

describe('addresses', () => {
  it('above 2 GiB are no numbers below 0', () => {
    const native = new Native({ _web_malloc: () => -2129699704 } as unknown as GyreModule, 1)
    expect(native.allocate(8)).toBe(2165267592)
  })
})

describe('fingers', () => {
  it('get the lowest free number and keep it', () => {
    const fingers = new Fingers()
    expect([fingers.take(1007), fingers.take(1008), fingers.take(1007)]).toEqual([0, 1, 0])
    expect(fingers.drop(1007)).toBe(0)
    expect(fingers.take(1009)).toBe(0)
    expect(fingers.take(1010)).toBe(2)
    expect(fingers.drop(5)).toBeUndefined()
  })
  it('are placed in the canvas from its upper left corner', () => {
    const canvas = { getBoundingClientRect: () => ({ left: 10, top: 20, width: 200, height: 100 }) } as Element
    expect(placeIn(canvas, { clientX: 10, clientY: 20 })).toEqual([0, 0])
    expect(placeIn(canvas, { clientX: 110, clientY: 95 })).toEqual([0.5, 0.75])
  })
})

describe('images', () => {
  it('have their bottom row first, as brightness', () => {
    const pixels = [255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 0, 255]
    const { values } = maskOf(pixels, 2, 2)
    expect([...values].map((v) => Number(v.toFixed(4)))).toEqual([0, 0.7152, 1, 0])
    expect([...maskOf(pixels, 2, 2, true).values].map((v) => Number(v.toFixed(4)))).toEqual([1, 0.2848, 0, 1])
  })
  it('count by opacity where there is transparency', () => {
    expect([...maskOf([0, 0, 0, 255, 255, 255, 255, 0], 2, 1).values]).toEqual([1, 0])
  })
  it('are .npy files: a header of a multiple of 64 bytes, then the numbers', () => {
    const file = npy({ width: 2, height: 1, values: new Float32Array([0.25, 1]) })
    expect(file.length % 64).toBe(8)
    expect([...file.slice(0, 8)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0])
    const length = file[8]! + 256 * file[9]!
    expect(10 + length).toBe(file.length - 8)
    const header = new TextDecoder().decode(file.slice(10, 10 + length))
    expect(header).toBe(`{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }`.padEnd(length - 1) + '\n')
    expect([...new Float32Array(file.slice(-8).buffer)]).toEqual([0.25, 1])
  })
})

describe('scenes', () => {
  it('are all of scene/, and the list of names is up to date', () => {
    const files = readdirSync(new URL('scene/', repository)).filter((f) => f.endsWith('.json'))
    for (const file of files) expect(sceneNames).toContain(file.slice(0, -5))
    execFileSync('node', ['tools/scenes.mjs', '--check'], { cwd: new URL('..', import.meta.url) })
  })
  it('bring the files that they name', async () => {
    const scene = await loadScene('duck_pond')
    expect(scene.file).toBe('duck_pond.json')
    expect(Object.keys(scene.files).sort()).toEqual(['duck_points.npy', 'duck_triangles.npy'])
    expect(scene.files['duck_points.npy']!.length).toBe(8600)
    expect((await loadScene('smoke')).file).toBe('coloured_smoke.json')
  })
  it('are also texts and objects', async () => {
    expect((await loadScene('  {"models": {}}')).text).toBe('  {"models": {}}')
    expect((await loadScene({ title: 'x' })).text).toBe('{\n  "title": "x"\n}')
    const files = { 'a.npy': new Uint8Array([1]), 'b.npy': new Blob([new Uint8Array([2, 3])]) }
    expect((await loadScene('{}', files)).files).toEqual({ 'a.npy': new Uint8Array([1]), 'b.npy': new Uint8Array([2, 3]) })
  })
  it('are refused where they are none', async () => {
    await expect(loadScene('ink_dorp')).rejects.toThrow("unknown scene 'ink_dorp': did you mean 'ink_drop'?")
    await expect(loadScene('toString')).rejects.toThrow(/unknown scene/)
    await expect(loadScene(7 as never)).rejects.toThrow(/a name, the text of a scene or its object was expected/)
    await expect(loadScene('{}', { '../x': new Uint8Array() })).rejects.toThrow(/no name of a file/)
    for (const bad of ['', '.', '..', 'a/b', 'a\\b', 'a\0']) expect(() => checkFileName(bad)).toThrow(/no name of a file/)
  })
  it('are set before they are made, a line each', () => {
    expect(setLines({ 'gas.viscosity': 0.1, 'gas.grid.n': [8, 8, 1], 'gas.sides.x_low.rule': 'open' })).toBe(
      'gas.viscosity=0.1\ngas.grid.n=[8,8,1]\ngas.sides.x_low.rule=open',
    )
    expect(setLines({})).toBeNull()
    expect(() => setLines({ a: 'x\ny=1' })).toThrow(/one line/)
  })
})
