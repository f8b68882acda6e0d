// common.mjs: a server of the built page, and Chromium on its software renderer.
import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'

export const folder = resolve(import.meta.dirname, '..', process.env.GYRE_OUT ?? 'dist')
export const patience = Number(process.env.GYRE_PATIENCE ?? 240000) // ms: machines that do other things as well
export const slow = !!process.env.GYRE_TEST_ALL

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml', '.webp': 'image/webp', '.png': 'image/png', '.webmanifest': 'application/manifest+json' }

/** Serves the page; `headers`: more of them. */
export async function serve(headers = {}) {
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} has no page: npm run build`)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname)
    const file = resolve(folder, '.' + (path.endsWith('/') ? `${path}index.html` : path))
    if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream', ...headers })
    response.end(readFileSync(file))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((done) => { server.closeAllConnections(); server.close(done) }) }
}

export const software = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
const args = ['--headless=new', '--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--use-fake-device-for-media-stream']

/** A browser with a folder of its own; `graphics`: what it draws with. */
export async function browser(options = {}, graphics = software) {
  const data = mkdtempSync(join(tmpdir(), 'gyre-page-'))
  const context = await chromium.launchPersistentContext(data, {
    executablePath: process.env.GYRE_CHROMIUM ?? '/usr/bin/chromium', args: [...args, ...graphics], headless: false, viewport: { width: 320, height: 240 }, ...options,
  })
  context.setDefaultTimeout(patience)
  context.setDefaultNavigationTimeout(patience)
  return { context, data, close: async () => { await context.close(); rmSync(data, { recursive: true, force: true }) } }
}

/** A page with a list of what it complained of. */
export async function open(context, address, wait = true) {
  const page = await context.newPage()
  const complaints = []
  page.on('console', (message) => { if (message.type() === 'error' || (message.type() === 'warning' && !/GPU stall|swiftshader|GL Driver/i.test(message.text()))) complaints.push(message.text()) })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(address)
  if (wait) await page.waitForSelector('body[data-state="open"]', { timeout: patience })
  return { page, complaints }
}

/** Waits until the fluid has come to a step, and its picture is on the screen. */
export async function until(page, step) {
  await page.waitForFunction((n) => Number(document.body.dataset.frame ?? -1) >= n, step, { timeout: patience, polling: 100 })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** What the fluid looks like: [red, green, blue] of each pixel, with nothing above it. */
export async function look(page) {
  const only = (shown) => page.evaluate((s) => { for (const e of document.body.children) if (e.id !== 'stage') e.style.visibility = s }, shown)
  await only('hidden')
  const png = await page.screenshot({ timeout: patience })
  await only('')
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, png }
}

/** Mean and deviation of each colour, and how many pixels have a hue. */
export function measure({ data }) {
  const mean = [0, 0, 0], square = [0, 0, 0], count = data.length / 3
  let hued = 0
  for (let i = 0; i < data.length; i += 3) {
    for (let c = 0; c < 3; c++) { mean[c] += data[i + c]; square[c] += data[i + c] ** 2 }
    hued += Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40 ? 1 : 0
  }
  return { mean: mean.map((m) => m / count), deviation: square.map((s, c) => Math.sqrt(Math.max(0, s / count - (mean[c] / count) ** 2))), hued: hued / count }
}

/** What the fluid itself draws, whatever the screen shows: as look(), with alpha where that is asked for. */
export async function drawn(page, alpha = false) {
  const bytes = await page.evaluate(async () => {
    const all = new Uint8Array(await (await gyre.stage.fluid.picture()).arrayBuffer())
    let text = ''
    for (let i = 0; i < all.length; i += 8192) text += String.fromCharCode(...all.subarray(i, i + 8192))
    return btoa(text)
  })
  const png = Buffer.from(bytes, 'base64'), image = alpha ? sharp(png).ensureAlpha() : sharp(png).removeAlpha()
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, png }
}

/** Mean difference of two pictures in steps of 255. */
export function difference(a, b) {
  let sum = 0
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i] - b.data[i])
  return sum / a.data.length
}
