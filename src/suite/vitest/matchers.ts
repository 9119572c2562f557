import { expect } from 'vitest'
import { compileArguments } from '../../checks/argument-match.ts'
import { InfrastructureError } from '../../errors.ts'
import { isToolName } from '../../text/tool-name.ts'
import { conditionOf, type TerminationCondition } from '../conditions.ts'
import type { Judge } from '../judge.ts'
import { readJudgeResult } from '../judge-check.ts'
import { reachedAt } from '../result-view.ts'
import type { PlayedResult } from '../results.ts'
import { safeError } from './safe-error.ts'
import { safeText } from './safe-text.ts'

type AnyPlayed = PlayedResult<unknown, unknown>

/** A judge or a condition that fails says nothing about the agent, as in a run. */
function failToJudge(error: unknown): never {
  const { message, stack } = safeError(error)
  const kind = error instanceof InfrastructureError ? error.kind : 'judge_unknown'
  throw Object.assign(new InfrastructureError(kind, message), { stack })
}

interface Judged {
  pass: boolean
  message(): string
}

function judged(pass: boolean, message: string): Judged {
  return { pass, message: () => safeText(message) }
}

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
  const { toolCalls, toolCallsKnown, conversationHistory } = playedOf(received)
  const { error } = conversationHistory.at(-1) ?? {}
  if (!toolCallsKnown && error !== undefined)
    throw new Error(safeText(`the agent failed, so what it called before is unknown: ${error}`))
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
  const reached = await reachedAt(conditionOf(condition), conversationHistory).catch(failToJudge)
  return 'turn' in reached
    ? judged(true, `it was reached at turn ${reached.turn}`)
    : judged(false, `it was never reached: ${reached.reason}`)
}

/** A judge is content with it. One that cannot judge fails the test. */
async function toPassJudge(received: unknown, asked: Judge): Promise<Judged> {
  const { testCase, output, conversationHistory: history } = playedOf(received)
  const input = history[0]?.input
  const context = { input, output, expectedOutput: testCase.expectedOutput, history }
  const judge = async () => readJudgeResult(await asked.evaluate(context))
  const { passed, overallScore, verdicts } = await judge().catch(failToJudge)
  const why = verdicts
    .map(({ criterionId, score, reasoning }) => `${criterionId} ${score}: ${reasoning}`)
    .join('\n')
  return judged(passed, `the judge gives ${overallScore} of 100\n${why}`)
}

expect.extend({ toCallTool, toReachCheckpoint, toPassJudge })

/** What this module adds to `expect`. */
export interface AgentMatchers<Result> {
  /** A tool of that name was called, with these arguments among others, where some are given. */
  toCallTool(name: string, args?: unknown): Result
  /** The conversation came to a point where the condition is met. */
  // biome-ignore lint/suspicious/noExplicitAny: of whatever outputs it can be asked
  toReachCheckpoint(condition: TerminationCondition<any>): Promise<Result>
  /** A judge is content with it. */
  toPassJudge(judge: Judge): Promise<Result>
}
