// page.test.mjs: the page round the fluid: links, texts, keys, narrow screens, what is bad.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { transformWithOxc } from 'vite'
import { browser, folder, open, patience, serve, software, until } from './common.mjs'

let site, chrome

before(async () => { site = await serve(); chrome = await browser() })
after(async () => { await chrome?.close(); await site?.close() })

/** A module of the page that needs nothing else. */
async function source(name) {
  const path = join(import.meta.dirname, '..', 'src', name)
  const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path)
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

const deflated = async (text) => {
  const bytes = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer())
  return 's1=' + Buffer.from(bytes).toString('base64url')
}

test('a link is read with bounds', async () => {
  const { decode, LETTERS, plain } = await source('link.ts')
  assert.equal(await decode('ink_drop'), null)
  const good = await decode(await deflated(JSON.stringify({ v: 1, text: '{}', name: '../a b/Ä.JSON', mark: { step: 3, hash: '0123456789abcdef' } })))
  assert.deepEqual(good, { text: '{}', name: 'a_b_json', mark: { step: 3, hash: '0123456789abcdef' } })
  for (const mark of [{ step: -1, hash: '0123456789abcdef' }, { step: 2.5, hash: '0123456789abcdef' }, { step: 1, hash: '<img>' }, 7]) {
    assert.equal((await decode(await deflated(JSON.stringify({ v: 1, text: '{}', mark })))).mark, undefined)
  }
  await assert.rejects(decode('s1=%%'), /letters/)
  await assert.rejects(decode('s1=AAAA'), /damaged/)
  await assert.rejects(decode('s1=' + 'A'.repeat(LETTERS)), /longer than 96 KB/)
  await assert.rejects(decode(await deflated(' '.repeat(4 << 20))), /unfolds to more than 256 KB/)
  await assert.rejects(decode(await deflated('{"v":2,"text":"{}"}')), /another version/)
  await assert.rejects(decode(await deflated('[1]')), /another version|no scene/)
  await assert.rejects(decode(await deflated('{"v":1,"text":4}')), /no scene/)
  const whole = await deflated(JSON.stringify({ v: 1, text: '{"models":{}}' }))
  await assert.rejects(decode(whole.slice(0, -8)), /damaged/)
  assert.equal(plain('..'), 'scene')
})

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string', description: 'its name' },
    view: { type: 'object', properties: { mode: { enum: ['auto', 'map'], default: 'auto' }, glow: { type: 'boolean' } } },
    models: {
      type: 'object',
      properties: { gas: { allOf: [{ if: { properties: { type: { const: 'water' } }, required: ['type'] }, then: { $ref: '#/$defs/water' } }, { if: { not: { required: ['type'] } }, then: { $ref: '#/$defs/gas' } }] } },
      additionalProperties: { allOf: [{ if: { properties: { type: { const: 'water' } }, required: ['type'] }, then: { $ref: '#/$defs/water' } }] },
    },
  },
  $defs: {
    gas: { type: 'object', properties: { viscosity: { type: 'number', minimum: 0, maximum: 5, default: 0, description: 'thick (m^2/s)' }, emitters: { type: 'array', items: { type: 'object', properties: { density: { type: 'number' }, enabled: { type: 'boolean' } } } } } },
    water: { type: 'object', properties: { rain: { type: 'number' } } },
  },
}

