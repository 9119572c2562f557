/** Thrown by `t.fatal` and `t.skip` to end the test. Its meaning is already recorded, so it may be caught. */
export class TestStop extends Error {
  override readonly name = 'TestStop'
  readonly kind: 'fatal' | 'skip'
  readonly #isStop = true
  /** The record of the test that ends. */
  readonly owner: object

  constructor(kind: 'fatal' | 'skip', owner: object, message: string) {
    super(message)
    this.kind = kind
    this.owner = owner
  }

  /** Avoids `instanceof`, which runs user code when a proxy was thrown. */
  static is(error: unknown): error is TestStop {
    return typeof error === 'object' && error !== null && #isStop in error && error.#isStop
  }
}
