// types.ts: what gyre-fluid promises. Nothing here runs.
//
// Places on the canvas: x and y from 0 to 1, from its UPPER LEFT corner, y downward, as events of a
// page have them. Places in the fluid: metres, as in scene files.

import type { SceneName } from './generated/scenes.js'
import type { ModelType } from './generated/properties.js'

export type { SceneName, ModelType }

/** What JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Numbers: '#0af', '#00aaff', 'rgb(0 170 255)' or a name of CSS; or 0xrrggbb. */
export type Colour = string | number

/**
 * A scene: the name of one that comes along ('ink_drop'; `sceneNames` lists them), the text of a
 * scene file, or the object that such a text holds.
 */
export type SceneSource = SceneName | (string & {}) | { [key: string]: Json }

/** Files that a scene names (images, arrays), by name: bytes, or where they are fetched. */
export type SceneFiles = Record<string, Uint8Array | ArrayBuffer | Blob | URL | string>

/** Bounds of a scene that is not trusted, looked at before anything is made. */
export interface Limits {
  /** Cells of all models together. Default 2^22. */
  cells?: number
  /** Bytes that the models take. Default 1 GiB. */
  bytes?: number
  /** Particles of all models together. Default 2^21. */
  particles?: number
  /** Bytes of the scene's text. Default 4 MiB. */
  text?: number
}

/** What opens a scene, in a canvas or without one. */
export interface SceneOptions {
  /**
   * Properties set before the models are made: { 'gas.viscosity': 1e-4, 'gas.grid.n': [128, 128,
   * 1] }.
   */
  set?: Record<string, Json>
  /** Files that the scene names. Those of scenes that come along are found without. */
  files?: SceneFiles
  limits?: Limits
}

export interface FluidOptions extends SceneOptions {
  /** Default 'ink'. */
  scene?: SceneSource
  /**
   * Threads of the simulation: 1, or up to as many as the machine has; 0 or left out: all of them,
   * at most 8. More than one needs a page that is `crossOriginIsolated`; on others there is one,
   * and `info.threads` says so. The results are the same bits.
   */
  threads?: number
  /**
   * Where it runs: true: in a Worker, false: on the page's thread; 'auto' (default): in a Worker
   * where there is OffscreenCanvas, else on the page's thread.
   */
  worker?: boolean | 'auto'
  /**
   * The page shines through where the fluid lets light pass: smoke and flames over any page, inks as
   * on their own paper, water without its sky. Default false.
   */
  transparent?: boolean
  /** Pixels of the drawing for one of CSS. Default: the screen's, at most 2. */
  pixelRatio?: number
  /**
   * The grid: 'scene': as the scene says; 'auto' (default): where the machine is too slow for 60
   * pictures a second in real time, a coarser one that holds them, chosen by timing a few steps
   * (event 'slow' says which).
   */
  grid?: 'auto' | 'scene'
  /** The look as it begins; see `Fluid.look`. */
  look?: Look
  /** Whether pointers of the canvas stir the fluid: default true, or options. */
  pointers?: boolean | PointerOptions
  /** Starts paused. Default: false, and true where the user prefers reduced motion. */
  paused?: boolean
  /**
   * What a user who prefers reduced motion gets: 'still' (default): one picture, paused, until
   * resume() is called; 'ignore': motion all the same.
   */
  reducedMotion?: 'still' | 'ignore'
  /** Seconds of the fluid's time that the still picture of reduced motion shows. Default 2. */
  stillTime?: number
  /** Stops while the tab is hidden or the canvas is out of sight. Default true. */
  pauseHidden?: boolean
  /** Gives up opening; the promise is rejected with the signal's reason. Later: destroys. */
  signal?: AbortSignal
  /** As on('error', ...), and also before createFluid() has returned. */
  onError?: (error: Error) => void
  /**
   * 'auto': a scene of gases in 2D gets a module for these alone, of half the bytes; another scene
   * that is loaded into it brings the whole one. 'whole': that at once.
   */
  module?: 'auto' | 'whole'
  /** Folder in which `wasm/` and `scenes/` lie, if not in the package's own. */
  assets?: string | URL
}

