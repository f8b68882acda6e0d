// Importing touches nothing: on a server there is no window, no document, and none is made.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const here = new URL('..', import.meta.url)
const run = (script: string): string =>
  execFileSync('node', ['--input-type=module', '-e', script], { cwd: here, encoding: 'utf8' }).trim()

describe('in Node.js', () => {
  it('both entries are imported, and no global is read or written', () => {
    const text = run(`
      for (const name of ['window', 'document', 'navigator', 'Worker', 'OffscreenCanvas']) {
        Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(name + ' was touched') } })
      }
      const before = Object.getOwnPropertyNames(globalThis).length
      const page = await import('gyre-fluid')
      const model = await import('gyre-fluid/model')
      console.log(Object.keys(page).sort().join(), Object.keys(model).sort().join(), Object.getOwnPropertyNames(globalThis).length - before)
    `)
    expect(text).toBe('GyreError,createFluid,prepareFluid,sceneNames FieldView,Gyre,GyreError,Model,Scene,loadGyre,sceneNames 0')
  })
  it('a page is asked for where there is none', () => {
    expect(run(`const { createFluid } = await import('gyre-fluid'); await createFluid(null).catch((e) => console.log(e.code, e.message))`)).toBe(
      'unsupported there is no page here: createFluid() is for browsers; gyre-fluid/model runs anywhere',
    )
  })
  it('a machine without WebAssembly or its vectors is told so', () => {
    const ask = `const { loadGyre } = await import('gyre-fluid/model'); await loadGyre().catch((e) => console.log(e.code, e.message))`
    expect(run(`delete globalThis.WebAssembly; ${ask}`)).toMatch(/^unsupported this browser has no WebAssembly,/)
    expect(run(`WebAssembly.validate = () => false; ${ask}`)).toMatch(/^unsupported this browser has no WebAssembly SIMD/)
  })
  it('ends by itself: nothing keeps the process', () => {
    expect(run(`const { loadGyre } = await import('gyre-fluid/model'); const g = await loadGyre(); g.createModel('gas').step(0.01); console.log('done')`)).toBe('done')
  })
})

describe('the package', () => {
  it('has every file that its entries name', () => {
    const { exports } = JSON.parse(readFileSync(new URL('package.json', here), 'utf8'))
    for (const entry of ['.', './model']) for (const file of Object.values(exports[entry] as Record<string, string>)) {
      expect(existsSync(new URL(file, here))).toBe(true)
    }
  })
  it('has no way out to the network and no script that is run when it is installed', () => {
    const { scripts, dependencies } = JSON.parse(readFileSync(new URL('package.json', here), 'utf8'))
    expect(Object.keys(scripts).filter((s) => /install|prepare|postpack/.test(s))).toEqual([])
    expect(dependencies).toBeUndefined()
  })
})