test('completion knows what may stand where, in texts that are not whole', async () => {
  const { complete, place } = await source('complete.ts')
  const at = (text) => { const pos = text.indexOf('|'); return complete(schema, text.replace('|', ''), pos) }
  const labels = (text) => at(text)?.choices.map((c) => c.label)
  assert.deepEqual(labels('{ "ti|'), ['title', 'view', 'models'])
  assert.deepEqual(labels('{ "title": "x", "|" }'), ['view', 'models'])
  assert.deepEqual(labels('{ "models": { "gas": { | } } }'), ['viscosity', 'emitters'])
  assert.deepEqual(labels('{ "models": { "gas": { "type": "water", "|'), ['rain'])
  assert.deepEqual(labels('{ "models": { "lake": { "type": "water", "|" } } }'), ['rain'])
  assert.deepEqual(labels('{ "models": { "gas": { "emitters": [ { "density": 1 }, { "|'), ['density', 'enabled'])
  assert.deepEqual(labels('{ "models": { "gas": { "emitters": [ { "enabled": |'), ['true', 'false'])
  assert.deepEqual(labels('{ "view": { "mode": "|" } }'), ['auto', 'map'])
  assert.deepEqual(labels('{ "view": { "glow": tr| } }'), ['true', 'false'])
  const [choice] = at('{ "models": { "gas": { "vis| } } }').choices
  assert.deepEqual([choice.insert, choice.detail, choice.info], ['"viscosity": 0', '0 to 5', 'thick (m^2/s)'])
  assert.equal(at('{ "ti|": 1 }').choices[0].insert, '"title"')
  // Never without end, whatever stands there.
  for (const text of ['', '{', '[[[[', '{"a":', '}{', '{]', '{"a" "b" 3 4', '"', ',,,:::', '{"models":{"gas":{"emitters":[}]']) {
    for (let pos = 0; pos <= text.length; pos++) complete(schema, text, pos)
  }
  complete(schema, '['.repeat(100000), 50000)
  assert.deepEqual(place('scene.json:12:5: gas.viscosity is -1'), { line: 12, column: 5, what: 'gas.viscosity is -1' })
  assert.equal(place('the device has no memory'), null)
})

test('a slider goes from one end to the other and back', async () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'src', 'panel.ts'), 'utf8').replace(/^import .*$/gm, '')
  const { code } = await transformWithOxc(text, 'panel.ts')
  const { scale } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  for (const [low, high, now, initial, whole] of [[0, 1, 0.5, 0, false], [0, 1e6, 1e-4, 0, false], [-1e4, 1e4, -9.81, -9.81, false], [1, 100000, 20, 20, true], [1e-3, 1e6, 1e4, 1e4, false]]) {
    const way = scale(low, high, now, initial, whole)
    assert.equal(way.to(0), low)
    assert.equal(way.to(1), high)
    assert.ok(Math.abs(way.to(way.from(now)) - now) <= 1e-3 * Math.abs(now) + 1e-9, `${now} comes back as ${way.to(way.from(now))}`)
    for (let t = 0, before = -Infinity; t <= 1; t += 0.01) { const v = way.to(t); assert.ok(v >= before); before = v }
  }
})

test('opens, says nothing to the console, and every control has a name', async () => {
  const { page, complaints } = await open(chrome.context, site.url)
  await until(page, 3)
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas')].filter((e) => e.getClientRects().length && !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.title)).map((e) => e.outerHTML))
  assert.deepEqual(nameless, [])
  // The order of the focus: the link that skips, the fluid, the controls.
  const order = []
  await page.evaluate(() => document.activeElement?.blur())
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press('Tab')
    order.push(await page.evaluate(() => document.activeElement.className === 'skip' ? 'skip' : document.activeElement.id || document.activeElement.getAttribute('aria-label')))
  }
  assert.deepEqual(order, ['skip', 'canvas', 'Scenes', 'pause'])
  assert.match(await page.textContent('#summary'), /Dye in colour\..*cells/)
  assert.equal(await page.getAttribute('#notes', 'aria-live'), 'polite')
  assert.deepEqual(complaints, [])
  await page.close()
})

