// Made by tools/properties.mjs from the property tables of gyre 0.1.0. Do not edit.

export interface GasDefGrid {
  /** dimensions, 2 to 3, default 3, fixed when it is made */
  dim?: number
  /** cells along x, y, z; z is 1 in 2D, 1 to 4096, default [64,64,64], fixed when it is made */
  n?: [number, number, number]
  /** edge of a cell (m), 0.000001 to 1000000, default 0.015625, fixed when it is made */
  h?: number
  /** lower corner of the domain (m), -1000000 to 1000000, default [0,0,0], fixed when it is made */
  origin?: [number, number, number]
}

export interface GasDefSidesXLow {
  /** what the side does to the gas, default "slip", fixed when it is made */
  rule?: 'slip' | 'no_slip' | 'open' | 'periodic' | 'inflow'
  /** of a no-slip wall along itself; of an inflow where its profile is 1 (m/s), -10000 to 10000, default [0,0,0]; needs rule=no_slip|inflow */
  velocity?: [number, number, number]
  /** how gas leaves by an open side, default "freely", fixed when it is made; needs rule=open */
  leaves?: 'freely' | 'carried'
  /** how an inflow is spread over the side, default "even"; needs rule=inflow */
  profile?: 'even' | 'parabola' | 'power'
  /** of a power profile, 0 to 10, default 0.14285715; needs profile=power */
  exponent?: number
  /** what scalars are held at on the wall, each by its field's name; needs @diffusivity */
  holds?: Record<string, number>
  /** what the wall gives of scalars, per area, each by its field's name */
  gives?: Record<string, number>
}

export interface GasDefSides {
  /** the side at the lowest x */
  x_low?: GasDefSidesXLow
  /** the side at the highest x */
  x_high?: GasDefSidesXLow
  /** the side at the lowest y */
  y_low?: GasDefSidesXLow
  /** the side at the highest y */
  y_high?: GasDefSidesXLow
  /** the side at the lowest z; needs /grid.dim=3 */
  z_low?: GasDefSidesXLow
  /** the side at the highest z; needs /grid.dim=3 */
  z_high?: GasDefSidesXLow
}

export interface GasDefPressure {
  /** of the linear system, default "auto", fixed when it is made */
  solver?: 'auto' | 'multigrid' | 'mgpcg' | 'fft' | 'cyclic_reduction' | 'direct' | 'dense' | 'pcg' | 'cg' | 'red_black' | 'gauss_seidel' | 'jacobi'
  /** of the residual, after over before, rms, 0 to 1, default 0.001 */
  tolerance?: number
  /** cycles, iterations or sweeps at most, 1 to 1000000, default 8 */
  max_cycles?: number
  /** the shape of multigrid's cycle, default "v" */
  cycle?: 'v' | 'w' | 'f' | 'full'
  /** on each level of a cycle, before and after, 1 to 16, default 2 */
  sweeps?: number
  /** of the solver pcg, default "mic0", fixed when it is made */
  preconditioner?: 'mic0' | 'multigrid'
  /** relaxation of red_black and gauss_seidel, damping of jacobi; 0: chosen, 0 to 2, default 0 */
  omega?: number
  /** past one float's accuracy: the answer as a pair, default false, fixed when it is made */
  refine?: boolean
}

export interface GasDefDiffusion {
  /** of the linear system, default "auto", fixed when it is made */
  solver?: 'auto' | 'multigrid' | 'mgpcg' | 'fft' | 'cyclic_reduction' | 'direct' | 'dense' | 'pcg' | 'cg' | 'red_black' | 'gauss_seidel' | 'jacobi'
  /** of the residual, after over before, rms, 0 to 1, default 0.000001 */
  tolerance?: number
  /** cycles, iterations or sweeps at most, 1 to 1000000, default 12 */
  max_cycles?: number
  /** the shape of multigrid's cycle, default "v" */
  cycle?: 'v' | 'w' | 'f' | 'full'
  /** on each level of a cycle, before and after, 1 to 16, default 2 */
  sweeps?: number
  /** of the solver pcg, default "mic0", fixed when it is made */
  preconditioner?: 'mic0' | 'multigrid'
  /** relaxation of red_black and gauss_seidel, damping of jacobi; 0: chosen, 0 to 2, default 0 */
  omega?: number
  /** past one float's accuracy: the answer as a pair, default false, fixed when it is made */
  refine?: boolean
}

export interface GasDefDensity {
  /** how fast it spreads by itself (m^2/s), 0 to 1000000, default 0 */
  diffusivity?: number
  /** how fast it fades: exp(-dissipation t) (1/s), 0 to 1000000, default 0 */
  dissipation?: number
}

export interface GasDefTracers {
  /** the most at a time; 0: none, 0 to 268435456, default 0, fixed when it is made */
  capacity?: number
  /** that there are at first, evenly spread, 0 to 268435456, default 0, fixed when it is made; needs capacity */
  start?: number
  /** lower corner of the box they are spread over (m), -1000000 to 1000000, default [0,0,0], fixed when it is made; needs start */
  low?: [number, number, number]
  /** upper corner; as low: the whole domain (m), -1000000 to 1000000, default [0,0,0], fixed when it is made; needs start */
  high?: [number, number, number]
  /** after which one is gone; 0: never (s), 0 to 1000000000, default 0; needs capacity */
  life?: number
  /** whether they have mass: a velocity of their own, drag, weight, bounces, default false, fixed when it is made; needs capacity */
  inertia?: boolean
  /** of each; at least 1e-8 (m), 0 to 10, default 0.001; needs inertia */
  diameter?: number
  /** of what they are made of; at least 0.001 (kg/m^3), 0 to 100000, default 1000; needs inertia */
  density?: number
  /** kinematic, of the gas that drags them, whatever the flow's own (m^2/s), 0 to 1000, default 0.000015; needs inertia */
  viscosity?: number
  /** what a surface leaves of the speed towards it, 0 to 1, default 0.3; needs inertia */
  bounce?: number
  /** of Coulomb, along a surface, 0 to 1000, default 0.5; needs inertia */
  friction?: number
  /** whether what meets a surface stays there, default false; needs inertia */
  stick?: boolean
  /** by how much gusts that the grid does not see spread them (m^2/s), 0 to 1000000, default 0; needs inertia */
  turbulence?: number
  /** how many each stands for in what it does to the gas, 0 to 1000000000000, default 0, fixed when it is made; needs inertia /velocity=solved /air_density */
  load?: number
  /** of round plates, that turn and glide; 0: they are balls; else at most the diameter (m), 0 to 10, default 0, fixed when it is made; needs inertia */
  thickness?: number
}

export interface GasDefChannel {
  /** of the field, fixed when it is made */
  name?: string
  /** how fast it spreads by itself (m^2/s), 0 to 1000000, default 0 */
  diffusivity?: number
  /** how fast it fades: exp(-dissipation t) (1/s), 0 to 1000000, default 0 */
  dissipation?: number
}

export interface ShapeSphere {
  /** middle of the sphere (m), -1000000 to 1000000, default [0.5,0.5,0.5] */
  centre?: [number, number, number]
  /** radius (m), 0.000001 to 1000000, default 0.1 */
  radius?: number
}

export interface ShapeBox {
  /** middle of the box (m), -1000000 to 1000000, default [0.5,0.5,0.5] */
  centre?: [number, number, number]
  /** full edge lengths (m), 0.000001 to 1000000, default [0.2,0.2,0.2] */
  size?: [number, number, number]
  /** turned about x, then y, then z; in 2D about z (deg), -1000000 to 1000000, default [0,0,0]; needs !orientation */
  rotation?: [number, number, number]
  /** the same as a unit quaternion x, y, z, w; all 0: rotation counts, -1.001 to 1.001, default [0,0,0,0] */
  orientation?: [number, number, number, number]
}

export interface ShapeCapsule {
  /** one end of the axis (m), -1000000 to 1000000, default [0.4,0.5,0.5] */
  from?: [number, number, number]
  /** other end of the axis (m), -1000000 to 1000000, default [0.6,0.5,0.5] */
  to?: [number, number, number]
  /** radius round the axis (m), 0.000001 to 1000000, default 0.1 */
  radius?: number
}

export interface ShapeHalfSpace {
  /** a point of the surface (m), -1000000 to 1000000, default [0,0,0] */
  point?: [number, number, number]
  /** points out of the inside, any length but 0, -1000000 to 1000000, default [0,1,0] */
  normal?: [number, number, number]
}

export interface ShapeVolume {
  /** an image or a 3D array; inside where its value is above the threshold */
  data?: string
  /** lower corner of the array's box (m), -1000000 to 1000000, default [0,0,0] */
  low?: [number, number, number]
  /** edge lengths of the array's box (m), 0.000001 to 1000000, default [1,1,1] */
  size?: [number, number, number]
  /** value at the surface, -1000000 to 1000000, default 0.5 */
  threshold?: number
}

export interface GasDefEmitter {
  /** for paths */
  name?: string
  /** whether it emits, default true */
  enabled?: boolean
  /** rate: amounts per second; set: held at the amounts, default "rate" */
  mode?: 'rate' | 'set'
  /** where, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** smoke (per second in rate mode) (kg/m^3), -1000000 to 1000000, default 0 */
  density?: number
  /** above ambient (per second in rate mode) (K), -1000000 to 1000000, default 0 */
  temperature?: number
  /** an extra channel to emit into */
  channel?: string
  /** into it (per second in rate mode), -1000000 to 1000000, default 0; needs channel */
  channel_amount?: number
  /** whether velocity is set inside, default false */
  push?: boolean
  /** that the gas inside is given (m/s), -10000 to 10000, default [0,0,0]; needs push */
  velocity?: [number, number, number]
  /** unevenness of the amounts in space and time, 0 to 1, default 0 */
  noise?: number
  /** points that the gas carries along, in either mode (1/s), 0 to 1000000000, default 0 */
  tracers?: number
  /** with which they come, if they have mass (m/s), -10000 to 10000, default [0,0,0]; needs tracers /tracers.inertia */
  tracers_velocity?: [number, number, number]
  /** by how much theirs differ, in any direction (m/s), 0 to 10000, default 0; needs tracers /tracers.inertia */
  tracers_scatter?: number
  /** any number of scalars, each by its field's name: density, temperature, channels */
  feeds?: Record<string, number>
}

