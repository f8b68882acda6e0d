// tools/hashes.mjs: writes test/hashes.json: what the native tool comes to after two frames of some
// scenes, to which the module is held. Of a water the hash depends on how much room the scene's lists
// have, which is more where a hand may come: of those it is the bytes of a field.
//     node tools/hashes.mjs [build/gyre]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = join(import.meta.dirname, '..')
/** Of each model and mode, with fire, bodies, tracers, formulas and couplings. */
const names = ['bunsen', 'classic_jet', 'ink', 'ink_drop', 'sparks', 'torch', 'two_inks', 'wind_tunnel']
const waters = ['dam_break', 'duck_pond', 'leaves_on_river', 'pool', 'storm']

const file = (name) => [join(here, '../../../scene', `${name}.json`), join(here, 'scene', `${name}.json`)].find((f) => existsSync(f))
const run = (tool, ...words) => execFileSync(tool, ['run', ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** What a tool comes to: { hashes, depths }. */
export function ask(tool) {
  const folder = mkdtempSync(join(tmpdir(), 'gyre-hashes-'))
  try {
    const hashes = Object.fromEntries(names.map((name) =>
      [name, /hash ([0-9a-f]{16})/.exec(run(tool, file(name), '--frames', '2'))[1]]))
    const depths = Object.fromEntries(waters.map((name) => {
      run(tool, file(name), '--frames', '2', '--field', 'depth', '--out', join(folder, `${name}.npy`))
      const bytes = readFileSync(join(folder, `${name}.npy`))
      return [name, createHash('sha256').update(bytes.subarray(10 + bytes.readUInt16LE(8))).digest('hex')]
    }))
    return { hashes, depths }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const found = ask(process.argv[2] ?? join(here, '../../../build/gyre'))
  writeFileSync(join(here, 'test/hashes.json'), `${JSON.stringify(found, null, 2)}\n`)
  console.log(`${names.length + waters.length} scenes`)
}
