/** Thrown by `t.fatal` and `t.skip` to leave the test. What it means is on the record by then, so it may be caught. */
export class TestStop extends Error {
  override readonly name = 'TestStop'
  readonly kind: 'fatal' | 'skip'
  readonly #isStop = true
  /** The record of the test that is left. */
  readonly owner: object

  constructor(kind: 'fatal' | 'skip', owner: object, message: string) {
    super(message)
    this.kind = kind
    this.owner = owner
  }

  /** Without `instanceof`, which runs code of the user's where a proxy was thrown. */
  static is(error: unknown): error is TestStop {
    return typeof error === 'object' && error !== null && #isStop in error && error.#isStop
  }
}
