// What test/browser.test.ts and measurements call: the package's functions, where they can be
// reached.
import { createFluid, GyreError, sceneNames } from 'gyre-fluid'

Object.assign(globalThis, { createFluid, GyreError, sceneNames })
