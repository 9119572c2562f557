import { type CaseResult, isExpected } from '../results/result.ts'
import { fails } from '../transcript/check-result.ts'
import { textOf } from '../transcript/message.ts'
import type { Turn } from '../transcript/turn.ts'

/** Why a result is what it is, in a line or two; empty for one that passed. */
export function reasonOf(result: CaseResult): string {
  const { failure, status, termination } = result
  if (status === 'passed') return ''
  return failure?.message || termination.detail || checksThatFail(result)[0]?.reason || status
}

/** Every check that stands in the way of a pass, with the turn it stands beside. */
export function checksThatFail({
  view,
  finals,
}: CaseResult): { turn?: number; type: string; reason: string }[] {
  return [
    ...view.turns.flatMap(({ number, checks }) =>
      checks.filter(fails).map(({ type, reason }) => ({ turn: number, type, reason })),
    ),
    ...finals.filter(fails).map(({ type, reason }) => ({ type, reason })),
  ]
}

export type Outcome = 'passed' | 'failed' | 'broken' | 'known' | 'skipped' | 'unfinished'

/** `broken`: it failed, and not by the agent's fault. `known`: as its author said it would. */
export function outcomeOf(result: CaseResult): Outcome {
  if (result.status === 'passed' || result.status === 'skipped') return result.status
  if (result.status !== 'failed') return 'unfinished'
  if (isExpected(result)) return 'known'
  return result.fault === 'agent' ? 'failed' : 'broken'
}

/** The conversation as plain text. */
export function conversationText({ view, logs }: CaseResult): string {
  const lines = [
    ...view.history.map(({ role, content }) => `${role}: ${textOf(content)}`),
    ...view.turns.flatMap(turnLines),
    ...(logs.length === 0 ? [] : ['log:', ...logs.map((line) => `  ${line}`)]),
  ]
  return lines.join('\n')
}

function turnLines({ input, reply, error }: Turn): string[] {
  const calls = reply === undefined || reply.toolCalls === 'hidden' ? [] : reply.toolCalls
  return [
    `user: ${textOf(input.message.content)}`,
    ...calls.map(({ name, arguments: args, error: failed, stubbed }) => {
      const note = [stubbed && 'stubbed', failed && `failed: ${failed}`].filter(Boolean).join(', ')
      return `tool: ${name}(${JSON.stringify(args) ?? ''})${note === '' ? '' : ` [${note}]`}`
    }),
    ...(reply === undefined ? [`agent failed: ${error ?? 'no reply'}`] : [`agent: ${reply.content}`]),
  ]
}
