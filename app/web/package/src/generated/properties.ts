// Made by tools/properties.mjs. Do not edit.
export type ModelType = 'gas' | 'water' | 'ocean' | 'classic'
