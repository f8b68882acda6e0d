// Made by tools/scenes.mjs. Do not edit.

/** Scenes that come along. */
export const sceneNames = [
  'beach', 'boat', 'boat_in_fog', 'breath', 'bunsen', 'campfire', 'canal', 'chimney', 'cigarette',
  'classic_jet', 'cloud', 'colliding_jets', 'coloured_smoke', 'dam_break', 'divided_sea', 'draught',
  'duck_pond', 'dust', 'falling_plate', 'fan', 'fireball', 'floating_boxes', 'fog', 'gas_explosion',
  'hand_fan', 'harbour', 'heated_room', 'ink', 'ink_drop', 'ink_in_water', 'island', 'kelvin_wake',
  'kinetic_noise', 'lakes', 'leaves', 'leaves_on_river', 'marbling', 'motor_boat', 'nested_lake',
  'oil_slick', 'open_sea', 'paddle', 'periodic_shear', 'plume', 'pool', 'revolving_door',
  'rice_terraces', 'ring_through_hoop', 'settling_dust', 'shear_layer', 'sloshing', 'smoke_ring',
  'smoke_round_solid', 'smoke_stack', 'snow', 'sparks', 'steam', 'storm', 'submarine', 'surfer',
  'taylor_green', 'thrown_ball', 'torch', 'tracers', 'two_inks', 'veined_smoke', 'walker',
  'water_drop', 'waterfall', 'wind_on_lake', 'wind_tunnel',
] as const

/** Those of them that the module for gases in 2D alone runs. */
export const planeNames = [
  'classic_jet', 'colliding_jets', 'draught', 'fan', 'heated_room', 'ink', 'ink_drop',
  'kinetic_noise', 'periodic_shear', 'revolving_door', 'shear_layer', 'smoke_round_solid',
  'taylor_green', 'two_inks', 'wind_tunnel',
] as const

/** Short names of some. */
export const aliases = {
  fire: 'campfire',
  smoke: 'coloured_smoke',
  marble: 'marbling',
  sea: 'open_sea',
  smoke_ring_3d: 'smoke_ring',
  waves: 'pool',
  wind: 'wind_tunnel',
} as const

export type SceneName = (typeof sceneNames)[number] | keyof typeof aliases