test('320 pixels are wide enough for everything', async () => {
  const { page, complaints } = await open(chrome.context, site.url)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const sheet of ['scenes', 'hand', 'tune', 'picture', 'write', 'share', 'help']) {
    await page.evaluate((n) => document.querySelector(`[data-sheet="${n}"]`).click(), sheet)
    await page.waitForFunction(() => document.querySelector('#sheet-body').textContent.length > 20)
    const wide = await page.evaluate(() => [document.documentElement, document.getElementById('sheet-body'), document.getElementById('sheet'), document.getElementById('dock')]
      .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth + 1).map((e) => `${e.id || e.tagName}: ${e.scrollWidth} in ${e.clientWidth}`))
    assert.deepEqual(wide, [], sheet)
    await page.evaluate(() => document.getElementById('sheet-close').click())
  }
  assert.equal(await page.evaluate(() => { document.getElementById('more').click(); const d = document.getElementById('dock').getBoundingClientRect(); return d.left >= 0 && d.right <= innerWidth && d.bottom <= innerHeight }), true)
  assert.deepEqual(complaints, [])
  await page.close()
})

test('keys open and close, pause and go one step', async () => {
  const { page } = await open(chrome.context, site.url)
  await until(page, 2)
  await page.focus('#canvas')
  await page.keyboard.press('g')
  await page.waitForSelector('#sheet:not([hidden])')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'sheet-title')
  await page.keyboard.press('Escape')
  await page.waitForSelector('#sheet', { state: 'hidden' })
  assert.equal(await page.evaluate(() => document.activeElement.id), 'canvas')
  await page.keyboard.press(' ')
  await page.waitForSelector('body[data-running="false"]')
  const step = () => page.evaluate(async () => (await gyre.stage.fluid.stats()).step)
  const still = await step()
  await page.keyboard.press('n')
  await page.waitForFunction(async (n) => (await gyre.stage.fluid.stats()).step === n, still + 1)
  await page.close()
})

test('what an address asks for and is not there is told, and another scene comes', async () => {
  for (const [fragment, message] of [['no_such_scene', /no_such_scene.*not on the shelf/], ['s1=AAAA', /damaged/], ['s1=' + 'A'.repeat(99000), /longer than 96 KB/]]) {
    const { page } = await open(chrome.context, `${site.url}#${fragment}`)
    assert.match(await page.textContent('.note.error'), message)
    assert.equal(await page.evaluate(() => document.body.dataset.scene), 'dye')
    await page.close()
  }
})

test('the paper’s fluid in whole numbers: moves, takes a hand, has the same digits everywhere', async () => {
  const { page, complaints } = await open(chrome.context, `${site.url}#paper`)
  await page.waitForSelector('canvas.paper')
  await page.waitForFunction(() => gyre.paper.steps > 3, null, { timeout: patience })
  const hashes = await page.evaluate(() => {
    gyre.paper.running = false
    gyre.paper.restart()
    while (gyre.paper.steps < 20) gyre.paper.step()
    const first = gyre.paper.hash
    gyre.paper.hand(1, 'down', 0.5, 0.5, 0); gyre.paper.hand(1, 'move', 0.6, 0.5, 0); gyre.paper.hand(1, 'up', 0.6, 0.5, 0)
    gyre.paper.step()
    const lit = gyre.paper.canvas.getContext('2d').getImageData(92, 79, 1, 1).data
    return { first, poured: gyre.paper.hash, red: lit[0], blue: lit[2] }
  })
  assert.equal(hashes.first, PAPER_HASH)
  assert.notEqual(hashes.poured, hashes.first)
  assert.ok(hashes.red > 100 && hashes.red > hashes.blue, JSON.stringify(hashes))
  await page.evaluate(() => gyre.openShelf('dye'))
  await page.waitForSelector('canvas.paper', { state: 'detached' })
  assert.deepEqual(complaints, [])
  await page.close()
})

