/** Runs the cases of a suite as tests of your own vitest run, and adds matchers for their results to `expect`. */

import { describe, it } from 'vitest'
import { ConfigError } from './errors.ts'
import { reachesGate } from './results/gates.ts'
import { toPercent } from './results/statistics/percent.ts'
import type { AiSdkOutput } from './suite/ai-sdk-agent.ts'
import { milliseconds } from './suite/compile-case.ts'
import type { PlayedResult } from './suite/results.ts'
import type { EvalGates, EvalRunOptions } from './suite/run-options.ts'
import {
  type AiSdkSuiteConfig,
  createEvalSuite,
  type EvalSuite,
  type EvalSuiteConfig,
} from './suite/suite.ts'
import type { TestCase } from './suite/test-case.ts'
import { blameFor, createFailure, type FailedPlay, findFailure } from './suite/vitest/case-failure.ts'
import { type CasePlace, findCaller, findCase } from './suite/vitest/case-place.ts'
import './suite/vitest/matchers.ts'
import type { AgentMatchers } from './suite/vitest/matchers.ts'
import { hideInKept, readThrown, safeError } from './suite/vitest/safe-error.ts'
import { safeText } from './suite/vitest/safe-text.ts'

/** The options of `agentCase` and `describeAgent`. */
export interface AgentCaseOptions extends Pick<EvalRunOptions, 'timeout' | 'retries' | 'concurrency'> {
  /** How often each case is played; default 1. Each play must pass, unless `gates` asks for less. */
  iterations?: number | undefined
  /** The pass rate that a case must reach, above 0 and at most 1. Only passes and failures of the agent count. */
  gates?: Pick<EvalGates, 'case'> | undefined
}

/** Looks at the result of a case, with the assertions of vitest and the matchers of this module. */
export type LookAt<Input, Output> = (result: PlayedResult<Input, Output>) => void | Promise<void>

const graceMs = 5000
const standardTimeoutMs = 120_000

/**
 * Defines a test that runs a case: it fails when the case does, for the same reason. `lookAt` can check the result
 * further; for that, `expect` has the matchers `toCallTool`, `toReachCheckpoint` and `toPassJudge`.
 *
 * @example
 * import { agentReply, createEvalSuite, createJudge, fieldEquals } from 'vivavoce'
 * import { agentCase } from 'vivavoce/vitest'
 * import { expect } from 'vitest'
 *
 * const agent = {
 *   execute: (_: string) =>
 *     agentReply(
 *       { reply: 'Booked.', status: 'confirmed' },
 *       { toolCalls: [{ name: 'create_booking', arguments: { guests: 4 } }] },
 *     ),
 * }
 * const answers = {
 *   id: 'answers',
 *   name: 'Answers',
 *   description: 'There is a reply',
 *   validate: ({ output }: { output: unknown }) => ({ score: output ? 100 : 0, reasoning: 'looked at it' }),
 * }
 * agentCase(createEvalSuite({ agent }), { id: 'books', input: 'A table for four' }, async (result) => {
 *   expect(result).toCallTool('create_booking', { guests: 4 })
 *   await expect(result).toReachCheckpoint(fieldEquals('status', 'confirmed'))
 *   await expect(result).toPassJudge(createJudge({ criteria: [answers] }))
 * })
 */
export function agentCase<Input, Output>(
  suite: EvalSuite<Input, Output>,
  testCase: TestCase<Input, Output>,
  lookAt?: LookAt<Input, Output>,
  options: AgentCaseOptions = {},
): void {
  defineCase({ suite, testCase, lookAt, options, caller: findCaller(agentCase) })
}

interface DefinedCase<Input, Output> {
  suite: EvalSuite<Input, Output>
  testCase: TestCase<Input, Output>
  lookAt?: LookAt<Input, Output> | undefined
  options: AgentCaseOptions
  /** The line that defines the test. */
  caller: CasePlace | undefined
}

function defineCase<Input, Output>(defined: DefinedCase<Input, Output>): void {
  const { testCase, caller } = defined
  const { id, description } = testCase ?? {}
  const name = safeText([id, description].filter((part) => part !== undefined).join(': ')) || 'a case'
  it(
    name,
    async (test) => {
      const place = caller && findCase(caller, id)
      test.onTestFailed(({ task }) => task.result?.errors?.forEach(hideInKept))
      const plays = await playCase({ ...defined, name }, test.signal).catch((error) => {
        // Its place is the case: its stack is of viva.
        throw error instanceof ConfigError
          ? safeError({ name: error.name, message: error.message }, { place })
          : safeError(error)
      })
      if (plays.every(({ status }) => status === 'skipped')) test.skip(safeText(plays[0]?.error ?? ''))
      const { lookAt, options } = defined
      await requirePlays(plays, lookAt, { gate: options.gates?.case, place })
    },
    longestMs(testCase?.timeout, defined.options),
  )
}

