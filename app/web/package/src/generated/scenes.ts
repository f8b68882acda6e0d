// Made by tools/scenes.mjs. Do not edit.
/** Scenes that come along. */
export type SceneName = string
