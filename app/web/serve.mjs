#!/usr/bin/env node
// serve.mjs: serves a folder to browsers of this machine, at one address, which it prints. Pages
// get
// the headers that make them `crossOriginIsolated`, so that the module has threads, and a policy
// without inline scripts. Nothing outside the folder is given out, by whatever path or link.
//     node app/web/serve.mjs [FOLDER] [--port N] [--host NAME]
import { createReadStream } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'

const types = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.npy': 'application/octet-stream',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.tgz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** What a page here may do: its own scripts, WebAssembly, and no others'. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** What makes a page isolated, which is what threads want. */
const apart = {
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const headers = {
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
}

/** The file that an address means, or undefined: outside, missing, or nothing to be read. */
async function find(root, address) {
  let path
  try {
    path = decodeURIComponent(address.split(/[?#]/, 1)[0])
  } catch {
    return undefined
  }
  // Browsers have taken ".." out by now; what still has one, or begins with a host, is no address.
  if (!path.startsWith('/') || /\0|\\|\/\//.test(path) || path.split('/').includes('..')) return undefined
  try {
    let file = await realpath(join(root, path))
    if ((await stat(file)).isDirectory()) {
      if (!path.endsWith('/')) return { moved: `${path}/` }
      file = await realpath(join(file, 'index.html'))
    }
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    const info = await stat(file)
    return info.isFile() ? { file, info } : undefined
  } catch {
    return undefined
  }
}

const kept = new Map()
const [largest, most] = [16 << 20, 64 << 20]
let size = 0

/** A file compressed, once for as long as it is the same: a module takes longer than its way to the page. */
async function compressed(file, etag) {
  const before = kept.get(file)
  if (before?.etag === etag) return before.bytes
  const bytes = promisify(gzip)(await readFile(file), { level: 6 })
  bytes.then((b) => { size += b.length }, () => kept.delete(file))
  if (before) before.bytes.then((b) => { size -= b.length }, () => undefined)
  if (size < most) kept.set(file, { etag, bytes })
  return bytes
}

function refuse(response, status, text, more = {}) {
  response.writeHead(status, { ...headers, ...apart, ...more, 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}

async function answer(root, isolated, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(response, 405, 'only GET and HEAD', { Allow: 'GET, HEAD' })
  }
  const found = await find(root, request.url ?? '/')
  if (!found) return refuse(response, 404, 'no such file')
  if (found.moved) {
    response.writeHead(301, { ...headers, ...apart, Location: encodeURI(found.moved).replace(/^\/+/, '/') })
    return response.end()
  }
  const { file, info } = found
  const type = types[extname(file).toLowerCase()] ?? 'application/octet-stream'
  const etag = `"${info.size.toString(16)}-${Math.round(info.mtimeMs).toString(16)}"`
  const more = { ...headers, ...(isolated ? apart : {}), 'Content-Type': type, ETag: etag, Vary: 'Accept-Encoding' }
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, more)
    return response.end()
  }
  const small = /^(text|application\/(json|wasm|manifest)|image\/svg)/.test(type)
  const zip = small && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (zip && info.size <= largest && request.method === 'GET') {
    const bytes = await compressed(file, etag)
    response.writeHead(200, { ...more, 'Content-Encoding': 'gzip', 'Content-Length': bytes.length })
    return response.end(bytes)
  }
  response.writeHead(200, { ...more, ...(zip ? { 'Content-Encoding': 'gzip' } : { 'Content-Length': info.size }) })
  if (request.method === 'HEAD') return response.end()
  const stream = createReadStream(file)
  stream.on('error', () => response.destroy())
  response.on('close', () => stream.destroy())
  if (zip) stream.pipe(createGzip({ level: 6 })).pipe(response)
  else stream.pipe(response)
}

/**
 * Serves `folder`. Gives { address, close }. A port that is not to be had is an error. `isolated`
 * false: as servers do that say nothing of isolation; pages then have no threads.
 */
export async function serve(folder, { port = 0, host = 'localhost', isolated = true } = {}) {
  const root = await realpath(folder)
  const server = createServer((request, response) => {
    answer(root, isolated, request, response).catch(() => response.destroy())
  })
  await new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  return {
    address: `http://${host}:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(done)
      }),
  }
}

const usage = 'usage: node app/web/serve.mjs [FOLDER] [--port N] [--host NAME]'

function options(words) {
  const found = { folder: join(import.meta.dirname, '../../build-web'), port: undefined, host: 'localhost' }
  let folders = 0
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '--port') found.port = Number(words[++i])
    else if (words[i] === '--host') found.host = words[++i]
    else if (words[i].startsWith('-') || folders++) throw new Error(usage)
    else found.folder = words[i]
  }
  const whole = found.port === undefined || (Number.isInteger(found.port) && found.port >= 0 && found.port < 65536)
  if (!whole || !found.host) throw new Error(usage)
  return found
}

async function main() {
  const { folder, port, host } = options(process.argv.slice(2))
  let served
  try {
    served = await serve(folder, { port: port ?? 8080, host })
  } catch (error) {
    if (error.code === 'ENOENT') throw new Error(`${folder}: no such folder; script/web makes it`)
    if (error.code !== 'EADDRINUSE') throw error
    if (port !== undefined) throw new Error(`port ${port} is in use`)
    served = await serve(folder, { port: 0, host })
  }
  console.log(served.address)
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  main().catch((error) => {
    console.error(`serve.mjs: ${error.message}`)
    process.exit(1)
  })
}