export interface GasDefSolid {
  /** for paths */
  name?: string
  /** whether it is there, default true */
  enabled?: boolean
  /** where, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** of its own frame, in which its shape is given (m), -1000000 to 1000000, default [0,0,0] */
  position?: [number, number, number]
  /** about the world's x, then y, then z (degrees), -1000000 to 1000000, default [0,0,0]; needs !orientation */
  rotation?: [number, number, number]
  /** the same as a unit quaternion x, y, z, w; all 0: rotation counts, -1.001 to 1.001, default [0,0,0,0] */
  orientation?: [number, number, number, number]
  /** of its own frame, in which its shape is given (m/s), -10000 to 10000, default [0,0,0] */
  velocity?: [number, number, number]
  /** about the world's axes (degrees/s), -1000000 to 1000000, default [0,0,0] */
  spin?: [number, number, number]
  /** whether the gas slides along it, default "as_gas" */
  surface?: 'as_gas' | 'slip' | 'no_slip'
  /** what scalars are held at on the wall, each by its field's name; needs @diffusivity */
  holds?: Record<string, number>
  /** what the wall gives of scalars, per area, each by its field's name */
  gives?: Record<string, number>
}

export interface GasDefForceActionWind {
  /** that the gas is drawn along with (m/s), -10000 to 10000, default [0,0,0] */
  velocity?: [number, number, number]
  /** how fast it is: what is off falls to 1/e in 1 / rate (1/s), 0 to 1000000, default 1 */
  rate?: number
}

export interface GasDefForceActionFan {
  /** that it pushes in, any length but 0, -1000000 to 1000000, default [1,0,0] */
  direction?: [number, number, number]
  /** N per kg/m^3 of air (in 2D m^3/s^2), all of which the gas in the shape gets (m^4/s^2), -1000000 to 1000000, default 0 */
  thrust?: number
  /** that air which comes from rest leaves the shape with (m/s), -10000 to 10000, default 0; needs !thrust */
  speed?: number
}

export interface GasDefForceActionVortex {
  /** a point of its axis (m), -1000000 to 1000000, default [0.5,0.5,0.5] */
  centre?: [number, number, number]
  /** that it turns about, any length but 0; in 2D z, -1000000 to 1000000, default [0,1,0] */
  axis?: [number, number, number]
  /** far away (m^2/s), -1000000 to 1000000, default 1 */
  circulation?: number
  /** where it turns fastest (m), 0.000001 to 1000000, default 0.1 */
  core?: number
  /** how fast the gas is drawn along (1/s), 0 to 1000000, default 1 */
  rate?: number
}

export interface GasDefForceActionAttractor {
  /** that it pulls towards (m), -1000000 to 1000000, default [0.5,0.5,0.5] */
  centre?: [number, number, number]
  /** not 0: towards the line through the centre, -1000000 to 1000000, default [0,0,0] */
  axis?: [number, number, number]
  /** below 0 it pushes away (m/s^2), -1000000 to 1000000, default 1 */
  strength?: number
  /** within which it weakens to 0 (m), 0.000001 to 1000000, default 0.1 */
  core?: number
  /** 0: as strong far away, 1: as 1 / r, 2: as 1 / r^2, 0 to 2, default 1 */
  falloff?: number
}

export interface GasDefForceActionTurbulence {
  /** root mean square (m/s^2), 0 to 1000000, default 1 */
  strength?: number
  /** the longest wave (m), 0.000001 to 1000000, default 0.25 */
  size?: number
  /** the shortest is size / 2^octaves, 0 to 16, default 2 */
  octaves?: number
  /** how often the longest wave's phase turns (1/s), 0 to 1000000, default 1 */
  change?: number
  /** which waves; the gas's seed counts as well, 0 to 2147483647, default 0 */
  seed?: number
}

export interface GasDefForceActionConfinement {
  /** that vorticity moves up its own slope with (m/s), 0 to 10000, default 0.1 */
  speed?: number
  /** whirls that are wider are drawn together less (m), 0.000001 to 1000000, default 0.1 */
  size?: number
}

export interface GasDefForce {
  /** for paths */
  name?: string
  /** whether it acts, default true */
  enabled?: boolean
  /** whether it acts in all the gas, else inside the shape, default false */
  everywhere?: boolean
  /** where, default "sphere"; needs !everywhere */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** over which it begins across the shape's surface (m), 0 to 1000000, default 0; needs !everywhere */
  soft?: number
  /** how much of it acts, 0 to 1, default 1 */
  amount?: number
  /** what it does, default "wind" */
  action?: { wind: GasDefForceActionWind } | { fan: GasDefForceActionFan } | { vortex: GasDefForceActionVortex } | { attractor: GasDefForceActionAttractor } | { turbulence: GasDefForceActionTurbulence } | { confinement: GasDefForceActionConfinement }
}

export interface GasDefPatche {
  /** for paths */
  name?: string
  /** whether it is there, default true */
  enabled?: boolean
  /** of the domain that it is a part of, default "x_low" */
  side?: 'x_low' | 'x_high' | 'y_low' | 'y_high' | 'z_low' | 'z_high'
  /** whether it is all of the side, whatever its shape, default false */
  whole?: boolean
  /** the side's faces in it are the patch, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** what it does to the gas, default "as_side" */
  rule?: 'as_side' | 'inflow' | 'open' | 'slip' | 'no_slip'
  /** of an inflow where its profile is 1 (m/s), -10000 to 10000, default [0,0,0]; needs rule=inflow */
  velocity?: [number, number, number]
  /** how an inflow is spread over the shape's bounds, default "even"; needs rule=inflow */
  profile?: 'even' | 'parabola' | 'power'
  /** of a power profile, 0 to 10, default 0.14285715; needs profile=power */
  exponent?: number
  /** what comes in holds of scalars, each by its field's name: density, temperature, channels */
  carries?: Record<string, number>
  /** what scalars are held at on the wall, each by its field's name; needs @diffusivity */
  holds?: Record<string, number>
  /** what the wall gives of scalars, per area, each by its field's name */
  gives?: Record<string, number>
}

export interface GasDefFrame {
  /** of the frame: the gas is left behind (m/s^2), -10000 to 10000, default [0,0,0] */
  acceleration?: [number, number, number]
  /** of the frame, in 2D about z alone (rad/s), -10000 to 10000, default [0,0,0] */
  spin?: [number, number, number]
  /** that it turns about (m), -1000000 to 1000000, default [0,0,0] */
  centre?: [number, number, number]
}

export interface FormLine {
  /** one end (m), -1000000 to 1000000, default [0,0,0] */
  from?: [number, number, number]
  /** the other (m), -1000000 to 1000000, default [1,0,0] */
  to?: [number, number, number]
}

export interface FormPanel {
  /** one of its four (m), -1000000 to 1000000, default [0,0,0] */
  corner?: [number, number, number]
  /** from there to the next (m), -1000000 to 1000000, default [1,0,0] */
  along?: [number, number, number]
  /** from there to the one on the other side (m), -1000000 to 1000000, default [0,1,0] */
  across?: [number, number, number]
}

export interface FormPath {
  /** 2 or 3 numbers each (m) */
  points?: string
  /** whether the last point is joined to the first, default false */
  closed?: boolean
}

export interface FormMesh {
  /** 3 numbers each (m) */
  points?: string
  /** 3 indices each */
  triangles?: string
}

export interface GasDefSheet {
  /** for paths */
  name?: string
  /** whether it is there, default true */
  enabled?: boolean
  /** where, default "line" */
  form?: { line: FormLine } | { panel: FormPanel } | { path: FormPath } | { mesh: FormMesh }
  /** of its own frame, in which its form is given (m), -1000000 to 1000000, default [0,0,0] */
  position?: [number, number, number]
  /** about the world's x, then y, then z (degrees), -1000000 to 1000000, default [0,0,0]; needs !orientation */
  rotation?: [number, number, number]
  /** the same as a unit quaternion x, y, z, w; all 0: rotation counts, -1.001 to 1.001, default [0,0,0,0] */
  orientation?: [number, number, number, number]
  /** of its own frame, in which its form is given (m/s), -10000 to 10000, default [0,0,0] */
  velocity?: [number, number, number]
  /** about the world's axes (degrees/s), -1000000 to 1000000, default [0,0,0] */
  spin?: [number, number, number]
}

export interface GasDefNoise {
  /** root mean square, far from walls (m/s), 0 to 10000, default 0.5 */
  speed?: number
  /** the longest wave (m), 0.000001 to 1000000, default 0.5 */
  size?: number
  /** the shortest is size / 2^octaves, 0 to 16, default 2 */
  octaves?: number
  /** how often the longest wave's phase turns (1/s), 0 to 1000000, default 0.2 */
  change?: number
  /** which waves; the gas's seed counts as well, 0 to 2147483647, default 0 */
  seed?: number
}

export interface GasDefRecorded {
  /** velocity_x, frame by frame (m/s) */
  x?: string
  /** velocity_y, frame by frame (m/s) */
  y?: string
  /** velocity_z, frame by frame; in 3D (m/s) */
  z?: string
  /** of frames (1/s), 0 to 1000000, default 30 */
  rate?: number
  /** whether the first frame comes after the last, else that one stays, default false */
  loop?: boolean
}

export interface GasDefFireFront {
  /** the channel of what has burnt; empty: there is no front, fixed when it is made */
  burnt?: string
  /** a channel of what burns behind it, at fire.rate; empty: it does at once, fixed when it is made; needs burnt */
  lit?: string
  /** at which it moves into fuel at rest (m/s), 0 to 10000, default 0; needs burnt */
  speed?: number
}

export interface GasDefFire {
  /** the channel that burns; empty: there is no fire, fixed when it is made */
  fuel?: string
  /** a channel of the oxygen that the air lacks; empty: there is enough, fixed when it is made; needs fuel */
  spent?: string
  /** above the surroundings, from which on fuel burns (K), 0 to 100000, default 400; needs fuel */
  ignition?: number
  /** at which fuel burns that nothing hinders (1/s), 0 to 1000000, default 20; needs fuel */
  rate?: number
  /** that a unit of fuel adds to the temperature (K), 0 to 1000000, default 3000; needs fuel */
  heat?: number
  /** of what is spent, for a unit of fuel: volumes of air, 0 to 1000000, default 10; needs spent */
  air?: number
  /** smoke that a unit of fuel leaves (kg/m^3), 0 to 1000000, default 0; needs fuel */
  soot?: number
  /** at 1000 K, by radiation, as T^4 (K/s), 0 to 1000000, default 0; needs fuel */
  cooling?: number
  /** of the volume that the heat asks for, what it gets, 0 to 1, default 0; needs fuel */
  expansion?: number
  /** a premixed flame with a speed of its own */
  front?: GasDefFireFront
}

