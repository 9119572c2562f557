import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { asData, asList, asNumber, asText } from './json.ts'
import type { AnswerDraft } from './read-answer.ts'

/** The events that end a stream, named by the status of the response. */
const endEvent = /^response\.(completed|incomplete|failed|cancelled)$/

/** An item of the output that is being assembled. */
interface Slot {
  item: Data
  /** What events call it, apart from its index. */
  id: string | undefined
  /** Whether the whole item has come, so that pieces of it add nothing. */
  isWhole: boolean
  /** Whether the last piece was a whole text, refusal or list of arguments. */
  isPieceDone: boolean
}

/** The items by their index in the output. */
type Slots = Map<number, Slot>

/** Assembles a `response` object from the events of a stream. */
export function createResponseDraft(): AnswerDraft {
  const slots: Slots = new Map()
  let final: Data | undefined
  return {
    add(event) {
      const { type, response } = event
      const [, status] = endEvent.exec(String(type)) ?? []
      if (status !== undefined) final = { status, ...asData(response) }
      else if (type === 'error') final = { error: event }
      else if (type === 'response.output_item.added') setItem(slots, event, false)
      else if (type === 'response.output_item.done') setItem(slots, event, true)
      else continueItem(slots, event)
    },
    isEnded: () => final !== undefined,
    isComplete: () => false,
    text: () => [...slots.values()].map(({ item }) => outputText(item)).join(''),
    whole: () => withItems(final ?? {}, slots),
  }
}

/** Some servers leave the items out of the final response, because they have sent them before. */
function withItems(response: Data, slots: Slots): Data {
  if (asList(response.output).length > 0 || slots.size === 0) return response
  const output = [...slots].sort(([left], [right]) => left - right).map(([, { item }]) => item)
  return { ...response, output }
}

/** A whole item replaces the pieces that were streamed before. */
function setItem(slots: Slots, event: Data, isWhole: boolean): void {
  const item = { ...asData(event.item) }
  const id = asText(item.id)
  const canBe = (last: Slot) => isWhole && !last.isWhole && mayBe(last, item.type, id)
  const index = findIndex(slots, event.output_index, id, canBe)
  slots.set(index, { item, id: id ?? slots.get(index)?.id, isWhole, isPieceDone: false })
}

/** The field that each kind of piece extends, and the type of its item. */
const pieceKinds: Record<string, { type: string; field: string }> = {
  output_text: { type: 'message', field: 'text' },
  refusal: { type: 'message', field: 'refusal' },
  function_call_arguments: { type: 'function_call', field: 'arguments' },
}

const pieceEvent = /^response\.(output_text|refusal|function_call_arguments)\.(delta|done)$/

/** A delta extends a field, and `done` has all of it. Some servers send them without the item that they belong to. */
function continueItem(slots: Slots, event: Data): void {
  const [, kind = '', step] = pieceEvent.exec(String(event.type)) ?? []
  const { type, field } = pieceKinds[kind] ?? { type: '', field: '' }
  const piece = asText(step === 'delta' ? event.delta : event[field])
  if (piece === undefined) return
  const id = asText(event.item_id)
  const canBe = (last: Slot) => mayBe(last, type, id) && (type === 'message' || !last.isPieceDone)
  const index = findIndex(slots, event.output_index, id, canBe)
  const slot = slots.get(index) ?? { item: beginItem(type, event), id, isWhole: false, isPieceDone: false }
  slots.set(index, slot)
  slot.id ??= id
  if (slot.isWhole) return
  const extend = (earlier: unknown) => (step === 'delta' ? `${asText(earlier) ?? ''}${piece}` : piece)
  if (type === 'function_call') {
    const name = asText(slot.item.name) ?? asText(event.name)
    Object.assign(slot.item, defined({ name }), { arguments: extend(slot.item.arguments) })
  } else {
    const parts = [...asList(slot.item.content)]
    const at = Math.min(asNumber(event.content_index) ?? findPart(parts, kind, slot), parts.length)
    parts[at] = { type: kind, [field]: extend(asData(parts[at])?.[field]) }
    slot.item.content = parts
  }
  slot.isPieceDone = step === 'done'
}

/** Some servers do not number their items: they name them, or send one after the other. */
function findIndex(
  slots: Slots,
  given: unknown,
  id: string | undefined,
  canBe: (last: Slot) => boolean,
): number {
  const index = asNumber(given)
  if (index !== undefined) return index
  const all = [...slots]
  const named = id === undefined ? undefined : all.find(([, slot]) => slot.id === id)
  const last = all.at(-1)
  if (named !== undefined) return named[0]
  return last !== undefined && canBe(last[1]) ? last[0] : Math.max(-1, ...slots.keys()) + 1
}

/** Whether an event about an item of this type, called like this, can be about this item. */
function mayBe(slot: Slot, type: unknown, id: string | undefined): boolean {
  const isUnnamed = slot.id === undefined && !slot.isWhole
  return (slot.item.type ?? type) === type && (isUnnamed || id === undefined)
}

/** The part that a piece continues that does not number it: what follows a whole one is another. */
function findPart(parts: readonly unknown[], kind: string, { isPieceDone }: Slot): number {
  const isLast = !isPieceDone && asData(parts.at(-1))?.type === kind
  return isLast ? parts.length - 1 : parts.length
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
