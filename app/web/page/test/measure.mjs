// measure.mjs: npm run measure: how long the page takes to its first moving picture, from an empty cache and
// from a full one, and how it does at 4K. The browser has shown a page before, as a visitor's has, or else
// its own start is what is measured; GYRE_FRESH=1: it has not. What it prints holds for this machine, as
// busy as it is, and for Chromium's software renderer. GYRE_BESIDE: the folder of another build of the page,
// in turns with this one. GYRE_SHOTS: a folder for pictures.
import { readdirSync, readFileSync } from 'node:fs'
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

/** Milliseconds of processor time that the browser of this folder has used, by its threads' names; on Linux alone. */
function busy(data) {
  const parent = new Map(), all = new Map(), used = new Map()
  let first = 0
  try {
    for (const pid of readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
      try {
        all.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
        parent.set(pid, /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))[1])
      } catch { /* it has ended */ }
    }
    first = [...all].find(([pid, words]) => words.includes(`--user-data-dir=${data}`) && !all.get(parent.get(pid))?.includes(data))?.[0]
    const ours = (pid) => pid !== undefined && (pid === first || ours(parent.get(pid)))
    for (const [pid, words] of all) {
      if (!ours(pid)) continue
      const kind = /--type=([a-z-]+)/.exec(words)?.[1] ?? 'browser'
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1'), [name] = /\(.*?(?=\) \S \d)/.exec(stat)
        const [spent] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
        const what = kind === 'renderer' ? name.slice(1).replace(/[\d/]+$/, '') : kind
        used.set(what, (used.get(what) ?? 0) + Number(spent) / 1e6)
      }
    }
  } catch { /* not this system, or one that has just ended */ }
  return used
}

/** Milliseconds since the navigation began. */
async function times(page, data) {
  const before = busy(data)
  await page.waitForFunction(() => performance.getEntriesByName('moves').length > 0, null, { timeout: patience, polling: 20 })
  const spent = [...busy(data)].map(([what, ms]) => [what, ms - (before.get(what) ?? 0)]).filter(([, ms]) => ms > 1)
  const seen = await page.evaluate(() => {
    const wasm = performance.getEntriesByType('resource').find((r) => r.name.endsWith('.wasm') && !r.name.endsWith('paper.wasm'))
    return {
      moves: performance.getEntriesByName('moves')[0].startTime,
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      module: wasm?.responseEnd ?? 0, asked: wasm?.startTime ?? 0, bytes: wasm?.transferSize ?? 0,
      origin: performance.timeOrigin, marks: performance.getEntriesByType('mark').map((m) => [m.name, m.startTime]),
    }
  })
  const own = (worker) => worker.evaluate(() => performance.getEntriesByType('mark').map((m) => [m.name, performance.timeOrigin + m.startTime])).catch(() => [])
  const marks = (await Promise.all(page.workers().map(own))).flat().filter(([name]) => name.startsWith('gyre:'))
  seen.stages = new Map([['paint', seen.paint], ...seen.marks, ...marks.map(([name, at]) => [name.slice(5), at - seen.origin])].filter(([name]) => name !== 'moves'))
  seen.stages.set('told', seen.moves)
  seen.spent = new Map(spent)
  return seen
}

/** The least and the middle time of each stage, in their order. */
function stages(all) {
  const names = [...all[0].stages.keys()].filter((name) => all.every((t) => t.stages.has(name)))
  const rows = names.map((name) => [name, all.map((t) => t.stages.get(name))]).toSorted((a, b) => middle(a[1]) - middle(b[1]))
  const each = [...new Set(all.flatMap((t) => [...t.spent.keys()]))].map((what) => [what, Math.min(...all.map((t) => t.spent.get(what) ?? 0))]).filter(([, ms]) => ms >= 5).toSorted((a, b) => b[1] - a[1])
  const whole = Math.min(...all.map((t) => [...t.spent.values()].reduce((a, b) => a + b, 0)))
  console.log(`  processor time till then ${whole.toFixed(0)} ms at best: ${each.map(([what, ms]) => `${what} ${ms.toFixed(0)}`).join(', ')}`)
  console.log(`  ${rows.map(([name, at]) => `${name} ${Math.min(...at).toFixed(0)} (${middle(at).toFixed(0)})`).join(', ')}`)
}

const tell = (what, all) => console.log(`${what}: moves after ${Math.min(...all.map((t) => t.moves)).toFixed(0)} ms at best, ${middle(all.map((t) => t.moves)).toFixed(0)} in the middle of ${all.length}; ` +
  `first paint ${middle(all.map((t) => t.paint)).toFixed(0)}, module asked for at ${middle(all.map((t) => t.asked)).toFixed(0)} and there at ${middle(all.map((t) => t.module)).toFixed(0)} (${all[0].bytes} bytes)`)
const both = (what, all) => { tell(what, all); stages(all) }

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
  const go = page.goto(`${sites[which].address}?nosw`, { waitUntil: 'commit' })
  cold[which].push(await times(page, chrome.data))
  await go
  await page.goto('about:blank')
  await page.waitForTimeout(500)
  const again = page.goto(`${sites[which].address}?nosw`, { waitUntil: 'commit' })
  warm[which].push(await times(page, chrome.data))
  await again
  await chrome.close()
}
for (const [which, name] of folders.entries()) {
  if (which) console.log(`beside it, ${name}:`)
  both('empty cache', cold[which])
  both('full cache', warm[which])
}

const chrome = await browser({ viewport: { width: 3840, height: 2160 } })
const page = await chrome.context.newPage()
await page.goto(`${address}?nosw`)
await times(page, chrome.data)
await page.waitForFunction(async () => (await gyre.stage.fluid.stats()).fps > 0, null, { timeout: patience, polling: 500 })
await page.waitForTimeout(6000)
const stats = await page.evaluate(async () => ({ ...(await gyre.stage.fluid.stats()), scale: (await gyre.stage.fluid.getLook()).scale, notes: document.getElementById('notes').textContent }))
console.log(`4K: ${stats.width} x ${stats.height} pixels, ${stats.fps.toFixed(1)} pictures a second, step ${stats.stepTime.toFixed(1)} ms, draw ${stats.drawTime.toFixed(1)} ms, ${stats.speed.toFixed(2)} of real time, inner scale ${stats.scale}; ${stats.notes}`)
if (process.env.GYRE_SHOTS) await page.screenshot({ path: join(process.env.GYRE_SHOTS, '4k.png'), timeout: patience })
await chrome.close()
for (const site of sites) await site.close()