export interface GasDefTexture {
  /** 0: none; 1: drawn out without end; 2 or 3 begin anew in turn, 0 to 3, default 0, fixed when it is made */
  phases?: number
  /** after which a phase of several begins anew (s), 0.001 to 1000000, default 4; needs phases */
  period?: number
  /** by which the texture is moved from one beginning to the next (m), -1000000 to 1000000, default [0,0,0]; needs phases */
  offset?: [number, number, number]
}

export interface GasDefAtmosphere {
  /** whether the surroundings change with height, default false, fixed when it is made */
  layered?: boolean
  /** where temperature, pressure and humidity are said (m), -1000000 to 1000000, default 0; needs layered */
  ground?: number
  /** of the surroundings at the ground (K), 150 to 350, default 293; needs layered */
  temperature?: number
  /** at the ground (Pa), 1000 to 10000000, default 101325; needs layered */
  pressure?: number
  /** by which it is colder above: 0.0098 is neutral, less stable (K/m), -1 to 1, default 0.0065; needs layered */
  lapse?: number
  /** the channel of water vapour beside that of the surroundings; empty: dry, fixed when it is made; needs layered */
  vapour?: string
  /** the channel of droplets: cloud, fixed when it is made; needs vapour */
  water?: string
  /** the channel of drops that fall; empty: clouds do not rain, fixed when it is made; needs vapour */
  rain?: string
  /** relative, of the surroundings at the ground, 0 to 1, default 0.6; needs vapour */
  humidity?: number
  /** relative, the most of the surroundings above, 0 to 1, default 0.7; needs vapour */
  aloft?: number
  /** at which droplets above `least` grow to drops (1/s), 0 to 10, default 0.001; needs rain */
  growth?: number
  /** kg/kg of droplets, from which on they grow to drops, 0 to 1, default 0.001; needs rain */
  least?: number
  /** at which drops collect droplets (1/s), 0 to 100, default 2.2; needs rain */
  collection?: number
  /** of what Kessler's scheme evaporates of drops, the part, 0 to 10, default 1; needs rain */
  evaporation?: number
}

export interface GasDef {
  /** the cells */
  grid?: GasDefGrid
  /** the six sides of the domain */
  sides?: GasDefSides
  /** how fields are carried along, default "conservative" */
  advection?: 'semi_lagrangian' | 'maccormack' | 'conservative' | 'bfecc' | 'cubic'
  /** acceleration of free fall (m/s^2), -10000 to 10000, default [0,-9.81,0]; needs velocity=solved */
  gravity?: [number, number, number]
  /** lift per kelvin (1/K), 0 to 10, default 0.0034129692; needs velocity=solved */
  thermal_expansion?: number
  /** pull per density of smoke (m^3/kg), -1000 to 1000, default 0; needs velocity=solved */
  density_weight?: number
  /** kinematic viscosity (m^2/s), 0 to 1000000, default 0; needs velocity=solved */
  viscosity?: number
  /** of its pressure, and what it pushes bodies with; 0: none (kg/m^3), 0 to 10000, default 1.2 */
  air_density?: number
  /** velocities are cut to it (m/s), 0.001 to 1000000, default 10000 */
  speed_cap?: number
  /** largest Courant number of a substep; 0: one step always, 0 to 1000, default 0; needs velocity=solved */
  courant?: number
  /** bound on what courant asks for, 1 to 1000, default 16; needs courant */
  max_substeps?: number
  /** of the emitters' noise, 0 to 2147483647, default 0 */
  seed?: number
  /** how the flow is made free of divergence */
  pressure?: GasDefPressure
  /** how viscosity and diffusivities are solved for */
  diffusion?: GasDefDiffusion
  /** smoke */
  density?: GasDefDensity
  /** warmth above ambient */
  temperature?: GasDefDensity
  /** whether the gas slides along solids, default true; needs velocity=solved */
  solid_slip?: boolean
  /** whether there may be a floor of heights that something moves: water's surface, default false, fixed when it is made */
  floor?: boolean
  /** whether scalars are stored in 16 bits: less to move, coarser; vulkan only, default false, fixed when it is made */
  half_scalars?: boolean
  /** points that the gas carries along */
  tracers?: GasDefTracers
  /** extra scalars, fixed when it is made */
  channels?: GasDefChannel[]
  /** where something enters */
  emitters?: GasDefEmitter[]
  /** what it goes round */
  solids?: GasDefSolid[]
  /** what pushes the gas as it flows */
  forces?: GasDefForce[]
  /** parts of sides: inlets, and what comes in by them; windows */
  patches?: GasDefPatche[]
  /** what the grid stands in, as on a car or a turntable */
  frame?: GasDefFrame
  /** walls without thickness, with gas on both sides */
  sheets?: GasDefSheet[]
  /** where it comes from: solved for, or given, which nothing pushes, default "solved" */
  velocity?: 'solved' | 'noise' | 'recorded' | 'rows'
  /** a velocity of whirls that come and go; needs velocity=noise */
  noise?: GasDefNoise
  /** a velocity that stands in arrays; needs velocity=recorded */
  recorded?: GasDefRecorded
  /** what burns in it */
  fire?: GasDefFire
  /** coordinates of a texture that flow with it */
  texture?: GasDefTexture
  /** surroundings that change with height; clouds */
  atmosphere?: GasDefAtmosphere
}

export interface ClassicDefSidesXLow {
  /** what the side does to the fluid, default "wall", fixed when it is made */
  rule?: 'wall' | 'periodic' | 'inflow' | 'open'
  /** of an inflow (m/s), -10000 to 10000, default [0,0,0]; needs rule=inflow */
  velocity?: [number, number, number]
  /** of an inflow (kg/m^3), -1000000 to 1000000, default 0; needs rule=inflow */
  density?: number
}

export interface ClassicDefSides {
  /** the side at the lowest x */
  x_low?: ClassicDefSidesXLow
  /** the side at the highest x */
  x_high?: ClassicDefSidesXLow
  /** the side at the lowest y */
  y_low?: ClassicDefSidesXLow
  /** the side at the highest y */
  y_high?: ClassicDefSidesXLow
  /** the side at the lowest z; needs /grid.dim=3 */
  z_low?: ClassicDefSidesXLow
  /** the side at the highest z; needs /grid.dim=3 */
  z_high?: ClassicDefSidesXLow
}

export interface ClassicDefEmitter {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** where, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** smoke per second (kg/m^3/s), -1000000 to 1000000, default 0 */
  density?: number
  /** that pushes the fluid inside (m/s^2), -1000000 to 1000000, default [0,0,0] */
  force?: [number, number, number]
}

export interface ClassicDefSolid {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** where, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** that its surface gives the fluid (m/s), -10000 to 10000, default [0,0,0] */
  velocity?: [number, number, number]
}

export interface ClassicDef {
  /** the cells */
  grid?: GasDefGrid
  /** the six sides of the box */
  sides?: ClassicDefSides
  /** of Gauss-Seidel in each solve, 1 to 100000, default 20 */
  sweeps?: number
  /** kinematic viscosity (m^2/s), 0 to 1000000, default 0 */
  viscosity?: number
  /** how fast smoke spreads by itself (m^2/s), 0 to 1000000, default 0 */
  diffusivity?: number
  /** of vorticity (1/s), 0 to 1000, default 0 */
  confinement?: number
  /** where something enters or pushes */
  emitters?: ClassicDefEmitter[]
  /** bodies */
  solids?: ClassicDefSolid[]
}

export interface WaterDefSidesXLow {
  /** what the side does to waves, default "wall", fixed when it is made */
  rule?: 'wall' | 'periodic' | 'open' | 'inflow'
  /** how an open side lets waves out, default "mur"; needs rule=open */
  absorber?: 'mur' | 'layer' | 'ghost_new' | 'ghost_old'
  /** width of an absorbing layer (m), 0 to 1000000, default 1; needs rule=open absorber=layer */
  layer?: number
  /** what an inflow brings, default "waves"; needs rule=inflow */
  inflow?: 'waves' | 'stage' | 'discharge'
  /** the level outside is that of the water at rest, default true; needs rule=open|inflow */
  follow_level?: boolean
  /** stage, and the level outside (m), -100000 to 100000, default 0; needs rule=open|inflow */
  level?: number
  /** of incoming waves (m), -10000 to 10000, default 0.1; needs rule=inflow inflow=waves */
  amplitude?: number
  /** of incoming waves (s), 0.000001 to 1000000, default 2; needs rule=inflow inflow=waves */
  period?: number
  /** of incoming waves (degrees), -1000000 to 1000000, default 0; needs rule=inflow inflow=waves */
  phase?: number
  /** inwards, per metre of side (m^2/s), -1000000 to 1000000, default 0; needs rule=inflow inflow=discharge */
  discharge?: number
}

export interface WaterDefSides {
  /** the side at the lowest x */
  x_low?: WaterDefSidesXLow
  /** the side at the highest x */
  x_high?: WaterDefSidesXLow
  /** the side at the lowest y */
  y_low?: WaterDefSidesXLow
  /** the side at the highest y */
  y_high?: WaterDefSidesXLow
}

export interface WaterDefBed {
  /** heights in metres, a value per cell; none: flat, fixed when it is made */
  data?: string
  /** whether an array of another size is stretched, default false, fixed when it is made; needs data */
  stretch?: boolean
  /** height of a bed without data (m), -100000 to 100000, default -1, fixed when it is made */
  flat?: number
  /** height of the value 0 of data (m), -100000 to 100000, default 0, fixed when it is made; needs data */
  low?: number
  /** height of the value 1 of data (m), -100000 to 100000, default 1, fixed when it is made; needs data */
  high?: number
  /** added: rise along x and y, -100 to 100, default [0,0], fixed when it is made */
  slope?: [number, number]
  /** where in the world the array begins (m), -1000000 to 1000000, default [0,0], fixed when it is made; needs size */
  corner?: [number, number]
  /** of the array in the world; 0: it is the domain's (m), 0 to 10000000, default [0,0], fixed when it is made; needs data */
  size?: [number, number]
}