// FNV-1a of velocity and dye after 20 steps: of the module run by Node.js, too (see below).
const PAPER_HASH = await (async () => {
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'paper.wasm')), {})
  const its = instance.exports
  its.paper_open()
  for (let t = 0; t < 20; t++) {
    its.paper_hand(20 + Math.floor(t / 3), 66, 0, 2, 0)
    its.paper_hand(140 - Math.floor(t / 3), 94, 1, -2, 0)
    its.paper_step()
  }
  return (its.paper_hash() >>> 0).toString(16).padStart(8, '0')
})()
test('the paper’s fluid has the digits that it had', () => assert.equal(PAPER_HASH, 'b8dbe848'))

test('without WebGL 2 a sentence says so, and the paper’s fluid runs', async () => {
  // Neither a card nor a processor draws, on the page and in Workers: no picture comes there at all.
  const none = await browser({}, ['--disable-gpu', '--disable-software-rasterizer'])
  try {
    const { page } = await open(none.context, `${site.url}?nosw`, false)
    await page.waitForFunction(() => document.body.dataset.state === 'failed', null, { timeout: patience, polling: 200 })
    assert.match(await page.evaluate(() => document.querySelector('#invite.wall').textContent), /there is no WebGL 2/)
  } finally {
    await none.close()
  }
  // Pages are drawn, but get no WebGL.
  const bare = await browser({}, [...software, '--disable-3d-apis'])
  try {
    const { page } = await open(bare.context, `${site.url}?nosw&worker=0`, false)
    await page.waitForSelector('#invite.wall', { timeout: patience })
    assert.match(await page.textContent('#invite'), /there is no WebGL 2/)
    await page.evaluate(() => document.querySelector('#invite button').click())
    await page.waitForFunction(() => gyre.paper?.steps > 2, null, { timeout: patience })
  } finally {
    await bare.close()
  }
})

// ---- scenes that are not trusted ----

const hostile = {
  'too many cells': ['{"models":{"gas":{"grid":{"dim":3,"n":[4000,4000,4000],"h":0.1}}}}', /cells/],
  'cells beyond what numbers hold': ['{"models":{"gas":{"grid":{"dim":3,"n":[1e300,1,1],"h":0.1}}}}', /n/],
  'too many particles': ['{"models":{"gas":{"grid":{"dim":2,"n":[32,32,1],"h":0.1},"particles":[{"name":"p","capacity":100000000}]}}}', /particles|capacity/],
  'lists in lists': ['{"models":' + '['.repeat(30000) + ']'.repeat(30000) + '}', /deep|depth|nest|expected|maximum/i],
  'a file of the machine': ['{"models":{"gas":{"grid":{"dim":2,"n":[32,32,1],"h":0.1},"texture":{"phases":2}}},"view":{"texture":"../../../etc/passwd"}}', /passwd/],
  'a file of another server': ['{"models":{"gas":{"grid":{"dim":2,"n":[32,32,1],"h":0.1},"texture":{"phases":2}}},"view":{"texture":"https://example.com/a.png"}}', /example/],
  'a mistake': ['{"models":{"gas":{"viscosty":1}}}', /viscosity/],
  'no JSON': ['{"models":', /expected|:\d+:\d+/],
}

test('scenes of an address are bounded before anything is made, and told', async () => {
  for (const [what, [text, message]] of Object.entries(hostile)) {
    const fragment = await deflated(JSON.stringify({ v: 1, text, name: what }))
    const { page } = await open(chrome.context, `${site.url}?nosw&paused&ratio=0.5#${fragment}`, false)
    const outside = []
    page.on('request', (r) => { if (!r.url().startsWith(site.url) && !/^(blob|data):/.test(r.url())) outside.push(r.url()) })
    await page.waitForSelector('.note.error', { timeout: patience })
    assert.match(await page.textContent('.note.error'), message, what)
    assert.deepEqual(outside, [], what)
    await page.waitForSelector('body[data-state="open"]', { timeout: patience })
    assert.equal(await page.evaluate(() => document.body.dataset.scene), 'dye')
    assert.match(await page.textContent('.note.error'), message, what)
    await page.close()
  }
})

