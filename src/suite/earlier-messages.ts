import { z } from 'zod'
import { asJson } from '../json/as-json.ts'
import type { Message, ToolCall } from '../results/transcript/message.ts'
import { holdMessage } from './held-values.ts'
import { fields } from './options.ts'
import type { EarlierMessage, EarlierToolCall } from './test-case.ts'

/** The `messages` of a case, as the engine has them. */
export function holdEarlier(messages: readonly EarlierMessage<unknown, unknown>[]): Message[] {
  return messages.map((message) => {
    const { role, content } = message
    if (message.role === 'user' || message.toolCalls === undefined)
      return holdMessage({ role, content }, content)
    return holdMessage({ role, content, toolCalls: message.toolCalls.map(readCall) }, content)
  })
}

function readCall({ name, arguments: given = {}, result, error }: EarlierToolCall, place: number): ToolCall {
  const answer = {
    ...(result !== undefined && { result: asJson(result) }),
    ...(error !== undefined && { error }),
  }
  return { id: `earlier_${place + 1}`, name, arguments: asJson(given), ...answer }
}

/** Agents get them as pairs of input and output. */
export function earlierSchema() {
  const toolCall = z.strictObject({
    name: fields.text(),
    arguments: z.unknown().optional(),
    result: z.unknown().optional(),
    error: z.string().optional(),
  })
  const message = z.discriminatedUnion('role', [
    z.strictObject({ role: z.literal('user'), content: fields.present() }),
    z.strictObject({
      role: z.literal('assistant'),
      content: fields.present(),
      toolCalls: z.array(toolCall).optional(),
    }),
  ])
  return z.array(message).superRefine((messages, { addIssue }) => {
    const wrong = messages.findIndex(({ role }, place) => role !== (place % 2 === 0 ? 'user' : 'assistant'))
    const problem = (message: string, ...path: number[]) => addIssue({ code: 'custom', path, message })
    if (wrong !== -1) problem('user and assistant must take turns, and the user begins', wrong)
    else if (messages.length % 2 === 1)
      problem(
        'must end with an answer of the assistant: what the user says then is the `input`',
        messages.length - 1,
      )
  })
}
