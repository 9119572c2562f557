import { textOrJson } from '../json/json.ts'
import type { Message, ToolCall } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { pluralize } from '../text/counted.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'

/** More would push the conversation itself off the screen. */
const mostMessages = 6

const speakers: Record<Message['role'], string> = {
  system: 'System:',
  user: 'User: ',
  assistant: 'Agent:',
  tool: 'Tool: ',
}

/** The last messages before the first turn. */
export function historyLines(history: readonly Message[], pen: Pen): Inked[] {
  if (history.length === 0) return []
  const earlier = Math.max(0, history.length - mostMessages)
  return [
    pen.dim(`History: ${pluralize(history.length, 'message')}`),
    ...(earlier > 0 ? [pen.dim(`  … ${earlier} earlier`)] : []),
    ...history.slice(earlier).flatMap((message) => messageLines(message, pen)),
  ]
}

function messageLines({ role, content, toolCalls = [] }: Message, pen: Pen): Inked[] {
  const text =
    content === '' && toolCalls.length > 0 ? [] : [pen.line`${speakers[role]} ${quoteContent(content)}`]
  return [...text, ...toolCalls.map((call) => pen.line`Agent: ${toolText(call)}`)].map((line) =>
    pen.dim(pen.line`  ${line}`),
  )
}

/** The tools that the simulated user called before its message. */
export function userLines({ simulated }: Turn, pen: Pen): Inked[] {
  const { toolCalls = [] } = simulated ?? {}
  return toolCalls === 'hidden' ? [] : toolCalls.map((call) => pen.line`User:  ${toolText(call)}`)
}

/** What the agent answered, and the tools that it called. */
export function agentLines({ reply, lastUserCalls = [] }: Turn, pen: Pen): Inked[] {
  if (reply === undefined) return []
  const calls = reply.toolCalls === 'hidden' ? [] : reply.toolCalls
  const text =
    reply.content === '' && calls.length > 0 ? [] : [pen.line`Agent: ${quoteContent(reply.content)}`]
  return [
    ...text,
    ...calls.map((call) => pen.line`Agent: ${toolText(call)}`),
    ...lastUserCalls.map((call) => pen.line`User:  ${toolText(call)}`),
  ]
}

function toolText(call: ToolCall): string {
  const outcome = call.error === undefined ? '' : ` → error: ${call.error}`
  return oneLine(
    `[tool: ${call.name}(${looseJson(call.arguments)})${call.stubbed ? ' stubbed' : ''}${outcome}]`,
    200,
  )
}

/** JSON without quotes around names: `{amount: 3500, type: "travel"}`. */
function looseJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replace(/"([A-Za-z_]\w*)":/g, '$1: ').replace(/,(?=\w+: )/g, ', ')
}

/** What was said, on one line. */
export function quoteContent(content: unknown): string {
  const text = textOrJson(content)
  return `"${oneLine(text, 160)}"`
}
