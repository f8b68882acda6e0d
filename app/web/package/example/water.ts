// Water in three.js: the height of linear waves as a texture of floats that moves the corners of a
// plane; slopes for the light come from the same texture. A pointer drops into it.
import { loadGyre } from 'gyre-fluid/model'
import {
  DataTexture, DoubleSide, FloatType, GLSL3, Mesh, NearestFilter, PerspectiveCamera, PlaneGeometry, Raycaster, RedFormat,
  Scene, ShaderMaterial, Vector2, WebGLRenderer,
} from 'three'

const room = document.querySelector<HTMLElement>('#room')!
const says = document.querySelector<HTMLElement>('#says')!

const gyre = await loadGyre({ threads: 1 }) // a few thousand cells are not worth more
const n = 128
const width = 2
const water = gyre.createModel('water', {
  mode: 'wave',
  grid: { dim: 2, n: [n, n, 1], h: width / n },
  wave_speed: 0.8,
  damping: 0.15,
})
water.splat('height', [0.7, 1.2], 0.25, 0.12)

const heights = new Float32Array(n * n)
const texture = new DataTexture(heights, n, n, RedFormat, FloatType)
texture.minFilter = texture.magFilter = NearestFilter

const material = new ShaderMaterial({
  glslVersion: GLSL3,
  side: DoubleSide,
  uniforms: { height: { value: texture }, cells: { value: n }, width: { value: width } },
  vertexShader: `
    uniform sampler2D height;
    uniform float cells, width;
    out vec3 normal_, place;
    // Between the samples of four cells: textures of floats need not filter.
    float at(vec2 where) {
      vec2 p = clamp(where * cells - 0.5, vec2(0.0), vec2(cells - 1.001));
      ivec2 i = ivec2(p);
      vec2 f = p - vec2(i);
      float a = texelFetch(height, i, 0).r, b = texelFetch(height, i + ivec2(1, 0), 0).r;
      float c = texelFetch(height, i + ivec2(0, 1), 0).r, d = texelFetch(height, i + ivec2(1, 1), 0).r;
      return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
    }
    void main() {
      float e = 1.0 / cells;
      vec2 slope = vec2(at(uv + vec2(e, 0.0)) - at(uv - vec2(e, 0.0)), at(uv + vec2(0.0, e)) - at(uv - vec2(0.0, e))) / (2.0 * e * width);
      normal_ = normalize(vec3(-slope, 1.0));
      place = vec3(position.xy, at(uv));
      gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
    }`,
  fragmentShader: `
    precision highp float;
    in vec3 normal_, place;
    out vec4 colour;
    void main() {
      vec3 n = normalize(normal_), eye = normalize(cameraPosition - place), sun = normalize(vec3(0.4, 0.7, 0.6));
      float mirror = 0.02 + 0.98 * pow(1.0 - max(dot(n, eye), 0.0), 5.0);
      vec3 back = reflect(-eye, n);
      vec3 sky = mix(vec3(0.62, 0.74, 0.86), vec3(0.16, 0.36, 0.72), clamp(back.z, 0.0, 1.0));
      vec3 deep = vec3(0.01, 0.12, 0.17) + vec3(0.02, 0.16, 0.15) * clamp(0.5 + 4.0 * place.z, 0.0, 1.0);
      vec3 c = mix(deep, sky, mirror) + vec3(1.0, 0.95, 0.8) * pow(max(dot(back, sun), 0.0), 300.0);
      colour = vec4(pow(c, vec3(1.0 / 2.2)), 1.0);
    }`,
})

const renderer = new WebGLRenderer({ antialias: true })
room.append(renderer.domElement)
const scene = new Scene()
const plane = new Mesh(new PlaneGeometry(width, width, n, n), material)
plane.frustumCulled = false
scene.add(plane)
const camera = new PerspectiveCamera(40, 1, 0.1, 20)
camera.up.set(0, 0, 1)
camera.position.set(0, -2.6, 1.5)
camera.lookAt(0, 0.1, 0)
new ResizeObserver(() => {
  renderer.setSize(room.clientWidth, room.clientHeight, false)
  camera.aspect = room.clientWidth / Math.max(1, room.clientHeight)
  camera.updateProjectionMatrix()
}).observe(room)

const ray = new Raycaster()
function drop(event: PointerEvent): void {
  const box = room.getBoundingClientRect()
  ray.setFromCamera(new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height), camera)
  const [hit] = ray.intersectObject(plane)
  if (hit) water.splat('height', [hit.point.x + width / 2, hit.point.y + width / 2], 0.1, -0.03)
}
room.addEventListener('pointerdown', drop)
room.addEventListener('pointermove', (event) => {
  if (event.buttons) drop(event)
})

let steps = 0
renderer.setAnimationLoop(() => {
  water.step(1 / 60)
  water.read('height', heights) // a copy without the padding of rows, into the texture's own array
  texture.needsUpdate = true
  renderer.render(scene, camera)
  if (++steps % 60 === 1) says.textContent = `${n} x ${n} cells, ${steps} steps; press to drop`
})
Object.assign(globalThis, { water, steps: () => steps })
