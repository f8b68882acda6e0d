// How many steps a picture takes, and how coarse a grid a slow machine gets.
import { describe, expect, it } from 'vitest'
import { budget, cells, Clock, coarser, coarsest, Meter, Scale, Trial } from '../src/pace.js'

describe('coarser', () => {
  it('leaves a grid whose steps fit', () => {
    expect(coarser(budget, 1 / 60, 2)).toBe(1)
    expect(coarser(0.1, 1 / 30, 3)).toBe(1)
  })
  it('goes with the cells: four times the time is half the cells along two axes', () => {
    expect(coarser(4 * budget, 1 / 60, 2)).toBeCloseTo(2)
    expect(coarser(8 * budget, 1 / 60, 3)).toBeCloseTo(2)
  })
  it('counts the steps of a picture', () => {
    expect(coarser(budget, 1 / 240, 2)).toBeCloseTo(2)
    // A step that lasts two pictures must still fit into one.
    expect(coarser(2 * budget, 1 / 30, 2)).toBeCloseTo(Math.SQRT2)
  })
})

describe('the grid that is chosen', () => {
  // What a step takes in Chromium on one thread by `gyre bench web`, slower and faster machines beside it. Once
  // smoke and dyes are everywhere a step takes 1.3 times what the first ones did (doc/web.md).
  const filled = 1.3, drawing = 3
  const speeds = [
    { n: [512, 512, 1], dim: 2, step: 22 },
    { n: [512, 512, 1], dim: 2, step: 62 },
    { n: [64, 64, 64], dim: 3, step: 28 },
    { n: [64, 64, 64], dim: 3, step: 50 },
    { n: [512, 512, 1], dim: 2, step: 9 },
  ]
  for (const { n, dim, step } of speeds) {
    it(`holds 60 pictures a second where ${n.join(' x ')} cells take ${step} ms, and is no coarser than it must be`, () => {
      const by = Math.min(coarser(step, 1 / 60, dim), coarsest(dim))
      const chosen = by < 1.05 ? n : n.map((count) => cells(count, by))
      const share = chosen.reduce((all, count, i) => (all * count) / n[i]!, 1)
      expect(filled * step * share + drawing).toBeLessThan(1000 / 60)
      // Rounding to multiples of 8 or 4 cells costs up to a third of them.
      expect(share).toBeGreaterThan(Math.min(1, budget / step) * 0.66)
    })
  }
})

describe('cells', () => {
  it('are multiples of 8 or 4, and a flat axis stays flat', () => {
    expect(cells(256, 2)).toBe(128)
    expect(cells(256, 1.9)).toBe(128)
    expect(cells(100, 3)).toBe(32)
    expect(cells(1, 5)).toBe(1)
    expect(cells(40, 10)).toBe(8)
    expect([cells(136, 4), cells(180, 4), cells(272, 4)]).toEqual([32, 44, 64])
    expect([coarsest(2), coarsest(3)]).toEqual([4, 2])
    expect(cells(12, 100)).toBe(8)
  })
})

describe('Clock', () => {
  it('keeps real time at any rate of pictures', () => {
    for (const rate of [24, 60, 144]) {
      const clock = new Clock()
      let steps = 0
      for (let i = 0; i < 10 * rate; i++) {
        const due = clock.due(1 / rate, 1 / 60)
        clock.took(due, due, 1 / 60)
        steps += due
        const blend = clock.blend(1 / 60)
        expect(blend).toBeGreaterThanOrEqual(0)
        expect(blend).toBeLessThanOrEqual(1)
      }
      expect(Math.abs(steps - 600)).toBeLessThanOrEqual(1)
    }
  })
  it('piles nothing up', () => {
    const clock = new Clock()
    for (let i = 0; i < 100; i++) {
      const due = clock.due(1 / 10, 1 / 60)
      expect(due).toBeLessThanOrEqual(6)
      clock.took(1, due, 1 / 60)
    }
    expect(clock.due(3600, 1 / 60)).toBeLessThanOrEqual(6)
  })
})

describe('Meter', () => {
  it('says what a second came to', () => {
    const meter = new Meter()
    let second
    for (let i = 0; i <= 50 && !second; i++) second = meter.count(i * 20, 2, 6, 4, 1 / 100)
    expect(second!.fps).toBeCloseTo(51)
    expect(second!.stepTime).toBeCloseTo(3)
    expect(second!.drawTime).toBeCloseTo(4)
    expect(second!.speed).toBeCloseTo(1.02)
  })
})