/** What a pointer does. 'play': what the scene is best played with. */
export type Play = 'play' | 'pour' | 'push' | 'grab' | 'dig' | 'orbit' | 'pan' | 'heap'
export type PointerPhase = 'down' | 'move' | 'up'

export interface PointerOptions {
  /** Of the left button, a finger, a pen. Default 'play'. */
  what?: Play
  /** Of the right button. Default 'push'. With Alt, or the middle button, it is 'orbit'. */
  secondary?: Play
  /** A colour for all strokes, or one for each: gets the pointer's number. Default: the scene's. */
  colour?: Colour | ((pointer: number) => Colour)
  /** A mouse stirs without a button held down, as it hovers. Default false. */
  hover?: boolean
  /** Ctrl and the wheel, or a pinch of a touch pad, goes nearer or farther. Default true. */
  zoom?: boolean
}

/**
 * A drop at a place of the canvas: what a pointer there does in 0.15 s of the fluid's time. Five are
 * made at once, others wait for them.
 */
export interface Splat {
  /** 0 to 1 from the left. */
  x: number
  /** 0 to 1 from the top. */
  y: number
  /** A push: it comes from x - dx, y - dy. Default 0, 0. */
  dx?: number
  dy?: number
  /** Of the dye, where the scene has one that can be coloured. Default: the scene's own. */
  colour?: Colour
  /** Default 'play'. */
  what?: Play
  /** Radius in metres and strength of this drop; default: those of brush(). */
  radius?: number
  strength?: number
}

/** An amount for one field, at a place of the fluid. */
export interface FieldSplat {
  field: string
  /** The model's name or place in the scene. Default: the first. */
  model?: string | number
  /** Metres. */
  centre: [number, number, number?]
  /** Metres. */
  radius: number
  /**
   * What is added in the middle, in the field's unit; of a vector one number for each
   * component.
   */
  amount: number | number[]
}

/** How it is drawn. What is left out stays as it is; `getLook()` has all of it. */
export interface Look {
  mode?: 'map' | 'cells' | 'streaks' | 'volume' | 'stack' | 'surface' | 'bars'
  field?: string
  /** A colour map: 'viridis', 'magma', 'inferno', 'coolwarm', 'gray', 'ink', 'smoke', ... */
  map?: string
  range?: [number, number]
  arrows?: boolean
  /** Pixels that are drawn for one of the canvas's, along each axis: 0.25 to 1. */
  scale?: number
  /** Nothing is drawn behind the fluid; in fluids that were opened with the option `transparent`. */
  transparent?: boolean
  camera?: { [key: string]: Json }
  light?: { [key: string]: Json }
  [key: string]: Json | undefined
}

/** One field of a model. */
export interface FieldInfo {
  name: string
  unit: string
  location: 'centre' | 'face_x' | 'face_y' | 'face_z' | 'node' | (string & {})
  view: string
  role: string
  /** Computed when it is asked for; not to be written. */
  derived: boolean
  /** Its integral is worth following. */
  total: boolean
  doc: string
}

/** One line of a property table, as the library has it. */
export interface Property {
  name: string
  kind:
    | 'bool' | 'int' | 'float' | 'enum' | 'string' | 'struct' | 'union' | 'pool' | 'volume'
    | 'int64' | 'double' | 'amounts'
  /** Components of numbers. */
  count: number
  unit?: string
  low?: number
  high?: number
  default?: Json
  doc: string
  /** Read when the model is made; not to be set afterwards. */
  fixed?: boolean
  /** Of an enum: its values. */
  names?: string[]
  /** Of a struct, union, pool: what is in it. */
  members?: Property[]
  [key: string]: unknown
}

/** What there is: the property tables of all models and of scenes. */
export interface Tables {
  version: string
  threads: number
  models: Record<string, Property[]>
  scene: Property[]
}

export interface ModelInfo {
  name: string
  type: ModelType
  dim: 2 | 3
  /** Cells along x, y, z. */
  n: [number, number, number]
  /** Of a cell, in metres. */
  h: number
  origin: [number, number, number]
  fields: FieldInfo[]
  particles: { name: string; doc: string; capacity: number; attributes: { name: string; unit: string; components: number; kind: string; doc: string }[] }[]
  /** The properties' present values, as in a scene file. */
  values: { [key: string]: Json }
}

