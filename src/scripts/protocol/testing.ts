/** The testing object of script tests, as a test sees it, and what it needs from outside. */

export interface TestBridge {
  /** Adds a line to the test's log. */
  print(text: string): void
  /** Asks a validator agent and waits. Throws when it could not be asked or understood. */
  validate(value: unknown, agent: string, options: unknown): AgentVerdict
  /** Replaces a process until the test ends. */
  mock(name: string, replacement: unknown): void
}

export interface AgentVerdict {
  passed: boolean
  reason: string
  score?: number
}

/** The `t` of a script test: assertions, subtests, mocks and the log. */
export interface TestObject {
  readonly assert: TestAssert
  /** `TestLogin`; for a subtest `TestLogin/bad password`. */
  readonly name: string
  readonly failed: boolean
  log(...args: unknown[]): void
  /** Logs the message and fails the test with it. */
  error(...args: unknown[]): void
  /** Ends the test as skipped, unless it has failed. */
  skip(reason?: unknown, ...more: unknown[]): never
  /** Fails the test, which continues. */
  fail(reason?: unknown, ...more: unknown[]): void
  /** Fails the test and ends it. */
  fatal(reason?: unknown, ...more: unknown[]): never
  /** Runs a subtest and returns whether it did not fail, as a promise when it is asynchronous. */
  run(name: string, body: (t: TestObject) => unknown): boolean | Promise<boolean>
  mock(name: string, replacement: unknown): void
  /** Runs after the test in any case, in reverse order. */
  cleanup(work: () => unknown): void
}

/** Every assertion returns whether it passed. A failed one fails the test, which continues. */
export interface TestAssert {
  True(value: unknown, message?: string): boolean
  False(value: unknown, message?: string): boolean
  Equal(actual: unknown, expected: unknown, message?: string): boolean
  NotEqual(actual: unknown, expected: unknown, message?: string): boolean
  Nil(value: unknown, message?: string): boolean
  NotNil(value: unknown, message?: string): boolean
  Contains(value: unknown, part: unknown, message?: string): boolean
  NotContains(value: unknown, part: unknown, message?: string): boolean
  Len(value: unknown, length: number, message?: string): boolean
  Greater(value: unknown, other: unknown, message?: string): boolean
  GreaterOrEqual(value: unknown, other: unknown, message?: string): boolean
  Less(value: unknown, other: unknown, message?: string): boolean
  LessOrEqual(value: unknown, other: unknown, message?: string): boolean
  Error(error: unknown, message?: string): boolean
  NoError(error: unknown, message?: string): boolean
  /** Returns a promise when the function does, which is awaited before the test ends. */
  Panic(work: () => unknown, message?: string): boolean | Promise<boolean>
  NoPanic(work: () => unknown, message?: string): boolean | Promise<boolean>
  Match(value: unknown, pattern: string | RegExp, message?: string): boolean
  NotMatch(value: unknown, pattern: string | RegExp, message?: string): boolean
  JSONPath(value: unknown, path: string, expected: unknown, message?: string): boolean
  Type(value: unknown, typeName: string, message?: string): boolean
  Agent(value: unknown, agent: string, options?: unknown, message?: string): boolean
}