export interface WaterDefDrops {
  /** diameter of a drop; 0: rain is even (m), 0 to 10, default 0 */
  size?: number
  /** how far a drop dents the surface (m), 0 to 10, default 0; needs size */
  ring?: number
  /** of the dent; at least a cell and a half counts (m), 0 to 1000, default 0; needs size ring */
  radius?: number
  /** of their places, 0 to 2147483647, default 0; needs size */
  seed?: number
}

export interface WaterDefSea {
  /** what the grid has of a sea that it is joined to, default "alone", fixed when it is made */
  carries?: 'alone' | 'difference' | 'whole'
  /** of water at rest, in less of which the sea fades (m), 0 to 100000, default 5; needs carries=difference|whole */
  shore?: number
}

export interface WaterDefDust {
  /** the most at a time; 0: none, 0 to 268435456, default 0, fixed when it is made */
  capacity?: number
  /** that there are at first, evenly spread, 0 to 268435456, default 0, fixed when it is made; needs capacity */
  start?: number
  /** lower corner of the box they are spread over (m), -1000000 to 1000000, default [0,0], fixed when it is made; needs start */
  low?: [number, number]
  /** upper corner; as low: the whole domain (m), -1000000 to 1000000, default [0,0], fixed when it is made; needs start */
  high?: [number, number]
  /** after which one is gone; 0: never (s), 0 to 1000000000, default 0; needs capacity */
  life?: number
  /** of their places, 0 to 2147483647, default 0; needs capacity */
  seed?: number
}

export interface WaterDefBreaking {
  /** the most that are followed; 0: none, 0 to 4096, default 0, fixed when it is made */
  fronts?: number
  /** the most particles of sheets; 0: none, 0 to 16777216, default 0, fixed when it is made */
  patches?: number
  /** of the surface's rise to sqrt(g d) at a front, 0.01 to 100, default 0.6; needs fronts */
  ratio?: number
  /** of a crest's water, in speed, that breaks: nonhydrostatic, 0.1 to 1, default 0.85 */
  onset?: number
  /** lower fronts are none (m), 0.0001 to 1000, default 0.05; needs fronts */
  height?: number
  /** of the sheets that fronts throw (m), 0.0001 to 10, default 0.1; needs fronts patches */
  thickness?: number
  /** of what is thrown, times the front's, 1 to 3, default 1.3; needs fronts patches */
  speed?: number
  /** from a row of a sheet to the next (s), 0.001 to 10, default 0.05; needs fronts patches */
  interval?: number
  /** of a step of the bed down which water falls; 0: none (m), 0 to 10000, default 0; needs patches */
  fall?: number
  /** bodies that enter faster throw spray; 0: none (m/s), 0 to 1000, default 0 */
  splash?: number
}

export interface WaterDefSpray {
  /** the most at a time; 0: none, 0 to 16777216, default 0, fixed when it is made */
  capacity?: number
  /** of what lands, and of a sheet's ends, 0 to 1, default 0.2; needs capacity */
  share?: number
  /** of drops, for the drag of the air; 0: none (m), 0 to 1, default 0.005; needs capacity */
  diameter?: number
  /** of the speed at which drops meet bodies and walls, 0 to 1, default 0.3; needs capacity */
  bounce?: number
  /** of their ways, 0 to 2147483647, default 0; needs capacity */
  seed?: number
}

export interface WaterDefFoam {
  /** the most at a time; 0: none, 0 to 16777216, default 0, fixed when it is made */
  capacity?: number
  /** after which it is gone (s), 0.01 to 1000000, default 5; needs capacity */
  life?: number
  /** that come where water lands (1/m^3), 0 to 1000000000, default 150; needs capacity */
  amount?: number
  /** bubbles are driven down to at most; 0: none are (m), 0 to 100, default 0; needs capacity */
  depth?: number
  /** of bubbles (m/s), 0.001 to 10, default 0.25; needs capacity depth */
  rise?: number
  /** width of what one covers, in the field foam (m), 0 to 100, default 0.5; needs capacity */
  patch?: number
}

export interface WaterDefTexture {
  /** 0: no coordinates; 1: drawn out without end; 2, 3: begin anew in turn, 0 to 3, default 0, fixed when it is made */
  phases?: number
  /** after which a phase of several begins anew (s), 0.001 to 1000000, default 3; needs phases */
  period?: number
  /** by which the texture is moved from one beginning to the next (m), -1000000 to 1000000, default [0,0,0]; needs phases */
  offset?: [number, number, number]
}

export interface WaterDefEdge {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** where, seen from above, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** what its faces do to waves */
  side?: WaterDefSidesXLow
}

export interface WaterDefGate {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** one end (m), -1000000 to 1000000, default [0,0] */
  from?: [number, number]
  /** the other end (m), -1000000 to 1000000, default [1,0] */
  to?: [number, number]
  /** nothing passes below (m), -100000 to 100000, default -100000 */
  crest?: number
  /** nothing passes above (m), -100000 to 100000, default 100000 */
  lid?: number
  /** of contraction, 0.01 to 1, default 0.61 */
  coefficient?: number
}

export interface WaterDefLake {
  /** for paths */
  name?: string
  /** in it (m), -1000000 to 1000000, default [0,0] */
  point?: [number, number]
  /** it is filled to (m), -100000 to 100000, default 0 */
  level?: number
}

export interface WaterDefBlock {
  /** for paths */
  name?: string
  /** where, seen from above, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** it is filled to (m), -100000 to 100000, default 0 */
  level?: number
}

export interface WaterDefSource {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** where, seen from above, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** that enters in all; below 0: is taken away (m^3/s), -1000000 to 1000000, default 0 */
  discharge?: number
  /** points that come to float there (1/s), 0 to 1000000000, default 0 */
  dust?: number
}

export interface WaterDefUplift {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** where, seen from above, default "sphere" */
  shape?: { sphere: ShapeSphere } | { box: ShapeBox } | { capsule: ShapeCapsule } | { half_space: ShapeHalfSpace } | { volume: ShapeVolume }
  /** of the bed, upwards; digging and heaping: its size, 0: all at once (m/s), -1000 to 1000, default 0 */
  speed?: number
  /** what is done to the bed, default "lift" */
  work?: 'lift' | 'dig' | 'heap' | 'grade'
  /** that the bed is brought to (m), -100000 to 100000, default 0; needs work=dig|heap|grade */
  height?: number
}

export interface WaterDefBody {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** its kind, default "box", fixed when it is made */
  form?: 'sphere' | 'box' | 'capsule' | 'hull' | 'mesh'
  /** sphere: radius; box: edges; capsule: radius, distance of the centres (m), 0.000001 to 1000000, default [1,1,1] */
  size?: [number, number, number]
  /** of a hull or mesh, 3 numbers each (m), fixed when it is made; needs form=hull|mesh */
  points?: string
  /** of a mesh, 3 indices each, fixed when it is made; needs form=mesh */
  triangles?: string
  /** mean (kg/m^3), 0.001 to 1000000, default 500 */
  density?: number
  /** moves by its velocities alone, default false */
  held?: boolean
  /** of its centre of mass, z up (m), -1000000 to 1000000, default [0,0,0] */
  position?: [number, number, number]
  /** about the world's x, then y, then z (degrees), -1000000 to 1000000, default [0,0,0]; needs !orientation */
  rotation?: [number, number, number]
  /** the same as a unit quaternion x, y, z, w; all 0: rotation counts, -1.001 to 1.001, default [0,0,0,0] */
  orientation?: [number, number, number, number]
  /** of its centre of mass, z up (m/s), -10000 to 10000, default [0,0,0] */
  velocity?: [number, number, number]
  /** about the world's axes (degrees/s), -1000000 to 1000000, default [0,0,0] */
  spin?: [number, number, number]
  /** coefficient against the water, 0 to 1000, default 1 */
  drag?: number
  /** share of the displaced mass that moves along, 0 to 10, default 0.5 */
  added_mass?: number
  /** share of what it displaces that makes waves, 0 to 1, default 1 */
  waves?: number
  /** carried by current and waves, default true */
  drift?: boolean
  /** the caller's own (N), -1000000000000 to 1000000000000, default [0,0,0]; needs held=false */
  force?: [number, number, number]
  /** the caller's own (N m), -1000000000000 to 1000000000000, default [0,0,0]; needs held=false */
  torque?: [number, number, number]
  /** of a propeller, along its own x (N), -1000000000 to 1000000000, default 0; needs held=false */
  thrust?: number
  /** where it pushes, own frame (m), -10000 to 10000, default [0,0,0]; needs thrust */
  propeller?: [number, number, number]
  /** above 0 the bow goes to port (degrees), -90 to 90, default 0; needs rudder_area */
  rudder?: number
  /** 0: none (m^2), 0 to 10000, default 0; needs held=false */
  rudder_area?: number
  /** where it is, own frame (m), -10000 to 10000, default [0,0,0]; needs rudder_area */
  rudder_at?: [number, number, number]
  /** what keeps it from going sideways; 0: none (m^2), 0 to 100000, default 0; needs held=false */
  keel_area?: number
  /** of that, along its own x (m), 0 to 10000, default 0; needs keel_area */
  keel_length?: number
}