/** A scene that is open. */
export interface SceneInfo {
  title: string
  doc: string
  /** Seconds of a step. */
  dt: number
  fps: number
  models: ModelInfo[]
  view: { [key: string]: Json }
  /** Modes of `look` that this scene can be drawn in. */
  modes: string[]
  /** What the scene asks for that is not to be had here. */
  warnings: string[]
  /** Of its pictures: { width, height }, for the canvas's aspect. */
  output: { width: number; height: number; [key: string]: Json }
  time: { [key: string]: Json }
  camera: { [key: string]: Json }
  light: { [key: string]: Json }
  bodies?: Json
}

export interface FluidInfo extends SceneInfo {
  /** The name by which the scene was asked for; '' where it came as text or an object. */
  scene: string
  /** Property tables of the models' types, and of scenes. */
  tables: Tables
  /** Threads of the simulation. */
  threads: number
  /** Whether it runs in a Worker. */
  worker: boolean
  /** Whether the user prefers reduced motion, and so got one still picture. */
  still: boolean
  /** The module that it runs in: for gases in 2D alone, or the whole one. */
  module: 'plane' | 'whole'
  /** What the grid was made coarser by, along each axis; 1: it is the scene's. */
  coarser: number
}

/** Numbers of a model by name, as `gyre info` and the tables of statistics have them. */
export type Statistics = Record<string, Json>

export interface SceneStats {
  step: number
  /** Seconds of the fluid's time. */
  time: number
  /** Memory that the models take. */
  bytes: number
  models: Record<string, Statistics>
}

export interface FluidStats extends SceneStats {
  /** Pictures a second, of the last second. */
  fps: number
  /** Milliseconds of a step and of a picture, by the clock, of the last second. */
  stepTime: number
  drawTime: number
  /** The fluid's time over the clock's: 1 in real time, 0 while paused. */
  speed: number
  /** Pixels of the drawing. */
  width: number
  height: number
  paused: boolean
}

/** It cannot keep up. */
export interface Slow {
  /**
   * What was done: a coarser grid when it was opened, a smaller picture, or slower than real
   * time.
   */
  what: 'grid' | 'scale' | 'speed'
  /** A sentence. */
  message: string
  /** 'grid': cells now and as the scene has them. */
  n?: number[]
  from?: number[]
  /** 'scale': pixels drawn for one of the canvas's. */
  scale?: number
  /** 'speed': the fluid's time over the clock's. */
  speed?: number
}

export interface FluidEvents {
  /** A picture was drawn. `steps` were taken before it. */
  frame: { time: number; step: number; steps: number }
  /** Once a second. */
  stats: FluidStats
  slow: Slow
  /** What nobody waited for has failed: a splat, a pointer, a step between pictures. */
  error: Error
  /** The WebGL context was lost, and is there again. The fluid is kept. */
  lost: undefined
  restored: undefined
  /** It runs or it stands, and why. */
  running: { running: boolean; reason: 'call' | 'hidden' | 'reduced-motion' | 'start' | 'lost' | 'error' }
  /** The scene is another. */
  load: FluidInfo
}

/** Where an image goes. */
export interface AddOptions {
  /**
   * 'obstacle': a solid of a gas where the image is bright (of one with transparency: opaque);
   * 'emitter': there comes what `properties` say, smoke if they say nothing (of water: 0.2 m of
   * it a second); 'ground': of water, the bed is heaped up there, and stays so.
   */
  as: 'obstacle' | 'emitter' | 'ground'
  /** The model's name. Default: the first that can have one. */
  model?: string
  /** Its name in the scene, for paths. Default: 'image1', 'text1', ... */
  name?: string
  /** Its middle, 0 to 1 of the domain's picture from its upper left corner. Default: the middle. */
  x?: number
  y?: number
  /** Its width as a part of the domain's; the height follows. Default 0.5. */
  width?: number
  /**
   * Of a domain of three dimensions: from 0 to 1, where along z and how thick. Default 0.5,
   * 0.2.
   */
  z?: number
  depth?: number
  /** Further properties of the element, as in a scene file: { density: 1, temperature: 50 }. */
  properties?: { [key: string]: Json }
  /** Dark is what counts, in place of bright. */
  invert?: boolean
}

