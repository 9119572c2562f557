import { defined } from '../json/defined.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { ModelUsage, Reply, TokenUsage } from '../results/transcript/reply.ts'
import type { Awaiting, Turn, View } from '../results/transcript/turn.ts'
import type { Context } from '../scope/context.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { type CheckHelpers, noCheckHelpers } from './check-helpers.ts'
import type { Where } from './definition.ts'
import { assertionSchema, compileAssertion } from './list.ts'

/** A short form of an agent's answer in one turn. */
export interface Answer {
  output?: unknown
  calls?: (Partial<ToolCall> & { name: string })[] | 'hidden'
  /** The agent failed instead of answering. */
  silent?: boolean
  awaiting?: Awaiting
  /** The agent says that it waits for input. */
  asks?: boolean
  durationMs?: number
  usage?: TokenUsage
  usageByModel?: ModelUsage[]
}

export function conversation(answers: readonly Answer[]): View {
  return { history: [], turns: answers.map((answer, index) => createTurn(answer, index + 1)) }
}

function createTurn(answer: Answer, number: number): Turn {
  return {
    number,
    source: number === 1 ? 'initial' : 'static',
    input: { value: 'hello', message: { role: 'user', content: 'hello' } },
    ...(answer.silent !== true && { reply: createReply(answer) }),
    checks: [],
    awaiting: answer.awaiting ?? { awaiting: false, reason: 'completed' },
    durationMs: answer.durationMs ?? 1,
  }
}

function createReply({ output = '', calls = [], asks, usage, usageByModel }: Answer): Reply {
  const toolCalls =
    calls === 'hidden' ? calls : calls.map((call, index) => ({ id: `call_${index}`, arguments: {}, ...call }))
  const content = typeof output === 'string' ? output : ''
  return {
    output,
    content,
    messages: [],
    toolCalls,
    ...defined({ usage, usageByModel, awaitingInput: asks }),
  }
}

/** Validates an assertion like one of a case file, and runs it on a conversation. */
export async function judge(
  assertion: Record<string, unknown>,
  answers: Answer | Answer[],
  {
    where = 'turn',
    turn,
    helpers = noCheckHelpers,
    context = {},
  }: { where?: Where; turn?: number; helpers?: CheckHelpers; context?: Partial<Context> } = {},
): Promise<CheckResult> {
  const view = conversation(Array.isArray(answers) ? answers : [answers])
  const check = compileAssertion(assertionSchema.parse(assertion), where, helpers)
  return check.run(view, turn ?? view.turns.length, createPlainScope({ context }))
}

/** Judges one reply and returns `status: reason`. */
export async function verdict(assertion: Record<string, unknown>, output: unknown): Promise<string> {
  const { status, reason } = await judge(assertion, { output })
  return `${status}: ${reason}`
}

/** The messages of the validation: `value: contains needs a "value"`. */
export function validationProblems(assertion: unknown): string[] {
  const { error } = assertionSchema.safeParse(assertion)
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}
