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
      } else if (!done.has(index)) continueItem(items.get(index), event)
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
  return asNumber(index) ?? (type === 'response.output_item.added' ? items.size : items.size - 1)
}

/** The part that each kind of delta extends: its type and its field. */
const deltaParts: Record<string, { type: string; field: string }> = {
  'response.output_text.delta': { type: 'output_text', field: 'text' },
  'response.refusal.delta': { type: 'refusal', field: 'refusal' },
}

function continueItem(item: Data | undefined, { type, delta, content_index: index }: Data): void {
  const piece = asText(delta)
  if (item === undefined || piece === undefined) return
  if (type === 'response.function_call_arguments.delta')
    item.arguments = `${asText(item.arguments) ?? ''}${piece}`
  const extended = deltaParts[String(type)]
  if (extended === undefined) return
  const parts = [...asList(item.content)]
  const at = Math.min(asNumber(index) ?? Math.max(0, parts.length - 1), parts.length)
  const earlier = asText(asData(parts[at])?.[extended.field]) ?? ''
  parts[at] = { type: extended.type, [extended.field]: `${earlier}${piece}` }
  item.content = parts
}

function outputText({ content }: Data): string {
  return asList(content)
    .map((part) => (asData(part)?.type === 'output_text' ? (asText(asData(part)?.text) ?? '') : ''))
    .join('')
}
