// index.ts: gyre-fluid: fluids in canvases of pages. Importing it touches nothing.

export { createFluid, prepareFluid } from './fluid.js'
export { GyreError, type GyreErrorCode } from './error.js'
export { sceneNames } from './generated/scenes.js'
export type * from './types.js'