export interface TextOptions extends AddOptions {
  /** As of CSS; its size is chosen by `width`. Default 'bold sans-serif'. */
  font?: string
}

/** Something that was added. */
export interface Added {
  /** Its path: 'gas.solids.text1'. */
  readonly path: string
  /** Takes it away. */
  remove(): Promise<void>
}

/** Values of a field, dense, x fastest: data[x + nx * (y + ny * z)]. A copy. */
export interface FieldData {
  data: Float32Array<ArrayBuffer>
  nx: number
  ny: number
  nz: number
}

/** A fluid in a canvas. */
export interface Fluid {
  readonly canvas: HTMLCanvasElement
  readonly info: FluidInfo
  /** Whether it moves: not paused, not hidden, not destroyed. */
  readonly running: boolean
  readonly destroyed: boolean
  /** `info` anew, with the properties' values as they are by now. */
  describe(): Promise<FluidInfo>

  // ---- the hand: nobody waits for these; what fails is an 'error' event ----
  splat(splat: Splat | FieldSplat): void
  /** A pointer of your own: x and y 0 to 1 from the upper left corner; `pointer`: any number. */
  pointer(pointer: number, phase: PointerPhase, x: number, y: number, what?: Play, colour?: Colour): void
  /**
   * Lets mouse, pen and fingers of the canvas stir. Gives what ends it. On unless `pointers:
   * false`.
   */
  attachPointers(options?: PointerOptions): () => void
  /** Radius in metres (0: default) and strength of what pointers do. */
  brush(brush: { radius?: number; strength?: number }): void
  /** Nearer (above 1), farther, about a place of the canvas. */
  zoom(factor: number, x?: number, y?: number): void

  // ---- settings ----
  /**
   * Sets a property, `'gas.viscosity'`, before the next step, or adds to a list and removes from
   * it.
   */
  set(path: string, value: Json): Promise<void>
  get(path: string): Promise<Json>
  look(look: Look): Promise<void>
  getLook(): Promise<Look>

  // ---- time ----
  pause(): void
  resume(): void
  /** Takes so many steps (default 1) and draws. For while it is paused. */
  step(steps?: number): Promise<void>
  /** Back to the start; with what was set since, where `keep`. */
  reset(options?: { keep?: boolean }): Promise<void>
  /** Another scene in the same canvas. */
  load(scene: SceneSource, options?: SceneOptions & { grid?: 'auto' | 'scene' }): Promise<FluidInfo>

  // ---- state ----
  /** Sixteen hexadecimal digits of the whole state, as gyre prints them. */
  hash(): Promise<string>
  /** The present settings as a scene file. */
  sceneFile(): Promise<string>
  /** What was put in since the start, for `gyre run --replay`. */
  replay(): Promise<string>
  save(): Promise<Uint8Array<ArrayBuffer>>
  restore(bytes: Uint8Array | ArrayBuffer): Promise<void>
  stats(): Promise<FluidStats>
  /** A field as it is. */
  read(field: string, options?: { model?: string | number }): Promise<FieldData>
  /** Values of a field at points in metres. */
  probe(field: string, points: [number, number, number?][], options?: { model?: string | number }): Promise<number[]>
  /** What is seen, as a PNG. */
  picture(): Promise<Blob>
  /**
   * What flows from now on in place of the image that the scene's `view.texture` names: the middle
   * of a picture or of a video's present frame, in the shape of the domain, at most 512 pixels a
   * side; `mirror`: as in a mirror. Call it for each frame of a camera and wait for it. It is no
   * part of the state; the image is back with load() or a lost context.
   */
  flow(image: CanvasImageSource, options?: { mirror?: boolean }): Promise<void>

  // ---- things ----
  addImage(image: ImageBitmapSource | string | URL, options: AddOptions): Promise<Added>
  addText(text: string, options: TextOptions): Promise<Added>

  /** Gives what ends it. */
  on<K extends keyof FluidEvents>(event: K, listener: (value: FluidEvents[K]) => void): () => void
  /** Ends it and leaves nothing behind. What was waited for is rejected. Twice is once. */
  destroy(): void
}
