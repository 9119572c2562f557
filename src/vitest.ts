/** Runs the cases of a suite as tests of your own vitest run, and adds matchers for their results to `expect`. */

import { describe, expect, it } from 'vitest'
import { compileArguments } from './checks/argument-match.ts'
import { errorMessage } from './errors.ts'
import { milliseconds } from './suite/compile-case.ts'
import { conditionOf, type TerminationCondition } from './suite/conditions.ts'
import type { ConversationTurn } from './suite/conversation-context.ts'
import { asJson } from './suite/json-value.ts'
import type { Judge } from './suite/judge.ts'
import { reachedAt } from './suite/result-view.ts'
import type { PlayedResult } from './suite/results.ts'
import type { EvalRunOptions } from './suite/run-options.ts'
import { hideSecrets } from './suite/secrets.ts'
import { createEvalSuite, type EvalSuite, type EvalSuiteConfig } from './suite/suite.ts'
import type { TestCase } from './suite/test-case.ts'
import { isToolName } from './text/tool-name.ts'

/** The options of `agentCase` and `describeAgent`. */
export type AgentCaseOptions = Pick<EvalRunOptions, 'timeout' | 'retries'>

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
  { timeout = standardTimeoutMs, retries = 0 }: AgentCaseOptions = {},
): void {
  const title = [testCase.id, testCase.description].filter((part) => part !== undefined).join(': ')
  const name = redacted(title) || 'a case'
  // The case ends by its own time, and says so; vitest is only there in case that it does not.
  const limit = (milliseconds(testCase.timeout ?? timeout, name) + graceMs) * (retries + 1)
  it(
    name,
    async ({ signal, skip }) => {
      let played: PlayedResult<Input, Output> | undefined
      const onResult = (result: PlayedResult<Input, Output>) => {
        played = result
      }
      await suite.run([testCase], { timeout, retries, signal, onResult })
      if (played === undefined) throw new Error(`${name} was not played`)
      if (played.status === 'skipped') skip(played.error)
      if (!played.passed) throw new Error(told(played))
      if (played.unchecked && lookAt === undefined)
        throw new Error(
          `${name} checks nothing but that the agent answers: give it an expectedOutput or a judge`,
        )
      await lookAt?.(played)
    },
    limit,
  )
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
export function describeAgent<Input, Output>(
  name: string,
  config: EvalSuiteConfig<Input, Output>,
  cases: readonly TestCase<Input, Output>[],
  options: AgentCaseOptions = {},
): void {
  const suite = createEvalSuite(config)
  describe(name, () => {
    if (cases.length === 0) throw new Error(`${name}: there are no cases`)
    for (const testCase of cases) agentCase(suite, testCase, undefined, options)
  })
}

/** The reason, and what was said: all there is in the output of a test run. */
function told({ error = 'it did not pass', fault, conversationHistory }: Told): string {
  const whose =
    fault === 'infrastructure'
      ? ` (not the agent's fault)`
      : fault === 'viva'
        ? ' (a bug of viva, not the agent’s)'
        : ''
  return redacted([`${error}${whose}`, ...conversationHistory.flatMap(spokenLines)].join('\n'))
}

type Told = Pick<AnyPlayed, 'error' | 'fault' | 'conversationHistory'>

function spokenLines({ turn, input, output, error }: ConversationTurn): string[] {
  return [
    `${turn} user: ${JSON.stringify(asJson(input))}`,
    error === undefined ? `${turn} agent: ${JSON.stringify(asJson(output))}` : `${turn} error: ${error}`,
  ]
}

/** Results have the values as they were made: what is printed of them must hide the secrets. */
function redacted(text: string): string {
  return hideSecrets()()(text)
}

function throwRedacted(error: unknown): never {
  throw new Error(redacted(errorMessage(error)))
}

interface Judged {
  pass: boolean
  message(): string
}

function judged(pass: boolean, message: string): Judged {
  return { pass, message: () => redacted(message) }
}

type AnyPlayed = PlayedResult<unknown, unknown>

/** One play that came to something: of others nothing can be said, and `not` must not make it true. */
function playedOf(received: unknown): AnyPlayed {
  const result = received as AnyPlayed | undefined
  const isPlay = result?.kind === 'single-turn' || result?.kind === 'multi-turn'
  if (!isPlay) throw new Error('this is no result of one play: with iterations, look at each of `iterations`')
  if (result.status !== 'passed' && result.status !== 'failed')
    throw new Error(`the case was not played: ${result.status}`)
  return result
}

/** A tool of that name was called, with these arguments among others, where some are given. */
function toCallTool(received: unknown, name: string, args?: unknown): Judged {
  const { toolCalls, toolCallsKnown } = playedOf(received)
  if (!toolCallsKnown)
    throw new Error(
      'the agent does not show its tools: let it always return agentReply(output, { toolCalls })',
    )
  const own = toolCalls.filter((call) => isToolName(call.name, name))
  const misses = own.map((call) => (args === undefined ? [] : compileArguments(args)(call.arguments)))
  const pass = misses.some((miss) => miss.length === 0)
  const names = toolCalls.map((call) => call.name).join(', ') || 'none'
  if (pass) return judged(true, `${name} was called`)
  return judged(
    false,
    own.length === 0
      ? `${name} was not called (called: ${names})`
      : `${name} was called, but ${misses[0]?.join(', ')}`,
  )
}

/** The conversation came to a point where the condition is met. */
async function toReachCheckpoint(received: unknown, condition: TerminationCondition<never>): Promise<Judged> {
  const { conversationHistory } = playedOf(received)
  const reached = await reachedAt(conditionOf(condition), conversationHistory).catch(throwRedacted)
  return 'turn' in reached
    ? judged(true, `it was reached at turn ${reached.turn}`)
    : judged(false, `it was never reached: ${reached.reason}`)
}

/** A judge is content with it. One that cannot judge fails the test. */
async function toPassJudge(received: unknown, judge: Judge): Promise<Judged> {
  const { testCase, output, conversationHistory: history } = playedOf(received)
  const input = history[0]?.input
  const context = { input, output, expectedOutput: testCase.expectedOutput, history }
  const { passed, overallScore, verdicts } = await judge.evaluate(context).catch(throwRedacted)
  const why = verdicts
    .map(({ criterionId, score, reasoning }) => `${criterionId} ${score}: ${reasoning}`)
    .join('\n')
  return judged(passed, `the judge gives ${overallScore} of 100\n${why}`)
}

expect.extend({ toCallTool, toReachCheckpoint, toPassJudge })

interface AgentMatchers<Result> {
  /** A tool of that name was called, with these arguments among others, where some are given. */
  toCallTool(name: string, args?: unknown): Result
  /** The conversation came to a point where the condition is met. */
  // biome-ignore lint/suspicious/noExplicitAny: of whatever outputs it can be asked
  toReachCheckpoint(condition: TerminationCondition<any>): Promise<Result>
  /** A judge is content with it. */
  toPassJudge(judge: Judge): Promise<Result>
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: as vitest declares it
  interface Matchers<T = any> extends AgentMatchers<T> {}
}
