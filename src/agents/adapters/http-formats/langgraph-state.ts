import { isRecord } from '../../../json/json.ts'
import { asData, asList, asNumber, asText } from '../../../models/json.ts'
import { contentText } from '../../../models/openai-completion.ts'
import type { Data } from '../../../results/transcript/message.ts'

/** The state of a graph, as far as the events of its run show it, in whichever stream mode. */
export interface GraphDraft {
  /** The last whole state (`values`). */
  values: Data | undefined
  /** The messages of `updates`, else of `messages`, by id. */
  updated: Map<string, Data>
  streamed: Map<string, Data>
  interrupts: Data[]
}

export function createGraphDraft(): GraphDraft {
  return { values: undefined, updated: new Map(), streamed: new Map(), interrupts: [] }
}

/** Returns false for an event that is not one of a run. Those of subgraphs (`values|…`) repeat what the graph says. */
export function addGraphEvent(draft: GraphDraft, event: string, data: unknown): boolean {
  if (event === 'values') setValues(draft, asData(data) ?? {})
  else if (event === 'updates') addUpdate(draft, asData(data) ?? {})
  else if (event === 'messages') addPiece(draft, asData(asList(data)[0]) ?? {})
  else if (/^messages\/(?:partial|complete)$/.test(event)) {
    for (const message of asList(data).filter(isRecord)) setMessage(draft.streamed, message)
  }
  return runEventNames.test(event)
}

const runEventNames =
  /^(?:metadata|values|updates|messages|custom|events|debug|tasks|checkpoints|feedback|end)\b/

/** The messages of the state, and the interrupts that the run has stopped at. */
export function readGraph(draft: GraphDraft): {
  values: Data
  messages: Data[] | undefined
  interrupts: Data[]
} {
  const { values, updated, streamed, interrupts } = draft
  const found = updated.size > 0 ? updated : streamed
  const messages = Array.isArray(values?.messages)
    ? values.messages.filter(isRecord)
    : found.size > 0
      ? [...found.values()]
      : undefined
  return { values: values ?? {}, messages, interrupts }
}

export function setValues(draft: GraphDraft, values: Data): void {
  draft.values = values
  draft.interrupts = asList(values.__interrupt__).filter(isRecord)
}

/** What each node has changed: one or several messages, or none. */
function addUpdate(draft: GraphDraft, { __interrupt__: interrupts, ...nodes }: Data): void {
  draft.interrupts.push(...asList(interrupts).filter(isRecord))
  for (const update of Object.values(nodes)) {
    const given = asData(update)?.messages
    for (const message of (Array.isArray(given) ? given : [given]).filter(isRecord))
      setMessage(draft.updated, message)
  }
}

function setMessage(messages: Map<string, Data>, message: Data): void {
  messages.set(asText(message.id) ?? `#${messages.size}`, message)
}

/** A token of a model, or a whole message of a node. */
function addPiece({ streamed }: GraphDraft, piece: Data): void {
  const id = asText(piece.id) ?? `#${streamed.size}`
  const earlier = streamed.get(id)
  const chunks = asList(piece.tool_call_chunks).filter(isRecord)
  if (earlier === undefined || !/chunk$/i.test(String(piece.type))) {
    streamed.set(id, {
      ...piece,
      ...(chunks.length > 0 ? { chunks: chunks.map((chunk) => ({ ...chunk })) } : {}),
    })
    return
  }
  earlier.content = `${contentText(earlier.content)}${contentText(piece.content)}`
  earlier.usage_metadata = piece.usage_metadata ?? earlier.usage_metadata
  earlier.response_metadata = { ...asData(earlier.response_metadata), ...asData(piece.response_metadata) }
  const begun = asList(earlier.chunks).filter(isRecord)
  for (const chunk of chunks) addCallPiece(begun, chunk)
  if (begun.length > 0) earlier.chunks = begun
}

/** Pieces are numbered; only the first one of a call has its id. */
function addCallPiece(begun: Data[], chunk: Data): void {
  const index = asNumber(chunk.index)
  const begins = asText(chunk.id)
  const call =
    index !== undefined
      ? begun.find((each) => asNumber(each.index) === index)
      : begins === undefined
        ? begun.at(-1)
        : begun.find(({ id }) => id === begins)
  if (call === undefined) begun.push({ ...chunk })
  else call.args = `${asText(call.args) ?? ''}${asText(chunk.args) ?? ''}`
}