export interface WaterDef {
  /** the cells, seen from above */
  grid?: GasDefGrid
  /** linear waves, depth over a bed, or that with waves of every length, default "shallow", fixed when it is made */
  mode?: 'wave' | 'shallow' | 'dispersive'
  /** the four sides of the domain */
  sides?: WaterDefSides
  /** of the surface at rest (m), -100000 to 100000, default 0, fixed when it is made */
  level?: number
  /** all that is lower is filled at the start, default true, fixed when it is made */
  fill?: boolean
  /** the ground */
  bed?: WaterDefBed
  /** 0 in cells that are cut out, fixed when it is made */
  mask?: string
  /** acceleration of free fall (m/s^2), 0 to 10000, default 9.81 */
  gravity?: number
  /** of linear waves (m/s), 0 to 100000, default 1; needs mode=wave */
  wave_speed?: number
  /** what happens to a step that is too long, default "split" */
  excess?: 'split' | 'clamp' | 'explode'
  /** share of the stable step that is taken, 0.01 to 1, default 0.9 */
  courant?: number
  /** of a step; what is left then is dropped, 1 to 10000, default 64 */
  max_substeps?: number
  /** how fast velocities decay (1/s), 0 to 1000000, default 0 */
  damping?: number
  /** velocities times this in each step, 0 to 1, default 1 */
  velocity_scale?: number
  /** steeper surfaces spill; 0: any slope stands, 0 to 1000, default 0 */
  max_slope?: number
  /** waves disperse, and break where crests outrun themselves, default false, fixed when it is made; needs mode=shallow */
  nonhydrostatic?: boolean
  /** friction of the bed (s/m^(1/3)), 0 to 10, default 0; needs mode=shallow|dispersive */
  manning?: number
  /** linear friction of the bed (1/s), 0 to 1000000, default 0; needs mode=shallow|dispersive */
  friction?: number
  /** on all cells (m/s), 0 to 1000, default 0 */
  rain?: number
  /** whether rain comes in drops that make rings */
  drops?: WaterDefDrops
  /** from all cells (m/s), 0 to 1000, default 0 */
  evaporation?: number
  /** of the tank (m/s^2), -10000 to 10000, default [0,0]; needs mode=shallow|dispersive */
  acceleration?: [number, number]
  /** turns the flow to the right (1/s), -10 to 10, default 0 */
  coriolis?: number
  /** how much coriolis grows along y (1/(m s)), -1 to 1, default 0 */
  coriolis_beta?: number
  /** less than this does not flow (m), 1e-9 to 1, default 0.0001 */
  dry_depth?: number
  /** velocities are cut to it (m/s), 0.001 to 100000, default 200; needs mode=shallow|dispersive */
  speed_cap?: number
  /** depths are whole multiples of the quantum, default false, fixed when it is made */
  exact?: boolean
  /** of depth; 0: by the deepest water at the start (m), 0 to 1, default 0, fixed when it is made */
  quantum?: number
  /** calmer tiles go to sleep; 0: never (m), 0 to 10, default 0 */
  sleep_height?: number
  /** how long they must have been calm, 1 to 250, default 30; needs sleep_height */
  sleep_steps?: number
  /** times sleep_height wakes neighbours, 1 to 1000, default 4; needs sleep_height */
  wake_factor?: number
  /** of 64 x 64 cells there is memory for; 0: all, 0 to 16777216, default 0, fixed when it is made */
  tiles?: number
  /** for bodies (kg/m^3), 1 to 100000, default 1000 */
  water_density?: number
  /** name of a body that the grid goes along with; none: it stays */
  follow?: string
  /** that it may be off the middle; 0: an eighth of the grid (m), 0 to 1000000, default 0; needs follow */
  slack?: number
  /** whether it is a window of a sea */
  sea?: WaterDefSea
  /** steps that the flow is stepped in one of, 1 to 1000, default 1 */
  every?: number
  /** keeps a copy for questions beside a step, default false, fixed when it is made */
  queries?: boolean
  /** points that float on it */
  dust?: WaterDefDust
  /** steep fronts, falls and splashes */
  breaking?: WaterDefBreaking
  /** drops in the air */
  spray?: WaterDefSpray
  /** foam and bubbles */
  foam?: WaterDefFoam
  /** coordinates of a texture that flow with it */
  texture?: WaterDefTexture
  /** in which ground dries that water has left; 0: not known (s), 0 to 1000000000, default 0, fixed when it is made */
  drying?: number
  /** pieces that are cut out of the domain */
  edges?: WaterDefEdge[]
  /** weirs and gates */
  gates?: WaterDefGate[]
  /** water at the start, fixed when it is made */
  lakes?: WaterDefLake[]
  /** water that stands somewhere at the start, fixed when it is made */
  blocks?: WaterDefBlock[]
  /** where water enters or leaves */
  sources?: WaterDefSource[]
  /** where the bed moves */
  uplifts?: WaterDefUplift[]
  /** what floats or sinks */
  bodies?: WaterDefBody[]
}

export interface OceanDefPatch {
  /** side of the largest square (m), 0.001 to 1000000, default 500, fixed when it is made */
  length?: number
  /** along a side, a power of two, 32 to 1024, default 256, fixed when it is made */
  cells?: number
  /** squares, each for shorter waves, 1 to 4, default 2, fixed when it is made */
  cascades?: number
  /** side of a square over that of the one before, 0.001 to 0.9, default 0.1618, fixed when it is made; needs cascades */
  ratio?: number
  /** cells in the shortest wave of a square, 2.1 to 16, default 3, fixed when it is made */
  finest?: number
}

export interface OceanDefFoam {
  /** growth, by what the Jacobian is below the threshold (1/s), 0 to 10000, default 0 */
  rate?: number
  /** of the displacement's Jacobian, -10 to 10, default 0.6; needs rate */
  threshold?: number
  /** in which it fades to 1/e (s), 0.001 to 1000000, default 4 */
  life?: number
}

export interface OceanDefWave {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** half the height from trough to crest (m), 0 to 10000, default 0.5 */
  amplitude?: number
  /** between crests; 0: as the period has it (m), 0 to 1000000, default 20 */
  length?: number
  /** between crests; 0: as the length has it (s), 0 to 100000, default 0 */
  period?: number
  /** from +x towards +y: where it goes (degrees), -10000 to 10000, default 0 */
  direction?: number
  /** at the origin at time 0; 0: a crest (degrees), -1000000 to 1000000, default 0 */
  phase?: number
  /** 0: a sine; 1: Gerstner's trochoid, 0 to 1, default 0 */
  steepness?: number
}

export interface OceanDefSea {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** by what its spectrum is given, default "wind" */
  given?: 'wind' | 'height'
  /** 10 m above the water (m/s), 0.1 to 100, default 10 */
  wind_speed?: number
  /** over which the wind has blown (m), 1 to 10000000, default 100000; needs given=wind */
  fetch?: number
  /** four standard deviations of the surface (m), 0 to 100, default 2; needs given=height */
  significant_height?: number
  /** of the waves with the most energy (s), 0.01 to 1000, default 8; needs given=height */
  peak_period?: number
  /** peak enhancement; 1: Pierson and Moskowitz, 1 to 20, default 3.3 */
  gamma?: number
  /** from +x towards +y: where waves go (degrees), -10000 to 10000, default 0 */
  direction?: number
  /** of directions, default "hasselmann" */
  spread?: 'cosine' | 'mitsuyasu' | 'hasselmann'
  /** s of cos^2s(theta / 2), 0 to 1000, default 8; needs spread=cosine */
  exponent?: number
  /** how far waves are drawn out in crests, 0 to 1, default 0 */
  swell?: number
}

export interface OceanDefEmitter {
  /** for paths */
  name?: string
  /** whether it counts, default true */
  enabled?: boolean
  /** where it is at the start (m), -1000000 to 1000000, default [0,0] */
  point?: [number, number]
  /** it moves with (m/s), -10000 to 10000, default [0,0] */
  velocity?: [number, number]
  /** of the first ring (s), -1000000 to 1000000, default 0 */
  start?: number
  /** between rings; 0: there is one (s), 0 to 1000000, default 0 */
  interval?: number
  /** after which it gives off no more (s), -1000000 to 1000000, default 1000000; needs interval */
  end?: number
  /** of a ring at its birth (m), -100 to 100, default 1 */
  amplitude?: number
  /** of a particle (m), 0.001 to 10000, default 2 */
  radius?: number
  /** of particles; 0: that of waves two radii long (m/s), 0 to 10000, default 0 */
  speed?: number
  /** after which a ring has faded (s), 0.001 to 100000, default 20 */
  life?: number
}

export interface OceanDefParticles {
  /** families that bodies have shed at a time; 0: they shed none, 0 to 1048576, default 0, fixed when it is made */
  capacity?: number
  /** that shed, at most, 1 to 1024, default 16, fixed when it is made; needs capacity */
  bodies?: number
  /** of what bodies shed (m), 0.001 to 10000, default 1; needs capacity */
  radius?: number
  /** of that; 0: that of waves two radii long (m/s), 0 to 10000, default 0; needs capacity */
  speed?: number
  /** after which it has faded (s), 0.001 to 100000, default 20; needs capacity */
  life?: number
  /** of what bodies displace, what becomes waves, 0 to 100, default 1; needs capacity */
  strength?: number
  /** particles of a lower amplitude are gone (m), 0 to 10, default 0.00001; needs capacity */
  least?: number
  /** of all particles, emitters' too: how far they move water along their way, 0 to 1, default 0 */
  sideways?: number
  /** how a front of what bodies shed falls as it widens, default "volume"; needs capacity */
  keeps?: 'volume' | 'energy'
}

export interface OceanDef {
  /** where fields are shown, seen from above */
  grid?: GasDefGrid
  /** of the surface at rest (m), -100000 to 100000, default 0 */
  level?: number
  /** of the water; 0: deep water (m), 0 to 100000, default 0 */
  depth?: number
  /** acceleration of free fall (m/s^2), 0.001 to 10000, default 9.81 */
  gravity?: number
  /** surface tension over density (m^3/s^2), 0 to 1, default 0 */
  tension?: number
  /** of spectra: sideways displacement over Gerstner's, 0 to 2, default 1 */
  choppiness?: number
  /** what the seed draws of spectra, default "phases" */
  draw?: 'phases' | 'gaussian'
  /** of the waves of spectra, 0 to 2147483647, default 0 */
  seed?: number
  /** the squares that spectra fill */
  patch?: OceanDefPatch
  /** white water */
  foam?: OceanDefFoam
  /** trains of waves */
  waves?: OceanDefWave[]
  /** wind waves and swell */
  seas?: OceanDefSea[]
  /** what gives off rings of wave particles */
  emitters?: OceanDefEmitter[]
  /** wave particles, and how bodies shed them */
  particles?: OceanDefParticles
}

