// modules.d.ts: what script/web puts beside the sources: the modules, and the scenes.
declare module '*/wasm/gyre.js' {
  const make: (options: Record<string, unknown>) => Promise<unknown>
  export default make
}
declare module '*/wasm/threads/gyre.js' {
  const make: (options: Record<string, unknown>) => Promise<unknown>
  export default make
}
declare module '*/wasm/plane/gyre.js' {
  const make: (options: Record<string, unknown>) => Promise<unknown>
  export default make
}
declare module '*/wasm/plane/threads/gyre.js' {
  const make: (options: Record<string, unknown>) => Promise<unknown>
  export default make
}
declare module '*/scenes/index.js' {
  /** What loads a scene that comes along: its text, and the files it names as base64. */
  export const scenes: Record<string, () => Promise<{ text: string; files: Record<string, string> }>>
  export const titles: Record<string, string>
}
