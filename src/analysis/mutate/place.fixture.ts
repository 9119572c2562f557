import type { ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import type { Operator, OtherAnswer, ReplyPlace } from './operator.ts'

/** A reply with a text, or with data, and the calls that led to it. */
export function replyOf(said: unknown, ...toolCalls: ToolCall[]): Reply {
  const content = typeof said === 'string' ? said : JSON.stringify(said)
  return {
    content,
    output: said,
    toolCalls,
    messages: [
      ...(toolCalls.length === 0 ? [] : [{ role: 'assistant' as const, content: '', toolCalls }]),
      ...toolCalls.map(({ id, result }) => ({ role: 'tool' as const, content: result, toolCallId: id })),
      { role: 'assistant', content },
    ],
  }
}

export function callOf(name: string, args: unknown = {}, result: unknown = {}): ToolCall {
  return { id: `call_${name}`, name, arguments: args, result }
}

export function turnOf(reply: Reply, input = 'Hello', number = 1): Turn {
  return {
    number,
    source: 'static',
    input: { value: input, message: { role: 'user', content: input } },
    reply,
    checks: [],
    awaiting: { awaiting: false, reason: 'completed' },
    durationMs: 1,
  }
}

/** A damage that was done. */
interface Done {
  what: string
  reply: Reply
}

/** What an operator makes of a reply. The first of several things is chosen. */
export function damage(
  operator: Operator,
  reply: Reply,
  { tools = [], answers = [] }: { tools?: string[]; answers?: OtherAnswer[] } = {},
): Done[] {
  const turn = turnOf(reply)
  const place: ReplyPlace = {
    turn,
    reply,
    view: { history: [], turns: [turn] },
    suite: { tools, answers },
    choose: (items) => items[0],
  }
  return operator.damage(place).map(({ what, apply }) => ({ what, reply: apply() }))
}

/** The texts that an operator makes of a reply. */
export function damagedTexts(operator: Operator, said: unknown): string[] {
  return damage(operator, replyOf(said)).map(({ reply }) => reply.content)
}

/** The calls that are left, as names. */
export function callNames({ reply: { toolCalls } }: Done): string[] {
  return toolCalls === 'hidden' ? ['hidden'] : toolCalls.map(({ name }) => name)
}
