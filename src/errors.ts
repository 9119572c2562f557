import { shorten, shortenQuoted } from './text/shorten.ts'

/**
 * Three kinds of trouble, kept apart from the throw to the exit code:
 * `ConfigError` is the user's mistake (exit 2), `AgentError` the agent's (exit 1), `InfrastructureError` nobody's
 * here (exit 3). Anything else that is thrown is a bug of viva's.
 */

/** One mistake in what the user wrote: what it is, where it is, and how to fix it. */
export interface Problem {
  code: string
  message: string
  file?: string
  line?: number
  column?: number
  /** The id of the case it is in. */
  id?: string
  key?: string
  hint?: string
}

/**
 * A mistake in the configuration, a suite or a case, found before anything runs; `problems` lists every mistake (exit
 * code 2).
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { afterTurns, ConfigError } from 'vivavoce'
 *
 * assert.throws(
 *   () => afterTurns(0),
 *   (error) => error instanceof ConfigError && error.problems[0]?.code === 'bad_condition',
 * )
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly Problem[]

  constructor(problems: Problem | readonly Problem[]) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem]
    super(list.map(formatProblem).join('\n'))
    this.problems = list
  }
}

/** `cases.jsonl:3:9: T001: unknown key "asserts" (did you mean "assert"?)` */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(':')
  const id = problem.id === undefined ? undefined : shorten(problem.id, 80)
  const head = [place, id].filter((part) => part !== undefined && part !== '').join(': ')
  const hint = problem.hint === undefined ? '' : ` (${shortenQuoted(problem.hint)})`
  return `${head === '' ? '' : `${head}: `}${shortenQuoted(problem.message)}${hint}`
}

/** Does what may find mistakes of the user's. Those that name no file are in this one. */
export function lookingInto<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(error.problems.map((problem) => ({ file, ...problem })))
  }
}

/** The problem that is found, or else the message of the `ConfigError` that is thrown. */
export function catchProblem(find: () => string | undefined): string | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** What can go wrong outside the agent. The words are the `error_kind` of a result. */
export type InfrastructureErrorKind =
  | 'rate_limit'
  | 'quota'
  | 'http'
  | 'connection'
  | 'bad_response'
  | 'truncated'
  | 'script_error'
  | 'simulator_error'
  | 'before_error'
  | 'too_deep'
  | 'stub'
  | 'timeout'
  | 'input_changed'
  | 'state_lost'
  | 'not_recorded'
  | 'judge_unknown'
  | 'worker_lost'
  | 'queue'

/**
 * Something around the agent failed, such as the network, a quota or a tool server: the case fails, but this does not
 * count as a failure of the agent (exit code 3).
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite, InfrastructureError } from 'vivavoce'
 *
 * const agent = {
 *   execute(): string {
 *     throw new InfrastructureError('connection', 'the booking service cannot be reached')
 *   },
 * }
 * const { results, exitCode } = await createEvalSuite({ agent }).run([{ input: 'A table for two' }])
 * assert.equal(results[0]?.fault, 'infrastructure')
 * assert.equal(exitCode, 3)
 */
export class InfrastructureError extends Error {
  override readonly name = 'InfrastructureError'
  readonly kind: InfrastructureErrorKind
  /** Whether the same call may succeed if it is made again. */
  readonly retryable: boolean
  /** How long the other side asked us to wait. */
  readonly retryAfterMs: number | undefined
  /** Of HTTP, where a server answered with one. */
  readonly status: number | undefined
  /** The tool that was called, where it must not be. */
  readonly tool: string | undefined

  constructor(
    kind: InfrastructureErrorKind,
    message: string,
    options: {
      retryable?: boolean
      retryAfterMs?: number | undefined
      status?: number | undefined
      tool?: string | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryable = options.retryable ?? false
    this.retryAfterMs = options.retryAfterMs
    this.status = options.status
    this.tool = options.tool
  }
}

/**
 * The agent was reached and failed: its code threw, or it reported an error (exit code 1).
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { AgentError, createEvalSuite } from 'vivavoce'
 *
 * const agent = {
 *   execute(): string {
 *     throw new AgentError('I do not know this customer')
 *   },
 * }
 * const { results, exitCode } = await createEvalSuite({ agent }).run([{ input: 'My orders, please' }])
 * assert.equal(results[0]?.fault, 'agent')
 * assert.equal(exitCode, 1)
 */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}

/** A file that the user asked for cannot be written (exit 3). */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/** A deadline passed. The text is the one users read: `timeout after 5m`. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The run was stopped from outside: a signal, or `--fail-fast` after another case's failure. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  /** Of the process, when a signal stopped it. */
  readonly exitCode: number | undefined

  constructor(message: string, exitCode?: number) {
    super(message)
    this.exitCode = exitCode
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