/** The case ends by its own time, and says so; vitest is only there in case that it does not. */
function longestMs(ownTimeout: number | string | undefined, options: AgentCaseOptions): number {
  const { timeout = standardTimeoutMs, retries = 0, iterations = 1, concurrency = 1 } = options
  const attempts = Math.ceil(iterations / concurrency) * (retries + 1)
  try {
    return (milliseconds(ownTimeout ?? timeout, 'timeout') + graceMs) * attempts
  } catch {
    // The run says what is wrong with it.
    return graceMs
  }
}

/** All plays of a case, in their order. */
async function playCase<Input, Output>(
  { suite, testCase, lookAt, options, name }: DefinedCase<Input, Output> & { name: string },
  signal: AbortSignal,
): Promise<PlayedResult<Input, Output>[]> {
  const { timeout = standardTimeoutMs } = options
  const plays: PlayedResult<Input, Output>[] = []
  const onResult = (result: PlayedResult<Input, Output>) => void plays.push(result)
  await suite.run([testCase], { ...options, timeout, signal, onResult })
  const [first] = plays
  if (first === undefined) throw new Error(`${name} was not played`)
  if (first.status !== 'skipped' && first.unchecked && lookAt === undefined)
    throw new ConfigError({
      code: 'unchecked',
      message: `${name} checks nothing but that the agent answers: give it an expectedOutput or a judge`,
    })
  return plays.toSorted((one, other) => one.iteration - other.iteration)
}

/** Looks at each play that passed, and throws what tells most about the others if too few have passed. */
async function requirePlays<Input, Output>(
  plays: readonly PlayedResult<Input, Output>[],
  lookAt: LookAt<Input, Output> | undefined,
  { gate, place }: { gate: number | undefined; place: CasePlace | undefined },
): Promise<void> {
  const failed: FailedPlay[] = []
  for (const play of plays) {
    if (!play.passed) failed.push(findFailure(play))
    else
      try {
        await lookAt?.(play)
      } catch (thrown) {
        // Vitest knows its own error by its class.
        if (readThrown(thrown, 'code') === 'VITEST_PENDING') throw thrown
        failed.push(blameFor(play, thrown))
      }
  }
  const blamed = failed.filter(({ fault }) => fault === 'agent')
  const passed = plays.length - failed.length
  const [shown = failed[0]] = blamed
  // Without a gate, each play must pass, whoever is to blame.
  const isReached = gate !== undefined && reachesGate(gate, passed / (passed + blamed.length))
  if (shown === undefined || isReached) return
  const needed = gate === undefined ? '' : `, and ${toPercent(gate, 1)}% must`
  const about =
    plays.length === 1
      ? ''
      : `${passed} of ${plays.length} plays passed${needed}; play ${shown.play.iteration}: `
  throw createFailure(shown, place, about)
}

/**
 * Defines a group of tests, one for each case.
 *
 * @example
 * import { describeAgent } from 'vivavoce/vitest'
 *
 * const agent = { execute: (text: string) => text.toUpperCase() }
 * describeAgent('shout', { agent }, [
 *   { id: 'loud', input: 'hello', expectedOutput: 'HELLO' },
 *   { id: 'empty', input: '', expectedOutput: '' },
 * ])
 */
export function describeAgent<Output>(
  name: string,
  config: AiSdkSuiteConfig<Output>,
  cases: readonly TestCase<string, AiSdkOutput<Output>>[],
  options?: AgentCaseOptions,
): void
export function describeAgent<Input, Output>(
  name: string,
  config: EvalSuiteConfig<Input, Output>,
  cases: readonly TestCase<Input, Output>[],
  options?: AgentCaseOptions,
): void
export function describeAgent<Input, Output>(
  name: string,
  config: EvalSuiteConfig<Input, Output> | AiSdkSuiteConfig<Output>,
  cases: readonly TestCase<Input, Output>[],
  options: AgentCaseOptions = {},
): void {
  // The overloads say which inputs and outputs an agent of the AI SDK has.
  const suite = createEvalSuite(config as EvalSuiteConfig<Input, Output>)
  const caller = findCaller(describeAgent)
  describe(name, () => {
    if (cases.length === 0) throw new Error(`${name}: there are no cases`)
    for (const testCase of cases) defineCase({ suite, testCase, options, caller })
  })
}

// In the namespace that all versions of vitest look at: a copy of vitest of its own, where viva is linked from a folder,
// would have other interfaces than the one that the tests use.
declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as vitest declares it
    interface Matchers<R, T = {}> extends AgentMatchers<R> {}
  }
}