export interface SceneSettingsCoupling {
  /** for paths */
  name?: string
  /** whether it acts, default true */
  enabled?: boolean
  /** what is moved: "air.emitters.steam" */
  element?: string
  /** the model on whose surface it is kept: "pool" */
  surface?: string
  /** above the surface (m), -100000 to 100000, default 0 */
  offset?: number
  /** in place of a surface, the body in whose own frame the element's shape is: "boat" */
  body?: string
  /** in place of an element, the gas whose floor is that surface: "air" */
  air?: string
  /** in place of an element, the water that is nested in a coarser one: "harbour" */
  nest?: string
  /** the water that it is nested in: "sea" */
  in?: string
  /** of the wind on the water, by the speed right above it, 0 to 10, default 0 */
  drag?: number
  /** in place of an element, water that is joined to `sea`: "bay" */
  window?: string
  /** the ocean that it is a window of: "ocean" */
  sea?: string
}

export interface FormSphere {
  /** radius (m), 0.0001 to 1000000, default 0.5 */
  radius?: number
}

export interface FormBox {
  /** full edges (m), 0.0001 to 1000000, default [1,1,1] */
  size?: [number, number, number]
}

export interface FormCapsule {
  /** round its axis, which is x (m), 0.0001 to 1000000, default 0.5 */
  radius?: number
  /** distance of the two centres (m), 0 to 1000000, default 1 */
  length?: number
}

export interface FormCylinder {
  /** round its axis, which is x (m), 0.0001 to 1000000, default 0.5 */
  radius?: number
  /** distance of the two ends (m), 0.0001 to 1000000, default 1 */
  length?: number
}

export interface FormHalfSpace {
  /** out of the solid, any length but 0, -1000000 to 1000000, default [0,0,1] */
  normal?: [number, number, number]
}

export interface FormHull {
  /** 3 numbers each (m) */
  points?: string
}

export interface FormMesh2 {
  /** 3 numbers each (m) */
  points?: string
  /** 3 indices each */
  triangles?: string
  /** the points at later times (m) */
  frames?: string
  /** of frames (1/s), 0 to 1000000, default 30 */
  rate?: number
  /** after the last frame comes the first, default false */
  repeat?: boolean
  /** corner of the box of points that a program moves (m), -1000000 to 1000000, default [0,0,0] */
  low?: [number, number, number]
  /** the other corner; both 0: it moves none (m), -1000000 to 1000000, default [0,0,0] */
  high?: [number, number, number]
}

export interface FormVolume {
  /** signed distances, below 0 inside (m) */
  data?: string
  /** lower corner of the array's box (m), -1000000 to 1000000, default [0,0,0] */
  low?: [number, number, number]
  /** edges of the array's box (m), 0.000001 to 1000000, default [1,1,1] */
  size?: [number, number, number]
}

export interface FormBitmap {
  /** inside where it is above the threshold */
  data?: string
  /** lower corner of the array's box (m), -1000000 to 1000000, default [0,0,0] */
  low?: [number, number, number]
  /** edges of the array's box (m), 0.000001 to 1000000, default [1,1,1] */
  size?: [number, number, number]
  /** value at the surface, -1000000 to 1000000, default 0.5 */
  threshold?: number
}

export interface SceneSettingsBodyWater {
  /** coefficient against the water, 0 to 1000, default 1 */
  drag?: number
  /** share of the displaced mass that moves along, 0 to 10, default 0.5 */
  added_mass?: number
  /** share of what it displaces that makes waves, 0 to 1, default 1 */
  waves?: number
  /** carried by current and waves, default true */
  drift?: boolean
}

export interface SceneSettingsBodyGas {
  /** whether the gas slides along it, default "as_gas" */
  surface?: 'as_gas' | 'slip' | 'no_slip'
  /** what scalars are held at on its surface, each by its field's name */
  holds?: Record<string, number>
  /** what it gives of scalars, per area, each by its field's name */
  gives?: Record<string, number>
}

export interface SceneSettingsBody {
  /** for paths */
  name?: string
  /** whether it is there, default true */
  enabled?: boolean
  /** in its own frame, default "sphere", fixed when it is made */
  form?: { sphere: FormSphere } | { box: FormBox } | { capsule: FormCapsule } | { cylinder: FormCylinder } | { half_space: FormHalfSpace } | { hull: FormHull } | { mesh: FormMesh2 } | { volume: FormVolume } | { bitmap: FormBitmap }
  /** how it moves, default "held" */
  motion?: 'held' | 'free' | 'path' | 'driven'
  /** of its own frame (m), -1000000 to 1000000, default [0,0,0] */
  position?: [number, number, number]
  /** about the world's x, then y, then z (degrees), -1000000 to 1000000, default [0,0,0]; needs !orientation */
  rotation?: [number, number, number]
  /** the same as a unit quaternion x, y, z, w; all 0: rotation counts, -1.001 to 1.001, default [0,0,0,0] */
  orientation?: [number, number, number, number]
  /** of its own frame (m/s), -10000 to 10000, default [0,0,0] */
  velocity?: [number, number, number]
  /** about the world's axes (degrees/s), -1000000 to 1000000, default [0,0,0] */
  spin?: [number, number, number]
  /** mean (kg/m^3), 0.001 to 1000000, default 500 */
  density?: number
  /** 0: what density and volume make (kg), 0 to 1000000000000000, default 0 */
  mass?: number
  /** the caller's own (N), -1000000000000 to 1000000000000, default [0,0,0]; needs motion=free */
  force?: [number, number, number]
  /** the caller's own (N m), -1000000000000 to 1000000000000, default [0,0,0]; needs motion=free */
  torque?: [number, number, number]
  /** keys of 8 numbers: time, position, quaternion, fixed when it is made; needs motion=path */
  path?: string
  /** the path begins anew at its end, default false; needs motion=path */
  repeat?: boolean
  /** what waters do to it */
  water?: SceneSettingsBodyWater
  /** what gases do to it, and it to them */
  gas?: SceneSettingsBodyGas
}

export interface SceneSettingsTime {
  /** frames per second of the fluid's time (1/s), 0.01 to 10000, default 30 */
  fps?: number
  /** frames of a whole run, 0 to 1000000000, default 240 */
  frames?: number
  /** steps of the models per frame, 1 to 1000, default 1 */
  steps_per_frame?: number
  /** added to the seed of every model that has one, 0 to 2147483647, default 0 */
  seed?: number
}

export interface SceneSettingsCamera {
  /** the eye; equal to target: the whole domain is framed (m), -1000000 to 1000000, default [0,0,0] */
  position?: [number, number, number]
  /** the point in the picture's middle (m), -1000000 to 1000000, default [0,0,0] */
  target?: [number, number, number]
  /** what is up in the picture, -1000 to 1000, default [0,1,0] */
  up?: [number, number, number]
  /** angle that the picture's height spans (degree), 1 to 150, default 30 */
  field_of_view?: number
}

export interface SceneSettingsLight {
  /** from the scene towards the light, -1000 to 1000, default [-1,0.9,-0.3] */
  direction?: [number, number, number]
  /** of the light, linear RGB, 0 to 100, default [1,0.93,0.82] */
  colour?: [number, number, number]
  /** brightness of the light, 0 to 1000, default 1.3 */
  intensity?: number
  /** brightness of the light from everywhere, 0 to 1000, default 0.22 */
  ambient?: number
  /** of the light from everywhere, linear RGB, 0 to 100, default [0.6,0.76,1] */
  ambient_colour?: [number, number, number]
}

export interface SceneSettingsViewChannel {
  /** the field: "density", a channel of a gas, or any other */
  name?: string
  /** whether it is drawn, default true */
  shown?: boolean
  /** linear RGB: of light what smoke sends on, a lamp gives, ink leaves at a depth of 1, 0 to 1, default [0.92,0.92,0.92] */
  colour?: [number, number, number]
  /** of its amount: a factor of density_scale, 0 to 1000000, default 1 */
  scale?: number
}

