// view.ts: a window on a field in the module's memory.

import { GyreError } from './error.js'
import { dense, type Layout, type Native } from './native.js'

/**
 * A window on a field, without a copy. Sample (x, y, z) is
 * `data[x + y * strideY + z * strideZ]`: rows are padded. Step, save, load and set close it, as
 * close() does; one for writing then puts back what was written, and refuses NaN.
 *
 * `data` is asked for anew each time it is used, not kept: where the module's memory grows, arrays
 * made on it are cut off (their length is 0), and this getter makes another. In a module with
 * threads it lies in a SharedArrayBuffer, which WebGL does not take: dense() gives a copy.
 */
export class FieldView {
  private view: Float32Array | undefined
  private readonly unmap: () => void
  private open = true

  /** @internal */
  constructor(
    private readonly native: Native,
    readonly field: string,
    private readonly at: Layout,
    readonly write: boolean,
    unmap: () => void,
  ) {
    this.unmap = unmap
  }

  get nx(): number { return this.at.nx }
  get ny(): number { return this.at.ny }
  get nz(): number { return this.at.nz }
  /** From a row to the next along y, and from a slice to the next along z, in floats. */
  get strideY(): number { return this.at.strideY }
  get strideZ(): number { return this.at.strideZ }
  get closed(): boolean { return !this.open }

  /** From the first sample to the last. */
  get data(): Float32Array {
    if (!this.open) throw new GyreError('state', `the window on '${this.field}' is closed: map() opens another`)
    if (this.view?.buffer !== this.native.buffer || this.view.length === 0) {
      const { nx, ny, nz, strideY, strideZ } = this.at
      this.view = this.native.floats(this.at.address, nx + (ny - 1) * strideY + (nz - 1) * strideZ)
    }
    return this.view
  }

  /** One sample. */
  at3(x: number, y: number, z = 0): number {
    return this.data[x + y * this.at.strideY + z * this.at.strideZ]!
  }

  /** All samples without the padding, x fastest; into `out`, where it is given. */
  dense(out?: Float32Array): Float32Array<ArrayBuffer> {
    void this.data
    return dense(this.native, this.at, out)
  }

  close(): void {
    if (!this.open) return
    this.open = false
    this.view = undefined
    this.unmap()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** The windows that are open on one model or scene. */
export class Views {
  private readonly open = new Set<FieldView>()

  constructor(private readonly native: Native) {}

  add(field: string, at: Layout, write: boolean, unmap: () => void): FieldView {
    const view: FieldView = new FieldView(this.native, field, at, write, () => {
      this.open.delete(view)
      unmap()
    })
    this.open.add(view)
    return view
  }

  /** Closes all; the first failure is thrown when all are closed. */
  close(): void {
    let failure: unknown
    for (const view of [...this.open]) {
      try {
        view.close()
      } catch (error) {
        failure ??= error
      }
    }
    if (failure) throw failure
  }
}