test('names and texts of a scene are shown as they are, and run nothing', async () => {
  const title = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
  const text = JSON.stringify({ title, doc: `${title}${'long '.repeat(20)}`, models: { gas: { grid: { dim: 2, n: [32, 32, 1], h: 0.1 }, emitters: [{ name: 'x', shape: { sphere: { centre: [1, 1, 0], radius: 0.2 } } }] } } })
  const { page, complaints } = await open(chrome.context, `${site.url}?nosw&paused&ratio=0.5#${await deflated(JSON.stringify({ v: 1, text, name: title }))}`)
  assert.equal(await page.textContent('#title'), title)
  await page.evaluate(() => document.querySelector('[data-sheet="tune"]').click())
  await page.waitForSelector('.property', { state: 'attached' })
  await page.evaluate(() => document.querySelector('[data-sheet="share"]').click())
  assert.deepEqual(await page.evaluate(() => [globalThis.hit, document.querySelectorAll('#head img, #head script, #sheet img, #sheet script').length]), [undefined, 0])
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok(wide[0] <= wide[1], `${wide}`)
  assert.deepEqual(complaints, [])
  await page.close()
})

test('the policy lets no script in, and nothing out', async () => {
  const { page } = await open(chrome.context, `${site.url}?nosw&paused&ratio=0.5`)
  const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content')
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/)
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/)
  const broken = await page.evaluate(async () => {
    const found = []
    document.addEventListener('securitypolicyviolation', (e) => found.push(e.effectiveDirective))
    const script = document.createElement('script')
    script.textContent = 'window.hit = 1'
    const far = document.createElement('script')
    far.src = 'https://example.com/a.js'
    const image = document.createElement('img')
    image.src = 'https://example.com/a.png'
    const frame = document.createElement('iframe')
    frame.src = 'https://example.com/'
    const button = document.createElement('button')
    button.setAttribute('onclick', 'window.hit = 1')
    const style = document.createElement('style')
    style.textContent = '* { color: red }'
    document.body.append(script, far, image, frame, button, style)
    button.click()
    await fetch('https://example.com/').catch(() => undefined)
    try { new Worker('data:text/javascript,1') } catch { /* told by the event */ }
    await new Promise((done) => setTimeout(done, 500))
    return { found, hit: globalThis.hit }
  })
  assert.equal(broken.hit, undefined)
  for (const directive of ['script-src-elem', 'img-src', 'frame-src', 'script-src-attr', 'style-src-elem', 'connect-src', 'worker-src']) {
    assert.ok(broken.found.includes(directive), `${directive} was not refused: ${broken.found}`)
  }
  await page.close()
})

test('without WebAssembly or its vectors a sentence says so, and the paper’s fluid runs where it can', async () => {
  for (const [missing, message, begin] of [
    ['vectors', /WebAssembly SIMD.*Chrome from 91/, () => { WebAssembly.validate = () => false }],
    ['WebAssembly', /no WebAssembly/, () => { delete globalThis.WebAssembly }],
  ]) {
    const page = await chrome.context.newPage()
    await page.addInitScript(begin)
    await page.goto(`${site.url}?nosw`)
    await page.waitForSelector('#invite.wall', { timeout: patience })
    assert.match(await page.textContent('#invite'), message)
    await page.evaluate(() => document.querySelector('#invite button').click())
    if (missing === 'vectors') await page.waitForFunction(() => gyre.paper?.steps > 2, null, { timeout: patience })
    else await page.waitForSelector('.note.error:has-text("could not be loaded")', { timeout: patience })
    await page.close()
  }
})

test('a browser without a recorder is told so', async () => {
  const { page } = await open(chrome.context, site.url)
  await page.evaluate(() => { delete globalThis.MediaRecorder; document.getElementById('record').click() })
  assert.match(await page.textContent('.note.error'), /cannot record a canvas \(it has no MediaRecorder\)/)
  await page.close()
})
