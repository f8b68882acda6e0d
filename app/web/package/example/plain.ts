// A fluid in an element of a page: all there is to it.
import { createFluid } from 'gyre-fluid'

const room = document.querySelector<HTMLElement>('#room')!
const says = document.querySelector<HTMLElement>('#says')!
const wanted = new URLSearchParams(location.search)

try {
  const fluid = await createFluid(room, {
    scene: wanted.get('scene') ?? 'ink',
    worker: wanted.get('worker') === 'no' ? false : 'auto',
    threads: Number(wanted.get('threads') ?? 0),
    onError: (error) => (says.textContent = error.message),
  })
  const colours = ['#06f', '#0a9', '#3b2', '#fc0', '#f12', '#72d']
  fluid.attachPointers({ colour: (pointer) => colours[(pointer + Math.floor(performance.now() / 1000)) % colours.length]! })
  fluid.splat({ x: 0.3, y: 0.5, dx: 0.1, colour: '#06f' })
  fluid.splat({ x: 0.7, y: 0.5, dx: -0.1, colour: '#f12' })
  fluid.on('slow', ({ message }) => console.info(message))
  fluid.on('stats', ({ fps, stepTime, speed }) => {
    says.textContent = `${fluid.info.title}: ${fps.toFixed(0)} pictures a second, ${stepTime.toFixed(1)} ms a step, ${speed.toFixed(2)} of real time`
  })
  says.textContent = fluid.info.still ? `${fluid.info.title}: still, as you prefer less motion` : fluid.info.title
  // For the tests of this page.
  Object.assign(globalThis, { fluid })
} catch (error) {
  says.textContent = (error as Error).message
}
