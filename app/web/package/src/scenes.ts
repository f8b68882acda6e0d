// scenes.ts: from what names a scene to its text and its files. Scenes that come along are modules
// of their own, so that each is loaded when it is asked for.

import { scenes } from '../scenes/index.js'
import { GyreError, unknown } from './error.js'
import { aliases, sceneNames, type SceneName } from './generated/scenes.js'
import { fetchBytes } from './load.js'
import type { Json, SceneFiles, SceneSource } from './types.js'

export interface LoadedScene {
  /** As it is called in messages: 'ink_drop.json'. */
  file: string
  /** As it was asked for; '' where text or an object was handed over. */
  name: string
  text: string
  files: Record<string, Uint8Array>
}

function fromBase64(text: string): Uint8Array {
  const bytes = atob(text)
  return Uint8Array.from(bytes, (c) => c.charCodeAt(0))
}

async function bytesOf(file: SceneFiles[string], signal?: AbortSignal): Promise<Uint8Array> {
  if (file instanceof Uint8Array) return file
  if (file instanceof ArrayBuffer) return new Uint8Array(file)
  if (typeof Blob === 'function' && file instanceof Blob) return new Uint8Array(await file.arrayBuffer())
  return fetchBytes(file as URL | string, signal)
}

/** A file of a scene has a name and no folder: nothing is written beside the scene. */
export function checkFileName(name: string): void {
  if (!/^[^/\\\0]{1,200}$/.test(name) || name === '.' || name === '..') {
    throw new GyreError('argument', `'${name}' is no name of a file: one without folders was expected`)
  }
}

export async function loadScene(source: SceneSource, files: SceneFiles = {}, signal?: AbortSignal): Promise<LoadedScene> {
  const own: Record<string, Uint8Array> = {}
  const scene: LoadedScene = { file: 'scene.json', name: '', text: '', files: own }
  if (typeof source === 'object' && source !== null) {
    // Lines, so that messages have some to point at.
    scene.text = JSON.stringify(source, null, 2)
  } else if (typeof source !== 'string') {
    throw new GyreError('argument', `scene is ${String(source)}: a name, the text of a scene or its object was expected`)
  } else if (/^\s*\{/.test(source)) {
    scene.text = source
  } else {
    const name = Object.hasOwn(aliases, source) ? aliases[source as keyof typeof aliases]! : source
    if (!Object.hasOwn(scenes, name)) throw unknown('scene', source, sceneNames as readonly string[])
    const loaded = await scenes[name]!()
    scene.file = `${name}.json`
    scene.name = source
    scene.text = loaded.text
    for (const [file, base64] of Object.entries(loaded.files)) own[file] = fromBase64(base64)
  }
  await Promise.all(
    Object.entries(files).map(async ([name, file]) => {
      checkFileName(name)
      own[name] = await bytesOf(file, signal)
    }),
  )
  return scene
}

/** Lines PATH=VALUE, as `gyre run --set` takes them. */
export function setLines(set: Record<string, Json> | undefined): string | null {
  const lines = Object.entries(set ?? {}).map(([path, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (/[\n=]/.test(path) || text.includes('\n')) {
      throw new GyreError('argument', `set: '${path}' and its value must each be one line`)
    }
    return `${path}=${text}`
  })
  return lines.length ? lines.join('\n') : null
}

export { sceneNames, type SceneName }