export interface SceneSettingsView {
  /** the field to show; empty: density */
  field?: string
  /** how it is drawn; auto: volume in 3D, water as a surface, else map; cells: one polygon a cell in 3D, of at most 64 x 64 x 64, default "auto" */
  mode?: 'auto' | 'volume' | 'slice' | 'surface' | 'bars' | 'cells'
  /** the axis across the slice, default "z" */
  slice_axis?: 'x' | 'y' | 'z'
  /** where along its axis the slice lies, 0 to 1, default 0.5 */
  slice_position?: number
  /** colours of maps and slices, default "auto" */
  map?: 'auto' | 'smoke' | 'ink' | 'gray' | 'viridis' | 'magma' | 'inferno' | 'coolwarm' | 'black_body'
  /** values of the first and last colour; equal: from the field itself, -1e+30 to 1e+30, default [0,0] */
  range?: [number, number]
  /** extinction of the smoke (m^2/kg), 0 to 1000000, default 40 */
  density_scale?: number
  /** share of the light that smoke scatters, linear RGB, 0 to 1, default [0.92,0.92,0.92] */
  albedo?: [number, number, number]
  /** how much smoke scatters forward (Henyey and Greenstein's g), -0.95 to 0.95, default 0.25 */
  anisotropy?: number
  /** linear RGB at the picture's top, 0 to 100, default [0.012,0.018,0.03] */
  background_top?: [number, number, number]
  /** linear RGB at the picture's bottom, 0 to 100, default [0.075,0.092,0.12] */
  background_bottom?: [number, number, number]
  /** factor before tone mapping, 0 to 1000, default 1 */
  exposure?: number
  /** smoke and solids cast shadows, default true */
  shadow?: boolean
  /** a plane under the domain, default false */
  floor?: boolean
  /** of the plane, linear RGB, 0 to 1, default [0.11,0.113,0.12] */
  floor_colour?: [number, number, number]
  /** of solids, linear RGB, 0 to 1, default [0.62,0.3,0.16] */
  solid_colour?: [number, number, number]
  /** the temperature shines like a black body, default false */
  glow?: boolean
  /** kelvin of glow per kelvin of the field, 0 to 1000000, default 1 */
  glow_scale?: number
  /** brightness of the glow, 0 to 1000000, default 1 */
  glow_intensity?: number
  /** how much smoke scatters of the light of glow and flame; 1: what comes to it; in 3D, 0 to 1000, default 0; needs glow */
  glow_scatter?: number
  /** a field that shines of itself in 3D, as fire.front.lit; empty: none */
  flame?: string
  /** of that, linear RGB, 0 to 1, default [0.1,0.3,1]; needs flame */
  flame_colour?: [number, number, number]
  /** brightness of a unit of it, 0 to 1000000, default 1; needs flame */
  flame_intensity?: number
  /** a bar of colours in maps and slices, default false */
  legend?: boolean
  /** of deep water, linear RGB, 0 to 1, default [0.006,0.085,0.15] */
  water_colour?: [number, number, number]
  /** after so much water 1/e of green light is left; 0: 2.5 m, less in a small domain (m), 0 to 1000000, default 0 */
  water_clarity?: number
  /** of level ground, linear RGB; steep ground is rock, 0 to 1, default [0.58,0.47,0.31] */
  bed_colour?: [number, number, number]
  /** of the sky over water, linear RGB, 0 to 100, default [0.08,0.24,0.62] */
  sky_top?: [number, number, number]
  /** of the sky near the horizon, linear RGB, 0 to 100, default [0.58,0.7,0.84] */
  sky_horizon?: [number, number, number]
  /** how many there are in the sky over water, 0 to 1, default 0.45 */
  clouds?: number
  /** particles are drawn, default true */
  points?: boolean
  /** diameter of particles; 0: a third of a cell (m), 0 to 1000000, default 0 */
  point_size?: number
  /** of particles, linear RGB, 0 to 1, default [0.9,0.62,0.25] */
  point_colour?: [number, number, number]
  /** the attribute that colours particles (age); empty: none */
  point_by?: string
  /** the attribute that sizes of particles grow with; empty: none */
  point_size_by?: string
  /** colours of point_by, default "auto" */
  point_map?: 'auto' | 'smoke' | 'ink' | 'gray' | 'viridis' | 'magma' | 'inferno' | 'coolwarm' | 'black_body'
  /** of these attributes; equal: their own range, -1e+30 to 1e+30, default [0,0] */
  point_range?: [number, number]
  /** light of their own, in their colour; in 3D, 0 to 1000, default 0 */
  point_glow?: number
  /** steps that waters out of the camera's sight are stepped in one of, 1 to 1000, default 1, fixed when it is made */
  unseen?: number
  /** several models: composed by depth in one picture, or in panels; auto: composed where they can be, default "auto" */
  layout?: 'auto' | 'composed' | 'panels'
  /** colours of single scalars of a gas; those that are not named have colours that differ, fixed when it is made */
  channels?: SceneSettingsViewChannel[]
  /** several scalars: light adds up their colours, ink multiplies what they leave of white; auto: as smoke, in maps as smoke or ink by the map, default "auto" */
  mix?: 'auto' | 'light' | 'ink'
  /** linear RGB behind ink, 0 to 100, default [0.93,0.91,0.86] */
  paper?: [number, number, number]
  /** of ink in volumes: extinction of what it scatters, a factor of density_scale, 0 to 1000000, default 0 */
  cloudiness?: number
  /** a PNG file, or noise, that flows with a gas by its texture coordinates; in 3D also a volume: an .npy file, a folder of numbered PNG files, or one name for them (a%03d.png); empty: none */
  texture?: 'noise' | (string & {})
  /** of a PNG file as a volume: slices in it, one above the other; 0: it is an image, 0 to 8192, default 0; needs texture */
  texture_slices?: number
  /** of the texture's width; 0: that of the domain (m), 0 to 1000000, default 0; needs texture */
  texture_size?: number
  /** factor of the texture's deviation from its mean, 0 to 100, default 1; needs texture */
  texture_contrast?: number
  /** waves gather the sun's light on the bed and on bodies under water, beam by beam; else by the curvature above alone, default false */
  caustics?: boolean
  /** how much of white water is drawn, a factor; 0: none, 0 to 100, default 1 */
  foam?: number
  /** width of square tiles on level ground; 0: there are none (m), 0 to 1000000, default 0 */
  bed_tiles?: number
  /** particles named spray or foam are drawn as soft drops; else as balls like all others, default true */
  point_soft?: boolean
  /** ground that water has left is dark and shines: see water.drying, default true */
  wet?: boolean
  /** mean slope of ripples finer than cells, which flow with the water: see water.texture; 0: none, 0 to 1, default 0 */
  ripples?: number
  /** of the longest ripples; 0: one and a half cells (m), 0 to 10000, default 0; needs ripples */
  ripple_length?: number
  /** of the flow that makes half of the ripples; 0: all water has them (m/s), 0 to 1000, default 0; needs ripples */
  ripple_speed?: number
  /** where ripples run to, from x towards y (degree), -10000 to 10000, default 0; needs ripples */
  ripple_direction?: number
}

export interface SceneSettingsOutput {
  /** width of pictures in pixels, 16 to 8192, default 640 */
  width?: number
  /** height of pictures in pixels, 16 to 8192, default 480 */
  height?: number
  /** frames per second of videos: less than time.fps is slow motion; 0: time.fps (1/s), 0 to 240, default 0 */
  fps?: number
}

export interface SceneSettingsKnownGrid {
  /** along x, 1 to 8192, default 64 */
  cells?: number
  /** of which run it is, default "full" */
  run?: 'quick' | 'full' | 'overnight'
}

export interface SceneSettingsKnownValue {
  /** what the measure calls it */
  name?: string
  /** what its error is, default "relative" */
  kind?: 'relative' | 'absolute' | 'at_least' | 'at_most' | 'order'
  /** along x, of the grid that it holds of; 0: the finest, 0 to 8192, default 0 */
  cells?: number
  /** what is known, in the measure's unit, default 0 */
  value?: number
  /** the greatest error, 0 to 1e+30, default 0 */
  tolerance?: number
  /** whether a quick run's grids must have it, too, default false */
  quick?: boolean
  /** of whom it is asked: "gas, cubic"; empty: of the scene as it is */
  by?: string
  /** where it comes from; empty: as all of it */
  source?: string
}

export interface SceneSettingsKnownOther {
  /** what the measure calls it */
  name?: string
  /** who has come to it */
  by?: string
  /** along x, 0 to 8192, default 0 */
  cells?: number
  /** in the measure's unit, default 0 */
  value?: number
  /** where that is said */
  source?: string
}

export interface SceneSettingsKnownPicture {
  /** from the start of the run (s), 0 to 1000000000, default 0 */
  at?: number
  /** what it shows */
  of?: string
}

export interface SceneSettingsKnown {
  /** what gyre validate measures: see gyre validate --measures */
  measure?: string
  /** where what is known comes from */
  source?: string
  /** what it is measured on, the coarse ones of a run first */
  grids?: SceneSettingsKnownGrid[]
  /** steps of so many cells at that speed; 0: the scene's own, 0 to 100, default 0 */
  courant?: number
  /** for the length of steps (m/s), 0.000001 to 1000000, default 1 */
  speed?: number
  /** numbers that the measure asks for, by name */
  with?: Record<string, number>
  /** what it must come to */
  values?: SceneSettingsKnownValue[]
  /** what others are said to have come to */
  others?: SceneSettingsKnownOther[]
  /** what the page shows of its finest grid; none: its end */
  pictures?: SceneSettingsKnownPicture[]
}

export interface SceneSettings {
  /** what the scene is called */
  title?: string
  /** what it shows, in a sentence */
  doc?: string
  /** what computes it: cpu, vulkan, or vulkan:NAME with an index or part of a name; empty: cpu */
  device?: string
  /** the axis that points up, which defaults follow (gravity, camera, light); own: y in a gas, z of water, default "own", fixed when it is made */
  up?: 'own' | 'y' | 'z'
  /** what ties models together, in each step after the timeline and before the models, fixed when it is made */
  couplings?: SceneSettingsCoupling[]
  /** what every model is handed that takes bodies: floats, keeps smoke out, is drawn once */
  bodies?: SceneSettingsBody[]
  /** frames and steps */
  time?: SceneSettingsTime
  /** where the scene is seen from */
  camera?: SceneSettingsCamera
  /** what lights it */
  light?: SceneSettingsLight
  /** how fields are shown */
  view?: SceneSettingsView
  /** size of pictures */
  output?: SceneSettingsOutput
  /** what gyre validate holds it against */
  known?: SceneSettingsKnown
}

/** Models' defs by type: what differs from the defaults. */
export interface ModelDefs {
  gas: GasDef
  classic: ClassicDef
  water: WaterDef
  ocean: OceanDef
}

export type ModelType = keyof ModelDefs
export type { SceneSettings as Settings }

