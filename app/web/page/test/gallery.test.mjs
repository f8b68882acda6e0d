// gallery.test.mjs: every scene of the gallery draws what it should. GYRE_SLOW=1: all of them, and ten
// minutes of one with its memory watched; else one of each kind.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { browser, difference, folder, look, measure, open, patience, serve, until } from './common.mjs'

const slow = process.env.GYRE_SLOW === '1'
const root = join(import.meta.dirname, '../../../..')
let site, chrome

before(async () => { site = await serve(); chrome = await browser() })
after(async () => { await chrome?.close(); await site?.close() })

// What holds of pictures of a kind: [red, green, blue] of the mean.
const kinds = {
  campfire: ([r, g, b]) => r > 1.2 * b && r > g,
  duck_pond: ([r, g, b]) => g > 20 && b > 15 && r + g + b > 90,
  two_inks: ([r, g, b]) => b > 60 && g > 60 && r + g + b > 250,
  classic_jet: ([, , b]) => b > 100,
  marbling: ([r, g, b]) => r + g + b > 150,
  plume: ([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) < 30,
  open_sea: ([r, , b]) => b >= r,
  colliding_jets: ([r, , b]) => r > b,
}
const all = readdirSync(join(root, 'scene')).filter((n) => n.endsWith('.json')).map((n) => n.slice(0, -5))

for (const id of slow ? all : Object.keys(kinds)) {
  test(`${id} draws what it should, and moves`, async () => {
    const { page, complaints } = await open(chrome.context, `${site.url}?ratio=0.5#${id}`)
    try {
      await until(page, 1)
      const first = await look(page), m = measure(first)
      assert.ok(Math.max(...m.deviation) > 2, `blank: ${JSON.stringify(m)}`)
      const from = await page.evaluate(() => Number(document.body.dataset.frame))
      await until(page, from + 30)
      const then = await look(page)
      assert.ok(difference(first, then) > 0.02, `stands still: ${difference(first, then)}`)
      const { mean } = measure(then)
      assert.ok(kinds[id]?.(mean) ?? true, `another colour: ${mean}`)
      if (process.env.GYRE_SHOTS) await sharp(then.png).toFile(join(process.env.GYRE_SHOTS, `${id}.png`))
      assert.deepEqual(complaints, [])
    } finally {
      await page.close()
    }
  })
}

test('every scene stands in the gallery, with its picture', async () => {
  const { page, complaints } = await open(chrome.context, `${site.url}?paused&ratio=0.5`)
  await page.setViewportSize({ width: 900, height: 600 })
  await page.click('[data-sheet="scenes"]')
  const cards = await page.evaluate(() => [...document.querySelectorAll('.card')].map((c) => c.dataset.id))
  assert.deepEqual([...all, 'dye', 'paper'].filter((id) => !cards.includes(id)), [])
  await page.evaluate(() => { for (const i of document.querySelectorAll('.card img')) i.loading = 'eager' })
  await page.waitForFunction(() => [...document.querySelectorAll('.card img')].every((i) => i.complete && i.naturalWidth > 0), null, { timeout: patience })
  await page.fill('#sheet input[type=search]', 'duck')
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.card')].filter((c) => c.offsetParent).map((c) => c.dataset.id)), ['duck_pond'])
  await page.click('[data-id="duck_pond"]')
  await page.waitForFunction(() => gyre.stage.fluid.info.title === 'Duck pond', null, { timeout: patience })
  assert.equal(await page.evaluate(() => location.hash), '#duck_pond')
  await page.goBack()
  await page.waitForFunction(() => gyre.stage.fluid.info.title === 'Dye in colour', null, { timeout: patience })
  assert.deepEqual(complaints, [])
  await page.close()
})

test('nothing of the tests is served', () => {
  for (const name of readdirSync(folder, { recursive: true })) assert.ok(!/mock|test/.test(name), name)
})

test('memory is steady', { skip: slow ? false : 'slow: GYRE_SLOW=1' }, async () => {
  const { page } = await open(chrome.context, `${site.url}?ratio=0.3`)
  const session = await chrome.context.newCDPSession(page)
  const size = async () => { await session.send('HeapProfiler.collectGarbage'); return (await session.send('Runtime.getHeapUsage')).usedSize }
  await until(page, 60)
  const begin = await size(), started = Date.now(), minutes = Number(process.env.GYRE_MINUTES ?? 10)
  const bytes = await page.evaluate(async () => (await gyre.stage.fluid.stats()).bytes)
  while (Date.now() - started < minutes * 60000) {
    const at = await page.evaluate(() => Number(document.body.dataset.frame))
    await until(page, at + 60)
  }
  assert.equal(await page.evaluate(async () => (await gyre.stage.fluid.stats()).bytes), bytes)
  const end = await size()
  assert.ok(end < begin + 4e6, `${begin} bytes at first, ${end} after ${minutes} minutes`)
  await page.close()
})