describe('Scale', () => {
  const second = (fps: number) => ({ fps, stepTime: 1, drawTime: 20, speed: 1 })
  it('draws less while that helps, in larger steps where more is missing', () => {
    const scale = new Scale()
    expect(scale.judge(second(40), 0.1)).toBeCloseTo(0.7)
    expect(scale.judge(second(55), 0.1)).toBeUndefined()
    expect(scale.scale).toBeCloseTo(0.7)
    const slow = new Scale()
    expect(slow.judge(second(1.6), 0.1)).toBeCloseTo(0.3)
    expect(slow.judge(second(12), 0.1)).toBeCloseTo(0.25)
  })
  it('rests at first, where it is told to', () => {
    const scale = new Scale()
    scale.reset(1, 0.25, 3)
    expect([scale.judge(second(10), 0.1), scale.judge(second(10), 0.1), scale.judge(second(40), 0.1)]).toEqual([undefined, undefined, 0.7])
  })
  it('goes below a half for what stutters alone', () => {
    const scale = new Scale()
    scale.reset(0.45)
    expect(scale.judge(second(25), 0.1)).toBeUndefined()
    expect(scale.judge(second(15), 0.1)).toBeLessThan(0.45)
  })
  it('goes back where it did not help, and waits before it tries again', () => {
    const scale = new Scale()
    expect(scale.judge(second(30), 0.1)).toBeCloseTo(0.7)
    expect(scale.judge(second(30), 0.1)).toBeCloseTo(1)
    let tries = 0
    while (scale.judge(second(30), 0.1) === undefined) tries++
    expect(tries).toBeGreaterThan(10)
  })
  it('draws larger again after a long quiet time, and waits twice as long where that was too much', () => {
    const scale = new Scale()
    scale.judge(second(40), 0.1)
    scale.judge(second(40.1 * 1.2), 0.1)
    scale.judge(second(30), 0.1)
    expect(scale.scale).toBeCloseTo(0.49)
    /** Quiet seconds until it changes. */
    const wait = (): number => {
      let seconds = 1
      while (scale.judge(second(60), 0.1) === undefined) if (++seconds > 5000) return Infinity
      return seconds
    }
    expect(wait()).toBe(30)
    expect(scale.scale).toBeCloseTo(0.7)
    // A card that bears no more: at once back, and twice as long as before.
    for (const [patience, at] of [[30, 1], [60, 1], [120, 1], [240, 1], [480, 1], [960, 1], [960, 1]] as const) {
      expect(wait()).toBe(patience)
      expect(scale.scale).toBe(at)
      expect(scale.judge(second(41), 0.1)).toBeCloseTo(0.7)
    }
    // What was borne for ten seconds stays; a hiccup long after is no failure of it.
    wait()
    for (let i = 0; i < 11; i++) expect(scale.judge(second(60), 0.1)).toBeUndefined()
    expect(scale.scale).toBe(1)
    expect(scale.judge(second(50), 0.1)).toBeUndefined()
    // One second that is not quiet, and the time begins anew.
    scale.reset(0.5)
    for (let i = 0; i < 29; i++) scale.judge(second(60), 0.1)
    scale.judge(second(52), 0.1)
    expect(wait()).toBe(30)
    // Never above the whole.
    expect([scale.scale, wait(), scale.scale, wait()]).toEqual([0.5 / 0.7, 30, 1, Infinity])
  })
  it('leaves it where steps take the time, and never goes below its least', () => {
    const scale = new Scale()
    expect(scale.judge(second(10), 0.9)).toBeUndefined()
    let fps = 2
    for (let i = 0; i < 10; i++) scale.judge(second((fps *= 1.3)), 0.1)
    expect(scale.scale).toBe(0.25)
    scale.reset(0.2, 0.08)
    fps = 2
    for (let i = 0; i < 10; i++) scale.judge(second((fps *= 1.2)), 0.1)
    expect(scale.scale).toBe(0.08)
  })
})

describe('Trial', () => {
  it('says what a step takes when the code has become fast, and not before', () => {
    const trial = new Trial(() => undefined)
    const said: (number | undefined)[] = []
    for (let i = 0; i < 200; i++) said.push(trial.took(i < 40 ? 60 : 4 + (i % 3), 16 * i))
    const first = said.findIndex((s) => s !== undefined)
    expect(16 * first).toBeGreaterThanOrEqual(1500)
    expect(said[first]).toBe(4)
  })
  it('does not wait for ever for what is slow, and counts no pictures without a step', () => {
    const trial = new Trial(() => undefined)
    let now = 0
    for (let i = 0; i < 5; i++) expect(trial.took(0, (now += 100))).toBeUndefined()
    let took: number | undefined
    for (; now < 10000 && took === undefined; now += 900) took = trial.took(900, now)
    expect(took).toBe(900)
    expect(now).toBeLessThan(7000)
  })
})
