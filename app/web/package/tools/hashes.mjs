// tools/hashes.mjs: writes test/hashes.json: what the native tool comes to after two frames of some
// scenes, to which the module is held, which keeps room for a hand where the tool keeps none.
//     node tools/hashes.mjs [build/gyre]
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const here = join(import.meta.dirname, '..')
/** Of each model and mode, with fire, bodies, tracers, formulas and couplings. */
const names = ['bunsen', 'classic_jet', 'dam_break', 'duck_pond', 'ink', 'ink_drop', 'leaves_on_river', 'motor_boat', 'pool',
  'sparks', 'storm', 'surfer', 'torch', 'two_inks', 'wind_tunnel']

const file = (name) => [join(here, '../../../scene', `${name}.json`), join(here, 'scene', `${name}.json`)].find((f) => existsSync(f))
const run = (tool, ...words) => execFileSync(tool, ['run', ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** What a tool comes to: hashes by names. */
export function ask(tool) {
  return Object.fromEntries(names.map((name) =>
    [name, /hash ([0-9a-f]{16})/.exec(run(tool, file(name), '--frames', '2'))[1]]))
}

if (process.argv[1] === import.meta.filename) {
  const found = ask(process.argv[2] ?? join(here, '../../../build/gyre'))
  writeFileSync(join(here, 'test/hashes.json'), `${JSON.stringify(found, null, 2)}\n`)
  console.log(`${names.length} scenes`)
}
