import { isRecord, textOrJson } from '../json/json.ts'
import type { Inked, Pen } from '../reporters/pen.ts'
import { oneLine, printable } from '../reporters/printable.ts'
import type { Key } from '../results/key.ts'
import type { Layer, RecordedCall } from '../scope/tape.ts'
import { pluralize } from '../text/counted.ts'
import { shortTime } from '../text/duration.ts'

const longestShown = 160

/** How a case is named on the command line: `cases.jsonl:greeting`. */
export function caseName({ file, id }: Pick<Key, 'file' | 'id'>): string {
  return file === '' ? id : `${file}:${id}`
}

/** `3 calls (2 agent, 1 judge)` */
export function callsText(calls: Partial<Record<Layer, number>>): string {
  const counts = Object.entries(calls)
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  const parts = counts.map(([layer, count]) => `${count} ${layer}`)
  return parts.length === 0 ? 'no calls' : `${pluralize(total, 'call')} (${parts.join(', ')})`
}

/** `2026-11-18 21:04`, in UTC. */
export function timeText(time: string): string {
  return oneLine(time.slice(0, 16).replace('T', ' '))
}

/** One call with what was asked and what came back. Verbose: whole. */
export function callLines(call: RecordedCall, number: number, verbose: boolean, pen: Pen): Inked[] {
  const { layer, target, request, response, error, retries = [], effects, logs = [], durationMs } = call
  const show = (value: unknown, brief: unknown) =>
    verbose
      ? printable(wholeText(value)).replaceAll('\n', '\n    ')
      : oneLine(textOrJson(brief), longestShown)
  const line = (name: string, text: string) => pen.line`    ${name.padEnd(9)} ${text}`
  return [
    pen.line`  ${number}. ${pen.bold(layer)} ${oneLine(target)} ${pen.dim(shortTime(durationMs))}`,
    line('asked', show(request, briefRequest(request))),
    ...retries.map((retry) =>
      line(
        'failed',
        `${oneLine(retry.error.message, longestShown)}; again after ${shortTime(retry.delayMs)}`,
      ),
    ),
    error === undefined
      ? line('answered', show(response, briefResponse(response)))
      : line('error', show(error, error.message)),
    ...(verbose && effects !== undefined ? [line('effects', show(effects, effects))] : []),
    ...(verbose ? logs : []).map((text) => line('logged', show(text, text))),
  ]
}

function wholeText(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** The last message of a conversation: the ones before it were in earlier calls. */
function briefRequest(request: unknown): unknown {
  const messages = [isRecord(request) && request.messages, isRecord(request) && request.input, request].find(
    (list): list is unknown[] => Array.isArray(list) && list.some(isMessage),
  )
  const last = messages?.findLast(isMessage)
  return last === undefined ? (request ?? 'nothing') : `${textOrJson(last.role)}: ${textOrJson(last.content)}`
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && 'role' in value && 'content' in value
}

function briefResponse(response: unknown): unknown {
  if (!isRecord(response)) return response ?? 'nothing'
  const { toolCalls, content, output } = response
  const text = textOrJson(content ?? output)
  if (!Array.isArray(toolCalls) || toolCalls.length === 0) return text === '' ? response : text
  const calls = toolCalls
    .filter(isRecord)
    .map((call) => `${textOrJson(call.name)}(${textOrJson(call.arguments)})`)
  return [...(text === '' ? [] : [text]), `→ ${calls.join(', ')}`].join(' ')
}
