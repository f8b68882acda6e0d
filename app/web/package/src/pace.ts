// pace.ts: how many steps a picture takes, and what is done where the machine is too slow. Nothing
// here knows of scenes or clocks: it is handed times and answers with numbers.

/**
 * Milliseconds of a picture at 60 a second that the simulation may take; the rest is for
 * drawing.
 */
export const budget = 10
const picture = 1000 / 60

/**
 * By what a grid must be made coarser along each axis, so that its steps fit: 1 if they do.
 * `step`: milliseconds of one; `dt`: seconds of the fluid's time in one. A step's cost goes with
 * the cells; a step's length is the scene's and stays.
 */
export function coarser(step: number, dt: number, dim: number): number {
  // Where a step lasts longer than a picture, each picture must still hold a whole one.
  const perPicture = Math.max(1, picture / (1000 * dt))
  const over = (step * perPicture) / budget
  return over <= 1 ? 1 : over ** (1 / dim)
}

/**
 * By what a grid is made coarser at most: beyond it emitters are smaller than cells, and a fire does
 * not burn. What is too slow all the same runs slower than real time.
 */
export const coarsest = (dim: number): number => (dim === 3 ? 2 : 4)

/**
 * Cells along an axis of a grid that is coarser: a multiple of 8 where there are 64 or more, of 4
 * where there are 16, so that its shape stays.
 */
export function cells(n: number, by: number): number {
  if (n <= 1) return n
  const wanted = n / by
  const unit = wanted >= 64 ? 8 : 4
  return wanted >= 16 ? Math.floor(wanted / unit) * unit : Math.max(Math.min(n, 8), Math.round(wanted))
}

/** Steps of the fluid against the clock: never more than fit, and what does not is left out. */
export class Clock {
  private owed = 0

  /** `elapsed`: seconds since the last picture. Gives the steps that are due. */
  due(elapsed: number, dt: number): number {
    // After a pause (a hidden tab, a debugger) nothing is made up for.
    this.owed += Math.min(Math.max(elapsed, 0), 0.1)
    return Math.floor(this.owed / dt + 1e-6)
  }

  /** So many were taken; where fewer than were due, the rest is forgotten: nothing piles up. */
  took(steps: number, due: number, dt: number): void {
    this.owed = steps < due ? 0 : Math.max(0, this.owed - steps * dt)
  }

  /** How far the display is between the last two states, from 0 to 1. */
  blend(dt: number): number {
    return Math.min(1, Math.max(0, this.owed / dt))
  }

  reset(): void {
    this.owed = 0
  }
}

/** What a second of pictures came to. */
export interface Second {
  fps: number
  stepTime: number
  drawTime: number
  speed: number
}

/** Counts pictures and steps, a second at a time. */
export class Meter {
  private begun: number | undefined
  private pictures = 0
  private steps = 0
  private stepping = 0
  private drawing = 0
  private simulated = 0
  last: Second = { fps: 0, stepTime: 0, drawTime: 0, speed: 0 }

  /** All in milliseconds but `dt`. Gives the second's numbers when it is over. */
  count(now: number, steps: number, stepping: number, drawing: number, dt: number): Second | undefined {
    this.begun ??= now
    this.pictures++
    this.steps += steps
    this.stepping += stepping
    this.drawing += drawing
    this.simulated += steps * dt
    const took = now - this.begun
    if (took < 1000) return undefined
    this.last = {
      fps: (1000 * this.pictures) / took,
      stepTime: this.steps ? this.stepping / this.steps : 0,
      drawTime: this.drawing / this.pictures,
      speed: (1000 * this.simulated) / took,
    }
    this.reset()
    this.begun = now
    return this.last
  }

  reset(): void {
    this.begun = undefined
    this.pictures = this.steps = this.stepping = this.drawing = this.simulated = 0
  }
}

/** Quiet seconds before a picture is drawn larger again: at first, and at most. */
const [calm, calmest] = [30, 960]

/**
 * How large the picture is drawn, where drawing is what takes too long: smaller while that helps, and
 * larger again after a long quiet time, each one twice as long as the one before where that failed.
 * A card's own time is not to be seen; pictures that come too seldom, though steps take little
 * time, are.
 */
export class Scale {
  scale = 1
  private least = 0.25
  private before: { fps: number; scale: number } | undefined
  /** Seconds for which nothing is tried, since it did not help. */
  private rest = 0
  private quiet = 0
  private patience = calm
  /** The scale before it was made larger, and the seconds since. */
  private raised: { from: number; since: number } | undefined

  /** After each second. Gives a new scale, or undefined. */
  judge(second: Second, stepping: number): number | undefined {
    // Below a half along each axis it is coarse to look at: only where it stutters else.
    const slow = second.fps < (this.scale > 0.5 ? 45 : 20) && stepping < 0.5, { before } = this
    this.before = undefined
    if (before && second.fps < before.fps * 1.1) {
      // It did not help: drawing is not what takes the time, or something else took it just then.
      this.rest = 20
      if (this.scale === before.scale) return undefined
      this.scale = before.scale
      return this.scale
    }
    if (this.raised && (++this.raised.since > 10 || second.fps < 50)) {
      const { from, since } = this.raised
      this.raised = undefined
      if (since <= 10) {
        this.patience = Math.min(calmest, 2 * this.patience)
        this.quiet = 0
        return (this.scale = from)
      }
    }
    if (this.rest > 0) this.rest--
    this.quiet = second.fps >= 55 ? this.quiet + 1 : 0
    if (this.quiet >= this.patience && this.scale < 1) {
      this.quiet = 0
      this.raised = { from: this.scale, since: 0 }
      return (this.scale = this.scale > 0.7 ? 1 : this.scale / 0.7)
    }
    if (!slow || this.rest > 0 || this.scale <= this.least) return undefined
    this.before = { fps: second.fps, scale: this.scale }
    // The time goes with the pixels at most.
    this.scale = Math.max(this.least, this.scale * Math.min(0.7, Math.max(0.3, Math.sqrt(second.fps / 60))))
    return this.scale
  }

  /** `least`: below which it does not go. `rest`: seconds before it judges. */
  reset(scale = 1, least = 0.25, rest = 0): void {
    this.scale = scale
    this.least = least
    this.before = this.raised = undefined
    this.rest = rest
    this.quiet = 0
    this.patience = calm
  }
}

/**
 * How long the steps of a scene take that runs already: browsers make code fast that is run often, so
 * that the first steps say little.
 */
export class Trial {
  private begun: number | undefined
  private count = 0
  private readonly times: number[] = []

  /** `failed`: what is done where it is too slow. */
  constructor(readonly failed: () => void) {}

  /** `step`: milliseconds of one in this picture; 0: there was none. Gives what one takes, when that is known. */
  took(step: number, now: number): number | undefined {
    this.begun ??= now
    if (step > 0) {
      this.times[this.count++ % 12] = step
    }
    if (this.count < 12 || now - this.begun < 1500) return now - this.begun > 4000 && this.count > 1 ? this.second() : undefined
    return this.second()
  }

  /** The second fastest of the last, so that one hiccup counts for nothing. */
  private second(): number {
    return [...this.times].sort((a, b) => a - b)[1]!
  }
}
