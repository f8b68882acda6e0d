// Made by tools/properties.mjs. Do not edit.
export interface ModelDefs { gas: object; water: object; ocean: object; classic: object }
export type ModelType = keyof ModelDefs
export interface ModelPaths { gas: object; water: object; ocean: object; classic: object }
