// tools/properties.mjs: writes src/generated/properties.ts, types of models' defs and of paths,
// from
// the property tables of the module in wasm/.
//     node tools/properties.mjs           # writes
//     node tools/properties.mjs --check   # says whether it is up to date
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadNative } from '../dist/load.js'

const here = join(import.meta.dirname, '..')
const native = await loadNative()
const tables = native.json('tables')
native.end()

const camel = (name) => name.replace(/(^|_)(\w)/g, (_, __, c) => c.toUpperCase())
const quoted = (names) => names.map((n) => `'${n}'`).join(' | ')
const key = (name) => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`)

/** Structs that are said once: by their text. */
const shared = new Map()
const parts = []

function numbers(p) {
  return p.count > 1 ? `[${Array(p.count).fill('number').join(', ')}]` : 'number'
}

function leaf(p) {
  switch (p.kind) {
    case 'bool': return 'boolean'
    case 'int': case 'float': case 'int64': case 'double': return numbers(p)
    case 'enum': return quoted(p.names)
    case 'string': return p.names?.length ? `${quoted(p.names)} | (string & {})` : 'string'
    case 'volume': return 'string'
    case 'amounts': return 'Record<string, number>'
  }
  return undefined
}

function described(p, indent) {
  const unit = p.unit && p.unit !== '1' ? ` (${p.unit})` : ''
  const range = p.low !== undefined ? `, ${p.low} to ${p.high}` : ''
  const first = p.default !== undefined && p.default !== '' ? `, default ${JSON.stringify(p.default)}` : ''
  const fixed = p.fixed ? ', fixed when it is made' : ''
  const needs = p.needs ? `; needs ${p.needs}` : ''
  return `${indent}/** ${p.doc}${unit}${range}${first}${fixed}${needs} */\n`.replace('*//', '* //')
}

/** The name of an interface with these members. */
function struct(name, members) {
  const body = members.map((p) => `${described(p, '  ')}  ${key(p.name)}?: ${typeOf(p, name)}\n`).join('')
  if (shared.has(body)) return shared.get(body)
  let whole = name
  for (let i = 2; parts.some((part) => part.name === whole); i++) whole = `${name}${i}`
  shared.set(body, whole)
  parts.push({ name: whole, text: `export interface ${whole} {\n${body}}\n` })
  return whole
}

function typeOf(p, owner) {
  switch (p.kind) {
    case 'struct': return struct(owner + camel(p.name), p.members)
    case 'union': return p.members.map((m) => `{ ${key(m.name)}: ${struct((p.name === 'shape' || p.name === 'form' ? camel(p.name) : owner + camel(p.name)) + camel(m.name), m.members ?? [])} }`).join(' | ')
    case 'pool': return `${struct(owner + camel(p.name.replace(/ies$/, 'y').replace(/s$/, '')), p.members)}[]`
  }
  return leaf(p)
}

/** Paths of single values, not of those in lists. */
function paths(members, before) {
  return members.flatMap((p) => {
    const path = before + p.name
    if (p.kind === 'struct') return paths(p.members, `${path}.`)
    const type = p.kind === 'union' || p.kind === 'pool' || p.kind === 'volume' || p.kind === 'amounts' ? undefined : leaf(p)
    return type ? [`  '${path}': ${type}\n`] : []
  })
}

const models = Object.entries(tables.models)
const defs = models.map(([name, table]) => [name, struct(`${camel(name)}Def`, table)])
const scene = struct('SceneSettings', tables.scene)
const text = `// Made by tools/properties.mjs from the property tables of gyre ${tables.version}. Do not edit.

${parts.map((p) => p.text).join('\n')}
/** Models' defs by type: what differs from the defaults. */
export interface ModelDefs {
${defs.map(([name, def]) => `  ${name}: ${def}\n`).join('')}}

export type ModelType = keyof ModelDefs
export type { ${scene} as Settings }
${models.map(([name, table]) => `\n/** Single values of a model by path. */\nexport interface ${camel(name)}Paths {\n${paths(table, '').join('')}}\n`).join('')}
export interface ModelPaths {
${models.map(([name]) => `  ${name}: ${camel(name)}Paths\n`).join('')}}
`
const target = join(here, 'src/generated/properties.ts')
if (process.argv.includes('--check')) {
  const same = existsSync(target) && readFileSync(target, 'utf8') === text
  if (!same) console.error('src/generated/properties.ts is not what the tables say: node tools/properties.mjs')
  process.exit(same ? 0 : 1)
}
writeFileSync(target, text)
console.log(`${parts.length} interfaces of ${models.length} models`)
