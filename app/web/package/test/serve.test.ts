// The server that script/web starts: what it gives out and what it does not.
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// @ts-expect-error: it has no types
import { serve } from '../../serve.mjs'

let base: string
let served: { address: string; close(): Promise<void> }

/** As it stands: fetch() would tidy the path. */
function raw(path: string, method = 'GET', headers = {}): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(served.address)
    const asked = request({ hostname, port, path, method, headers }, (response) => {
      let body = ''
      response.setEncoding('latin1')
      response.on('data', (part: string) => (body += part))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'gyre-serve-'))
  mkdirSync(join(base, 'site/deep'), { recursive: true })
  writeFileSync(join(base, 'secret.txt'), 'secret')
  writeFileSync(join(base, 'site/index.html'), '<p>hello')
  writeFileSync(join(base, 'site/a b.wasm'), 'wasm')
  writeFileSync(join(base, 'site/deep/index.html'), 'deep')
  symlinkSync(join(base, 'secret.txt'), join(base, 'site/link.txt'))
  mkdirSync(join(base, 'site-beside'))
  writeFileSync(join(base, 'site-beside/x.txt'), 'secret')
  symlinkSync(join(base, 'site-beside'), join(base, 'site/beside'))
  served = await serve(join(base, 'site'))
})
afterAll(async () => {
  await served.close()
  rmSync(base, { recursive: true })
})

describe('serve', () => {
  it('gives files with what makes a page isolated, and no inline scripts', async () => {
    const { status, headers, body } = await raw('/')
    expect([status, body]).toEqual([200, '<p>hello'])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp')
    expect(headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval';")
    expect(headers['content-security-policy']).not.toContain('unsafe-inline')
    expect((await raw('/a%20b.wasm?x=1')).headers['content-type']).toBe('application/wasm')
    expect((await raw('/deep/')).body).toBe('deep')
    expect((await raw('/deep')).headers.location).toBe('/deep/')
    expect((await raw('/', 'HEAD')).body).toBe('')
  })
  it('gives nothing outside', async () => {
    const paths = [
      '/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/deep/../../secret.txt', '/link.txt', '/beside/x.txt',
      '/%2e%2e%2fsite-beside/x.txt', '//secret.txt', '/..\\secret.txt', '/..%5csecret.txt', `${base}/secret.txt`, '/%00', '/%zz', '/missing',
    ]
    for (const path of paths) {
      const { status, body } = await raw(path)
      expect([path, status]).toEqual([path, 404])
      expect(body).not.toContain('secret')
    }
  })
  it('takes nothing', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await raw('/', method)).status).toBe(405)
  })
  it('says what has not changed', async () => {
    const { etag } = (await raw('/')).headers
    expect((await raw('/', 'GET', { 'If-None-Match': etag as string })).status).toBe(304)
  })
  it('compresses a file once, and anew when it has changed', async () => {
    const zipped = async (): Promise<string> => {
      const { headers, body } = await raw('/changes.txt', 'GET', { 'Accept-Encoding': 'gzip' })
      expect(headers['content-encoding']).toBe('gzip')
      expect(Number(headers['content-length'])).toBe(body.length)
      return gunzipSync(Buffer.from(body, 'latin1')).toString()
    }
    const file = join(base, 'site/changes.txt')
    writeFileSync(file, 'one '.repeat(100))
    expect([await zipped(), await zipped()]).toEqual(['one '.repeat(100), 'one '.repeat(100)])
    writeFileSync(file, 'three '.repeat(100))
    expect(await zipped()).toBe('three '.repeat(100))
  })
})
