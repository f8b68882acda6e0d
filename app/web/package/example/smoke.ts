// Smoke in three.js: a gas of 48 x 64 x 48 cells as a Data3DTexture of bytes, ray-marched in a box.
// Each ray goes through the box in steps of one cell; light comes from above, through what smoke is
// there (six steps). The gas runs on the page's thread: an app puts it in a Worker.
import { loadGyre } from 'gyre-fluid/model'
import {
  BackSide, BoxGeometry, Data3DTexture, GLSL3, LinearFilter, Mesh, PerspectiveCamera, RedFormat, Scene, ShaderMaterial,
  UnsignedByteType, Vector3, WebGLRenderer,
} from 'three'

const room = document.querySelector<HTMLElement>('#room')!
const says = document.querySelector<HTMLElement>('#says')!

const gyre = await loadGyre({ threads: 1 })
const n: [number, number, number] = [48, 64, 48]
const gas = gyre.createModel('gas', {
  grid: { dim: 3, n, h: 1 / 48 },
  density: { dissipation: 0.15 },
  emitters: [
    { name: 'fire', mode: 'set', density: 1, temperature: 40, noise: 0.4, shape: { sphere: { centre: [0.5, 0.12, 0.5], radius: 0.09 } } },
  ],
  solids: [{ name: 'ball', shape: { sphere: { centre: [0.54, 0.62, 0.5], radius: 0.12 } } }],
})

const bytes = new Uint8Array(n[0] * n[1] * n[2])
const texture = new Data3DTexture(bytes, ...n)
texture.format = RedFormat
texture.type = UnsignedByteType
texture.minFilter = texture.magFilter = LinearFilter
texture.unpackAlignment = 1

/** Rows in the module's memory are padded: each is read where it lies. */
function upload(): void {
  using view = gas.map('density')
  const { data, nx, ny, nz, strideY, strideZ } = view
  let to = 0
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      const row = y * strideY + z * strideZ
      for (let x = 0; x < nx; x++) bytes[to++] = Math.min(255, 255 * data[row + x]!)
    }
  }
  texture.needsUpdate = true
}

const size = new Vector3(1, n[1] / n[0], 1)
const material = new ShaderMaterial({
  glslVersion: GLSL3,
  side: BackSide,
  transparent: true,
  uniforms: { smoke: { value: texture }, size: { value: size }, cells: { value: new Vector3(...n) } },
  vertexShader: `
    out vec3 place, eye;
    void main() {
      place = position;
      eye = (inverse(modelMatrix) * vec4(cameraPosition, 1.0)).xyz;
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`,
  fragmentShader: `
    precision highp float;
    precision highp sampler3D;
    uniform sampler3D smoke;
    uniform vec3 size, cells;
    in vec3 place, eye;
    out vec4 colour;
    float at(vec3 p) { return texture(smoke, p / size + 0.5).r; }
    void main() {
      vec3 way = normalize(place - eye);
      vec3 low = (-0.5 * size - eye) / way, high = (0.5 * size - eye) / way;
      vec3 first = min(low, high), last = max(low, high);
      float near = max(max(first.x, max(first.y, first.z)), 0.0), far = min(last.x, min(last.y, last.z));
      float step = size.x / cells.x, clear = 1.0;
      vec3 light = vec3(0.0);
      for (float t = near + 0.5 * step; t < far && clear > 0.02; t += step) {
        vec3 p = eye + t * way;
        float d = at(p);
        if (d < 0.004) continue;
        float above = 0.0;
        for (int i = 1; i <= 6; i++) above += at(p + float(i) * 2.5 * step * vec3(0.3, 1.0, 0.2));
        float taken = 1.0 - exp(-14.0 * d * step);
        vec3 lit = vec3(0.30, 0.34, 0.42) + vec3(1.0, 0.93, 0.82) * exp(-14.0 * 2.5 * step * above);
        light += clear * taken * lit;
        clear *= 1.0 - taken;
      }
      colour = vec4(light, 1.0 - clear);
      colour.rgb = pow(colour.rgb, vec3(1.0 / 2.2));
    }`,
})

const renderer = new WebGLRenderer({ antialias: true })
room.append(renderer.domElement)
const scene = new Scene()
scene.add(new Mesh(new BoxGeometry(...size.toArray()), material))
const camera = new PerspectiveCamera(35, 1, 0.1, 10)
let turn = 0.4
const look = (): void => {
  camera.position.set(3 * Math.sin(turn), 0.4, 3 * Math.cos(turn))
  camera.lookAt(0, 0, 0)
}
room.addEventListener('pointermove', (event) => {
  if (event.buttons) turn -= 0.01 * event.movementX
})
new ResizeObserver(() => {
  renderer.setSize(room.clientWidth, room.clientHeight, false)
  camera.aspect = room.clientWidth / Math.max(1, room.clientHeight)
  camera.updateProjectionMatrix()
}).observe(room)

let steps = 0
renderer.setAnimationLoop(() => {
  gas.step(1 / 30)
  upload()
  look()
  renderer.render(scene, camera)
  if (++steps % 30 === 1) says.textContent = `${n.join(' x ')} cells, ${steps} steps; drag to turn`
})
Object.assign(globalThis, { gas, steps: () => steps })
