// tools/scenes.mjs: packs the scenes that come along: scene/*.json of the repository and scene/ of
// this folder, each as a module of its own with the files it names, into scenes/; and their names
// as types into src/generated/scenes.ts.
//     node tools/scenes.mjs           # writes
//     node tools/scenes.mjs --check   # says whether src/generated/scenes.ts is up to date
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const here = join(import.meta.dirname, '..')
const repository = join(here, '../../..')
const folders = [join(repository, 'scene'), join(here, 'scene')]

/** Short names of what people look for. */
const aliases = {
  fire: 'campfire', smoke: 'coloured_smoke', marble: 'marbling', sea: 'open_sea', smoke_ring_3d: 'smoke_ring',
  waves: 'pool', wind: 'wind_tunnel',
}

/** Files that a scene names, at any depth. */
function filesOf(value, folder) {
  if (typeof value === 'string') {
    const [file] = value.split('#') // a part of a mesh is named behind it
    return /^[\w.-]+\.(npy|png|obj|csv)$/.test(file) && existsSync(join(folder, file)) ? [file] : []
  }
  return value && typeof value === 'object' ? Object.values(value).flatMap((v) => filesOf(v, folder)) : []
}

const scenes = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => {
        const text = readFileSync(join(folder, file), 'utf8')
        return { name: file.slice(0, -5), folder, text, scene: JSON.parse(text) }
      }),
  )
  .sort((a, b) => (a.name < b.name ? -1 : 1))
for (const [short, name] of Object.entries(aliases)) {
  if (!scenes.some((s) => s.name === name) || scenes.some((s) => s.name === short)) {
    throw new Error(`tools/scenes.mjs: the alias ${short} of ${name} does not fit the scenes`)
  }
}

const list = (names) => {
  let text = ''
  let line = ' '
  for (const name of names) {
    if (line.length + name.length > 96) {
      text += `${line}\n`
      line = ' '
    }
    line += ` '${name}',`
  }
  return `${text}${line}\n`
}
/** Scenes that the module for gases in 2D alone runs; test/plane.test.ts opens each. */
const isPlane = ({ scene, folder }) =>
  !scene.bodies && !filesOf(scene, folder).some((file) => file.endsWith('.png')) &&
  Object.entries(scene.models).every(([name, { type, grid, fire, tracers, atmosphere, floor }]) =>
    ['gas', 'classic'].includes(type ?? name) && grid?.dim === 2 &&
    !fire?.fuel && !tracers?.capacity && !atmosphere?.layered && !floor)
const types = `// Made by tools/scenes.mjs. Do not edit.

/** Scenes that come along. */
export const sceneNames = [
${list(scenes.map((s) => s.name))}] as const

/** Those of them that the module for gases in 2D alone runs. */
export const planeNames = [
${list(scenes.filter(isPlane).map((s) => s.name))}] as const

/** Short names of some. */
export const aliases = {
${Object.entries(aliases).map(([short, name]) => `  ${short}: '${name}',`).join('\n')}
} as const

export type SceneName = (typeof sceneNames)[number] | keyof typeof aliases
`
const target = join(here, 'src/generated/scenes.ts')
if (process.argv.includes('--check')) {
  const same = existsSync(target) && readFileSync(target, 'utf8') === types
  if (!same) console.error('src/generated/scenes.ts is not what scene/ has: node tools/scenes.mjs')
  process.exit(same ? 0 : 1)
}
writeFileSync(target, types)
rmSync(join(here, 'scenes'), { recursive: true, force: true })
mkdirSync(join(here, 'scenes'))
for (const { name, folder, text, scene } of scenes) {
  const files = [...new Set(filesOf(scene, folder))].map(
    (file) => `    ${JSON.stringify(file)}: '${readFileSync(join(folder, file)).toString('base64')}',\n`,
  )
  // The text as it is, so that messages point at its own lines.
  writeFileSync(
    join(here, 'scenes', `${name}.js`),
    `export default {\n  text: ${JSON.stringify(text)},\n  files: {\n${files.join('')}  },\n}\n`,
  )
}
writeFileSync(
  join(here, 'scenes/index.js'),
  `// Made by tools/scenes.mjs.
export const scenes = {
${scenes.map((s) => `  ${s.name}: async () => (await import('./${s.name}.js')).default,`).join('\n')}
}
export const titles = {
${scenes.map((s) => `  ${s.name}: ${JSON.stringify(s.scene.title ?? s.name)},`).join('\n')}
}
`,
)
console.log(`${scenes.length} scenes`)
