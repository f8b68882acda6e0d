// measure.mjs: npm run measure: how long the page takes to its first moving picture, from an empty cache and
// from a full one, and how it does at 4K. The browser has shown a page before, as a visitor's has, or else
// its own start is what is measured; GYRE_FRESH=1: it has not. What it prints holds for this machine, as
// busy as it is, and for Chromium's software renderer. GYRE_BESIDE: the folder of another build of the page,
// in turns with this one. GYRE_SHOTS: a folder for pictures.
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serve } from '../../serve.mjs'
import { browser, folder, patience } from './common.mjs'

const rounds = Number(process.env.GYRE_ROUNDS ?? 5)
const folders = [folder, ...(process.env.GYRE_BESIDE ? [process.env.GYRE_BESIDE] : [])]
const sites = await Promise.all(folders.map((f) => serve(pathToFileURL(f + '/'))))
const [{ address }] = sites
const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1]

/** Milliseconds since the navigation began. */
async function times(page) {
  await page.waitForFunction(() => performance.getEntriesByName('moves').length > 0, null, { timeout: patience, polling: 50 })
  return page.evaluate(() => {
    const wasm = performance.getEntriesByType('resource').find((r) => r.name.endsWith('.wasm') && !r.name.endsWith('paper.wasm'))
    return {
      moves: performance.getEntriesByName('moves')[0].startTime,
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      module: wasm?.responseEnd ?? 0, asked: wasm?.startTime ?? 0, bytes: wasm?.transferSize ?? 0,
    }
  })
}

const tell = (what, all) => console.log(`${what}: moves after ${Math.min(...all.map((t) => t.moves)).toFixed(0)} ms at best, ${middle(all.map((t) => t.moves)).toFixed(0)} in the middle of ${all.length}; ` +
  `first paint ${middle(all.map((t) => t.paint)).toFixed(0)}, module asked for at ${middle(all.map((t) => t.asked)).toFixed(0)} and there at ${middle(all.map((t) => t.module)).toFixed(0)} (${all[0].bytes} bytes)`)

console.log(`${availableParallelism()} processors, load ${loadavg().map((l) => l.toFixed(1)).join(' ')}`)
const cold = folders.map(() => []), warm = folders.map(() => [])
for (let i = 0; i < rounds * folders.length; i++) {
  const which = i % folders.length
  const chrome = await browser({ viewport: { width: 1280, height: 720 } })
  const page = await chrome.context.newPage()
  if (!process.env.GYRE_FRESH) {
    await page.setContent('<p>Another page</p>')
    await page.waitForTimeout(2500)
  }
  await page.goto(`${sites[which].address}?nosw`)
  cold[which].push(await times(page))
  await page.reload()
  warm[which].push(await times(page))
  await chrome.close()
}
for (const [which, name] of folders.entries()) {
  if (which) console.log(`beside it, ${name}:`)
  tell('empty cache', cold[which])
  tell('full cache', warm[which])
}

const chrome = await browser({ viewport: { width: 3840, height: 2160 } })
const page = await chrome.context.newPage()
await page.goto(`${address}?nosw`)
await times(page)
await page.waitForFunction(async () => (await gyre.stage.fluid.stats()).fps > 0, null, { timeout: patience, polling: 500 })
await page.waitForTimeout(6000)
const stats = await page.evaluate(async () => ({ ...(await gyre.stage.fluid.stats()), scale: (await gyre.stage.fluid.getLook()).scale, notes: document.getElementById('notes').textContent }))
console.log(`4K: ${stats.width} x ${stats.height} pixels, ${stats.fps.toFixed(1)} pictures a second, step ${stats.stepTime.toFixed(1)} ms, draw ${stats.drawTime.toFixed(1)} ms, ${stats.speed.toFixed(2)} of real time, inner scale ${stats.scale}; ${stats.notes}`)
if (process.env.GYRE_SHOTS) await page.screenshot({ path: join(process.env.GYRE_SHOTS, '4k.png'), timeout: patience })
await chrome.close()
for (const site of sites) await site.close()
