// link.test.mjs: what addresses hold comes from anywhere: letters, bytes and values at random, and what
// was made to do harm. Whatever comes is a scene within its bounds or an Error with a sentence.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { transformWithOxc } from 'vite'

const path = join(import.meta.dirname, '..', 'src', 'link.ts')
const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path)
const { decode, encode, plain, LETTERS, BYTES } = await import(`data:text/javascript,${encodeURIComponent(code)}`)

// Xorshift: the same cases at each run; GYRE_SEED for others.
let state = Number(process.env.GYRE_SEED ?? 2463534242) >>> 0
const random = (n) => { state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0; return state % n }
const rounds = process.env.GYRE_TEST_ALL ? 5000 : 300

const packed = (bytes) => 's1=' + deflateRawSync(bytes).toString('base64url')

/** 1: a scene, 0: none; fails where it is neither a scene within its bounds nor told what is wrong. */
async function hold(fragment) {
  let linked
  try {
    linked = await decode(fragment)
  } catch (error) {
    assert.ok(error instanceof Error && /^the link /.test(error.message), `${error}: ${fragment.slice(0, 80)}`)
    return 0
  }
  if (linked === null) return 0
  assert.deepEqual(Object.keys(linked).filter((k) => !['text', 'name', 'mark'].includes(k)), [])
  assert.equal(typeof linked.text, 'string')
  assert.ok(linked.text.length <= BYTES)
  assert.match(linked.name, /^[a-z0-9_]{1,40}$/)
  if (linked.mark) {
    assert.deepEqual(Object.keys(linked.mark), ['step', 'hash'])
    assert.ok(Number.isInteger(linked.mark.step) && linked.mark.step > 0 && linked.mark.step <= 1e6)
    assert.match(linked.mark.hash, /^[0-9a-f]{16}$/)
  }
  return 1
}

test('letters at random', async () => {
  const alphabet = 'ABCXYZabcxyz0189-_=%+/ #\u0000\u00e4\ud800'
  for (let i = 0; i < rounds; i++) {
    let text = random(4) ? 's1=' : ''
    for (let n = random(60); n > 0; n--) text += alphabet[random(i % 3 ? 16 : alphabet.length)]
    await hold(text)
  }
})

test('bytes at random, and good links of which some are others', async () => {
  const good = JSON.stringify({ v: 1, text: JSON.stringify({ title: 'long '.repeat(60) }), name: 'a_scene', mark: { step: 3, hash: '0123456789abcdef' } })
  assert.equal(await hold(packed(good)), 1)
  let scenes = 0
  for (let i = 0; i < rounds; i++) {
    const bytes = i % 2 ? deflateRawSync(good) : Buffer.from(good)
    for (let n = 1 + random(4); n > 0; n--) bytes[random(bytes.length)] = random(256)
    scenes += await hold(i % 2 ? 's1=' + bytes.toString('base64url') : packed(bytes))
  }
  // Most changes lie in the scene's text, which is the module's to judge.
  assert.ok(scenes > rounds / 30, `${scenes} of ${rounds} were scenes: too few to say anything`)
})

test('values at random', async () => {
  const made = (depth) => {
    const kind = random(depth > 4 ? 7 : 9)
    if (kind < 7) return [null, true, -1, 1e308, 2 ** 53, '__proto__', '\u0000<img src=x onerror=alert(1)>'][kind]
    const list = Array.from({ length: random(4) }, () => made(depth + 1))
    return kind === 7 ? list : Object.fromEntries(list.map((v, k) => [['v', 'text', 'name', 'mark', '__proto__', 'constructor', 'step', 'hash'][(k + random(8)) % 8], v]))
  }
  for (let i = 0; i < rounds; i++) {
    const value = random(3) ? { v: 1, text: random(2) ? '{}' : made(0), name: made(0), mark: { step: made(2), hash: made(2) } } : made(0)
    await hold(packed(JSON.stringify(value)))
  }
  assert.equal({}.step, undefined)
})

test('what was made to do harm', async () => {
  const deep = '['.repeat(BYTES / 2 - 40) + ']'.repeat(BYTES / 2 - 40)
  const cases = {
    'a bomb': packed(Buffer.alloc(64 << 20)),
    'a bomb in a text': packed(JSON.stringify({ v: 1, text: ' '.repeat(BYTES) })),
    'lists in lists': packed(deep),
    'lists in lists for a mark': packed(`{"v":1,"text":"{}","mark":${deep.slice(0, 60000)}${']'.repeat(60000)}}`),
    'a number without end': packed(`{"v":1,"text":"{}","mark":{"step":1e999,"hash":"0123456789abcdef"}}`),
    'many digits': packed(`{"v":1,"text":"{}","mark":{"step":${'9'.repeat(100000)},"hash":""}}`),
    'a name of 100000 letters': packed(JSON.stringify({ v: 1, text: '{}', name: 'x/'.repeat(50000) })),
    'one member often': packed(`{${'"v":1,'.repeat(20000)}"text":"{}"}`),
    'a prototype': packed('{"v":1,"text":"{}","__proto__":{"mark":{"step":1,"hash":"0123456789abcdef"}}}'),
    'no UTF-8': packed(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
    'half a pair': packed('{"v":1,"text":"\\ud800"}'),
    'too many letters': 's1=' + 'A'.repeat(LETTERS),
    'the end of a stream, and more': packed('{"v":1,"text":"{}"}') + 'AAAA',
  }
  for (const [what, fragment] of Object.entries(cases)) {
    const begun = performance.now(), before = process.memoryUsage().rss
    await hold(fragment)
    const took = performance.now() - begun, more = process.memoryUsage().rss - before
    assert.ok(took < 5000, `${what}: ${took} ms`)
    assert.ok(more < 200e6, `${what}: ${more} bytes`)
  }
  await assert.rejects(decode(cases['a bomb']), /longer than 96 KB|unfolds to more than 256 KB/)
  assert.equal((await decode(cases['half a pair'])).text.length, 1)
  assert.equal((await decode(cases['a prototype'])).mark, undefined)
})

test('what is made is read again', async () => {
  globalThis.window = globalThis
  for (let i = 0; i < 200; i++) {
    const text = JSON.stringify({ title: Array.from({ length: random(50) }, () => String.fromCharCode(random(i % 2 ? 0xd7ff : 128))).join(''), n: random(1e9) })
    const name = plain(String(random(1e9))), mark = i % 3 ? { step: 1 + random(1e6), hash: random(2 ** 31).toString(16).padStart(16, '0') } : undefined
    const linked = await decode(await encode({ text, name, ...(mark ? { mark } : {}) }))
    assert.deepEqual(linked, { text, name, ...(mark ? { mark } : {}) })
  }
})