/** Single values of a model by path. */
export interface GasPaths {
  'grid.dim': number
  'grid.n': [number, number, number]
  'grid.h': number
  'grid.origin': [number, number, number]
  'sides.x_low.rule': 'slip' | 'no_slip' | 'open' | 'periodic' | 'inflow'
  'sides.x_low.velocity': [number, number, number]
  'sides.x_low.leaves': 'freely' | 'carried'
  'sides.x_low.profile': 'even' | 'parabola' | 'power'
  'sides.x_low.exponent': number
  'sides.x_high.rule': 'slip' | 'no_slip' | 'open' | 'periodic' | 'inflow'
  'sides.x_high.velocity': [number, number, number]
  'sides.x_high.leaves': 'freely' | 'carried'
  'sides.x_high.profile': 'even' | 'parabola' | 'power'
  'sides.x_high.exponent': number
  'sides.y_low.rule': 'slip' | 'no_slip' | 'open' | 'periodic' | 'inflow'
  'sides.y_low.velocity': [number, number, number]
  'sides.y_low.leaves': 'freely' | 'carried'
  'sides.y_low.profile': 'even' | 'parabola' | 'power'
  'sides.y_low.exponent': number
  'sides.y_high.rule': 'slip' | 'no_slip' | 'open' | 'periodic' | 'inflow'
  'sides.y_high.velocity': [number, number, number]
  'sides.y_high.leaves': 'freely' | 'carried'
  'sides.y_high.profile': 'even' | 'parabola' | 'power'
  'sides.y_high.exponent': number
  'sides.z_low.rule': 'slip' | 'no_slip' | 'open' | 'periodic' | 'inflow'
  'sides.z_low.velocity': [number, number, number]
  'sides.z_low.leaves': 'freely' | 'carried'
  'sides.z_low.profile': 'even' | 'parabola' | 'power'
  'sides.z_low.exponent': number
  'sides.z_high.rule': 'slip' | 'no_slip' | 'open' | 'periodic' | 'inflow'
  'sides.z_high.velocity': [number, number, number]
  'sides.z_high.leaves': 'freely' | 'carried'
  'sides.z_high.profile': 'even' | 'parabola' | 'power'
  'sides.z_high.exponent': number
  'advection': 'semi_lagrangian' | 'maccormack' | 'conservative' | 'bfecc' | 'cubic'
  'gravity': [number, number, number]
  'thermal_expansion': number
  'density_weight': number
  'viscosity': number
  'air_density': number
  'speed_cap': number
  'courant': number
  'max_substeps': number
  'seed': number
  'pressure.solver': 'auto' | 'multigrid' | 'mgpcg' | 'fft' | 'cyclic_reduction' | 'direct' | 'dense' | 'pcg' | 'cg' | 'red_black' | 'gauss_seidel' | 'jacobi'
  'pressure.tolerance': number
  'pressure.max_cycles': number
  'pressure.cycle': 'v' | 'w' | 'f' | 'full'
  'pressure.sweeps': number
  'pressure.preconditioner': 'mic0' | 'multigrid'
  'pressure.omega': number
  'pressure.refine': boolean
  'diffusion.solver': 'auto' | 'multigrid' | 'mgpcg' | 'fft' | 'cyclic_reduction' | 'direct' | 'dense' | 'pcg' | 'cg' | 'red_black' | 'gauss_seidel' | 'jacobi'
  'diffusion.tolerance': number
  'diffusion.max_cycles': number
  'diffusion.cycle': 'v' | 'w' | 'f' | 'full'
  'diffusion.sweeps': number
  'diffusion.preconditioner': 'mic0' | 'multigrid'
  'diffusion.omega': number
  'diffusion.refine': boolean
  'density.diffusivity': number
  'density.dissipation': number
  'temperature.diffusivity': number
  'temperature.dissipation': number
  'solid_slip': boolean
  'floor': boolean
  'half_scalars': boolean
  'tracers.capacity': number
  'tracers.start': number
  'tracers.low': [number, number, number]
  'tracers.high': [number, number, number]
  'tracers.life': number
  'tracers.inertia': boolean
  'tracers.diameter': number
  'tracers.density': number
  'tracers.viscosity': number
  'tracers.bounce': number
  'tracers.friction': number
  'tracers.stick': boolean
  'tracers.turbulence': number
  'tracers.load': number
  'tracers.thickness': number
  'frame.acceleration': [number, number, number]
  'frame.spin': [number, number, number]
  'frame.centre': [number, number, number]
  'velocity': 'solved' | 'noise' | 'recorded' | 'rows'
  'noise.speed': number
  'noise.size': number
  'noise.octaves': number
  'noise.change': number
  'noise.seed': number
  'recorded.rate': number
  'recorded.loop': boolean
  'fire.fuel': string
  'fire.spent': string
  'fire.ignition': number
  'fire.rate': number
  'fire.heat': number
  'fire.air': number
  'fire.soot': number
  'fire.cooling': number
  'fire.expansion': number
  'fire.front.burnt': string
  'fire.front.lit': string
  'fire.front.speed': number
  'texture.phases': number
  'texture.period': number
  'texture.offset': [number, number, number]
  'atmosphere.layered': boolean
  'atmosphere.ground': number
  'atmosphere.temperature': number
  'atmosphere.pressure': number
  'atmosphere.lapse': number
  'atmosphere.vapour': string
  'atmosphere.water': string
  'atmosphere.rain': string
  'atmosphere.humidity': number
  'atmosphere.aloft': number
  'atmosphere.growth': number
  'atmosphere.least': number
  'atmosphere.collection': number
  'atmosphere.evaporation': number
}

/** Single values of a model by path. */
export interface ClassicPaths {
  'grid.dim': number
  'grid.n': [number, number, number]
  'grid.h': number
  'grid.origin': [number, number, number]
  'sides.x_low.rule': 'wall' | 'periodic' | 'inflow' | 'open'
  'sides.x_low.velocity': [number, number, number]
  'sides.x_low.density': number
  'sides.x_high.rule': 'wall' | 'periodic' | 'inflow' | 'open'
  'sides.x_high.velocity': [number, number, number]
  'sides.x_high.density': number
  'sides.y_low.rule': 'wall' | 'periodic' | 'inflow' | 'open'
  'sides.y_low.velocity': [number, number, number]
  'sides.y_low.density': number
  'sides.y_high.rule': 'wall' | 'periodic' | 'inflow' | 'open'
  'sides.y_high.velocity': [number, number, number]
  'sides.y_high.density': number
  'sides.z_low.rule': 'wall' | 'periodic' | 'inflow' | 'open'
  'sides.z_low.velocity': [number, number, number]
  'sides.z_low.density': number
  'sides.z_high.rule': 'wall' | 'periodic' | 'inflow' | 'open'
  'sides.z_high.velocity': [number, number, number]
  'sides.z_high.density': number
  'sweeps': number
  'viscosity': number
  'diffusivity': number
  'confinement': number
}

/** Single values of a model by path. */
export interface WaterPaths {
  'grid.dim': number
  'grid.n': [number, number, number]
  'grid.h': number
  'grid.origin': [number, number, number]
  'mode': 'wave' | 'shallow' | 'dispersive'
  'sides.x_low.rule': 'wall' | 'periodic' | 'open' | 'inflow'
  'sides.x_low.absorber': 'mur' | 'layer' | 'ghost_new' | 'ghost_old'
  'sides.x_low.layer': number
  'sides.x_low.inflow': 'waves' | 'stage' | 'discharge'
  'sides.x_low.follow_level': boolean
  'sides.x_low.level': number
  'sides.x_low.amplitude': number
  'sides.x_low.period': number
  'sides.x_low.phase': number
  'sides.x_low.discharge': number
  'sides.x_high.rule': 'wall' | 'periodic' | 'open' | 'inflow'
  'sides.x_high.absorber': 'mur' | 'layer' | 'ghost_new' | 'ghost_old'
  'sides.x_high.layer': number
  'sides.x_high.inflow': 'waves' | 'stage' | 'discharge'
  'sides.x_high.follow_level': boolean
  'sides.x_high.level': number
  'sides.x_high.amplitude': number
  'sides.x_high.period': number
  'sides.x_high.phase': number
  'sides.x_high.discharge': number
  'sides.y_low.rule': 'wall' | 'periodic' | 'open' | 'inflow'
  'sides.y_low.absorber': 'mur' | 'layer' | 'ghost_new' | 'ghost_old'
  'sides.y_low.layer': number
  'sides.y_low.inflow': 'waves' | 'stage' | 'discharge'
  'sides.y_low.follow_level': boolean
  'sides.y_low.level': number
  'sides.y_low.amplitude': number
  'sides.y_low.period': number
  'sides.y_low.phase': number
  'sides.y_low.discharge': number
  'sides.y_high.rule': 'wall' | 'periodic' | 'open' | 'inflow'
  'sides.y_high.absorber': 'mur' | 'layer' | 'ghost_new' | 'ghost_old'
  'sides.y_high.layer': number
  'sides.y_high.inflow': 'waves' | 'stage' | 'discharge'
  'sides.y_high.follow_level': boolean
  'sides.y_high.level': number
  'sides.y_high.amplitude': number
  'sides.y_high.period': number
  'sides.y_high.phase': number
  'sides.y_high.discharge': number
  'level': number
  'fill': boolean
  'bed.stretch': boolean
  'bed.flat': number
  'bed.low': number
  'bed.high': number
  'bed.slope': [number, number]
  'bed.corner': [number, number]
  'bed.size': [number, number]
  'gravity': number
  'wave_speed': number
  'excess': 'split' | 'clamp' | 'explode'
  'courant': number
  'max_substeps': number
  'damping': number
  'velocity_scale': number
  'max_slope': number
  'nonhydrostatic': boolean
  'manning': number
  'friction': number
  'rain': number
  'drops.size': number
  'drops.ring': number
  'drops.radius': number
  'drops.seed': number
  'evaporation': number
  'acceleration': [number, number]
  'coriolis': number
  'coriolis_beta': number
  'dry_depth': number
  'speed_cap': number
  'exact': boolean
  'quantum': number
  'sleep_height': number
  'sleep_steps': number
  'wake_factor': number
  'tiles': number
  'water_density': number
  'follow': string
  'slack': number
  'sea.carries': 'alone' | 'difference' | 'whole'
  'sea.shore': number
  'every': number
  'queries': boolean
  'dust.capacity': number
  'dust.start': number
  'dust.low': [number, number]
  'dust.high': [number, number]
  'dust.life': number
  'dust.seed': number
  'breaking.fronts': number
  'breaking.patches': number
  'breaking.ratio': number
  'breaking.onset': number
  'breaking.height': number
  'breaking.thickness': number
  'breaking.speed': number
  'breaking.interval': number
  'breaking.fall': number
  'breaking.splash': number
  'spray.capacity': number
  'spray.share': number
  'spray.diameter': number
  'spray.bounce': number
  'spray.seed': number
  'foam.capacity': number
  'foam.life': number
  'foam.amount': number
  'foam.depth': number
  'foam.rise': number
  'foam.patch': number
  'texture.phases': number
  'texture.period': number
  'texture.offset': [number, number, number]
  'drying': number
}

/** Single values of a model by path. */
export interface OceanPaths {
  'grid.dim': number
  'grid.n': [number, number, number]
  'grid.h': number
  'grid.origin': [number, number, number]
  'level': number
  'depth': number
  'gravity': number
  'tension': number
  'choppiness': number
  'draw': 'phases' | 'gaussian'
  'seed': number
  'patch.length': number
  'patch.cells': number
  'patch.cascades': number
  'patch.ratio': number
  'patch.finest': number
  'foam.rate': number
  'foam.threshold': number
  'foam.life': number
  'particles.capacity': number
  'particles.bodies': number
  'particles.radius': number
  'particles.speed': number
  'particles.life': number
  'particles.strength': number
  'particles.least': number
  'particles.sideways': number
  'particles.keeps': 'volume' | 'energy'
}

export interface ModelPaths {
  gas: GasPaths
  classic: ClassicPaths
  water: WaterPaths
  ocean: OceanPaths
}
