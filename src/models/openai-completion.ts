import { textOrJson } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import { asData, asList, asNumber, asText } from './json.ts'

/** A completion that is being assembled from the chunks of a stream. */
export interface CompletionDraft {
  /** `id`, `created` and `model` of the first chunk that has them. */
  head: Data
  content: string
  refusal: string
  toolCalls: ToolCallDraft[]
  finishReason: string | undefined
  usage: Data | undefined
  /** Whether any chunk had a choice. */
  begun: boolean
}

interface ToolCallDraft {
  index: number | undefined
  id: string
  name: string
  arguments: string
}

export function createCompletionDraft(): CompletionDraft {
  return {
    head: {},
    content: '',
    refusal: '',
    toolCalls: [],
    finishReason: undefined,
    usage: undefined,
    begun: false,
  }
}

export function addChunk(draft: CompletionDraft, chunk: Data): void {
  for (const key of ['id', 'created', 'model']) draft.head[key] ??= chunk[key]
  // Some servers send a running total with every chunk: the last one is complete.
  draft.usage = asData(chunk.usage) ?? draft.usage
  const choice = firstChoice(chunk)
  if (choice === undefined) return
  const delta = asData(choice.delta) ?? asData(choice.message)
  // The older completions API sends `text`, which is not a message.
  if (delta !== undefined || !('text' in choice)) draft.begun = true
  draft.finishReason = asText(choice.finish_reason) ?? draft.finishReason
  if (delta === undefined) return
  draft.content += contentText(delta.content)
  draft.refusal += asText(delta.refusal) ?? ''
  for (const call of asList(delta.tool_calls)) addToolCall(draft.toolCalls, asData(call) ?? {})
}

/** Returns the completion as it would have been without streaming. */
export function buildCompletion(draft: CompletionDraft): Data {
  const message: Data = { role: 'assistant', content: draft.content === '' ? null : draft.content }
  if (draft.refusal !== '') message.refusal = draft.refusal
  if (draft.toolCalls.length > 0) {
    message.tool_calls = draft.toolCalls.map(({ id, name, arguments: text }) => ({
      ...(id === '' ? {} : { id }),
      type: 'function',
      function: { ...(name === '' ? {} : { name }), arguments: text },
    }))
  }
  const choices = draft.begun ? [{ index: 0, message, finish_reason: draft.finishReason ?? null }] : []
  const completion: Data = { object: 'chat.completion', choices }
  Object.assign(completion, draft.head)
  if (draft.usage !== undefined) completion.usage = draft.usage
  return completion
}

/** Of several choices (`n` in the settings), the first one is the answer. */
export function firstChoice(completion: Data): Data | undefined {
  for (const each of asList(completion.choices)) {
    const choice = asData(each)
    if (choice !== undefined && (asNumber(choice.index) ?? 0) === 0) return choice
  }
  return undefined
}

/** Content is a text, or a list of parts of which only those of type `text` are shown to the user. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => (asData(part)?.type === 'text' ? (asText(asData(part)?.text) ?? '') : ''))
    .join('')
}

function addToolCall(calls: ToolCallDraft[], delta: Data): void {
  const given = asData(delta.function) ?? {}
  const id = asText(delta.id) ?? ''
  const name = asText(given.name) ?? ''
  let call = findContinuedCall(calls, asNumber(delta.index), id, name)
  if (call === undefined) {
    call = { index: asNumber(delta.index), id: '', name: '', arguments: '' }
    calls.push(call)
  }
  // Some servers repeat id and name with every delta, so the first one counts.
  call.id ||= id
  call.name ||= name
  call.arguments += argumentsText(given.arguments ?? given.args)
}

/** Finds the call that a delta continues; undefined when it begins one. Servers number calls, name them, or do neither. */
function findContinuedCall(
  calls: ToolCallDraft[],
  index: number | undefined,
  id: string,
  name: string,
): ToolCallDraft | undefined {
  const beginsAnother = (call: ToolCallDraft) => id !== '' && call.id !== '' && id !== call.id && name !== ''
  if (index !== undefined) {
    const numbered = calls.findLast((call) => call.index === index)
    // Complete calls that are all numbered 0 differ by their ids.
    return numbered === undefined || beginsAnother(numbered) ? undefined : numbered
  }
  if (id !== '') return calls.find((call) => call.id === id)
  return name === '' ? calls.at(-1) : undefined
}

/** Some servers send arguments as an object instead of as JSON text. */
export function argumentsText(given: unknown): string {
  if (given === undefined || given === null) return ''
  return textOrJson(given)
}
