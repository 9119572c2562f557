import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { asData, asList, asNumber, asText } from './json.ts'
import type { AnswerDraft } from './read-answer.ts'

/** The events that end a stream, named by the status of the response. */
const endEvent = /^response\.(completed|incomplete|failed|cancelled)$/

/** Assembles a `response` object from the events of a stream. */
export function createResponseDraft(): AnswerDraft {
  const items = new Map<number, Data>()
  const done = new Set<number>()
  let final: Data | undefined
  return {
    add(event) {
      const { type, response, item } = event
      const index = itemIndex(items, event)
      const [, status] = endEvent.exec(String(type)) ?? []
      if (status !== undefined) final = { status, ...asData(response) }
      else if (type === 'error') final = { error: event }
      else if (type === 'response.output_item.added') items.set(index, { ...asData(item) })
      else if (type === 'response.output_item.done') {
        // It is complete now: what was streamed before were its pieces.
        items.set(index, { ...asData(item) })
        done.add(index)
      } else if (!done.has(index)) continueItem(items, index, event)
    },
    isEnded: () => final !== undefined,
    isComplete: () => false,
    text: () => [...items.values()].map(outputText).join(''),
    whole: () => withItems(final ?? {}, items),
  }
}

/** Some servers leave the items out of the final response, because they have sent them before. */
function withItems(response: Data, items: ReadonlyMap<number, Data>): Data {
  if (asList(response.output).length > 0 || items.size === 0) return response
  const output = [...items].sort(([left], [right]) => left - right).map(([, item]) => item)
  return { ...response, output }
}

/** Some servers do not number their items: they send one after the other. */
function itemIndex(items: ReadonlyMap<number, Data>, { output_index: index, type }: Data): number {
  return asNumber(index) ?? (type === 'response.output_item.added' ? items.size : Math.max(0, items.size - 1))
}

/** The field that each kind of piece extends, and the type of its item. */
const pieceKinds: Record<string, { type: string; field: string }> = {
  output_text: { type: 'message', field: 'text' },
  refusal: { type: 'message', field: 'refusal' },
  function_call_arguments: { type: 'function_call', field: 'arguments' },
}

const pieceEvent = /^response\.(output_text|refusal|function_call_arguments)\.(delta|done)$/

/** A delta extends a field, and `done` has all of it. Some servers send them without the item that they belong to. */
function continueItem(items: Map<number, Data>, index: number, event: Data): void {
  const [, kind = '', step] = pieceEvent.exec(String(event.type)) ?? []
  const { type, field } = pieceKinds[kind] ?? { type: '', field: '' }
  const piece = asText(step === 'delta' ? event.delta : event[field])
  if (piece === undefined) return
  const item = items.get(index) ?? beginItem(type, event)
  items.set(index, item)
  const extend = (earlier: unknown) => (step === 'delta' ? `${asText(earlier) ?? ''}${piece}` : piece)
  if (type === 'function_call') item.arguments = extend(item.arguments)
  else {
    const parts = [...asList(item.content)]
    const at = Math.min(asNumber(event.content_index) ?? Math.max(0, parts.length - 1), parts.length)
    parts[at] = { type: kind, [field]: extend(asData(parts[at])?.[field]) }
    item.content = parts
  }
}

function beginItem(type: string, { item_id: id, name }: Data): Data {
  if (type === 'message') return { type, role: 'assistant' }
  return { type, ...defined({ call_id: asText(id), name: asText(name) }) }
}

function outputText({ content }: Data): string {
  return asList(content)
    .map((part) => (asData(part)?.type === 'output_text' ? (asText(asData(part)?.text) ?? '') : ''))
    .join('')
}
