import { isRecord } from '../../../json/json.ts'
import { asData, asList, asNumber, asText } from '../../../models/json.ts'
import { contentText } from '../../../models/openai-completion.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { findCutCall } from './format.ts'

/** The state of a graph, as far as the events of its run show it, in whichever stream mode. */
export interface GraphDraft {
  /** The last whole state (`values`). */
  values: Data | undefined
  /** The messages of `updates`, else of `messages`, by id. */
  updated: Map<string, Data>
  streamed: Map<string, Data>
  /** The pieces of calls in a message, by what names them. */
  pieces: WeakMap<Data[], Map<unknown, Data>>
  interrupts: Data[]
  /** How many events of the run have come. */
  events: number
}

export function createGraphDraft(): GraphDraft {
  return {
    values: undefined,
    updated: new Map(),
    streamed: new Map(),
    pieces: new WeakMap(),
    interrupts: [],
    events: 0,
  }
}

/** Returns false for an event that is not one of a run. Those of subgraphs (`values|…`) repeat what the graph says. */
export function addGraphEvent(draft: GraphDraft, event: string, data: unknown): boolean {
  if (event === 'values') setValues(draft, asData(data) ?? {})
  else if (event === 'updates') addUpdate(draft, asData(data) ?? {})
  else if (event === 'messages') addPiece(draft, asData(asList(data)[0]) ?? {})
  else if (/^messages\/(?:partial|complete)$/.test(event)) {
    for (const message of asList(data).filter(isRecord)) setMessage(draft.streamed, message)
  }
  if (event !== 'metadata') draft.events += 1
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

/** The tool within whose arguments the last message ends that a model was writing token by token. */
export function findOpenGraphCall(draft: GraphDraft): string | undefined {
  const {
    chunks,
    chunk_position: position,
    response_metadata: given,
  } = readGraph(draft).messages?.at(-1) ?? {}
  const { finish_reason, stop_reason, done_reason } = asData(given) ?? {}
  const isFinished = position === 'last' || asText(finish_reason ?? stop_reason ?? done_reason) !== undefined
  if (isFinished) return undefined
  return findCutCall(asList(chunks).map((chunk) => ({ ...asData(chunk), arguments: asData(chunk)?.args })))
}

export function setValues(draft: GraphDraft, values: Data): void {
  draft.values = values
  draft.interrupts = asList(values.__interrupt__).filter(isRecord)
}

/** What each node has changed: one or several messages, or none. */
function addUpdate(draft: GraphDraft, { __interrupt__: interrupts, ...nodes }: Data): void {
  for (const interrupt of asList(interrupts).filter(isRecord)) draft.interrupts.push(interrupt)
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
function addPiece({ streamed, pieces }: GraphDraft, piece: Data): void {
  const id = asText(piece.id) ?? `#${streamed.size}`
  const chunks = asList(piece.tool_call_chunks).filter(isRecord)
  const known = streamed.get(id)
  const isPiece = known !== undefined && /chunk$/i.test(String(piece.type))
  const message = isPiece ? known : { ...piece }
  if (isPiece) {
    message.content = `${contentText(message.content)}${contentText(piece.content)}`
    message.chunk_position = piece.chunk_position ?? message.chunk_position
    message.usage_metadata = piece.usage_metadata ?? message.usage_metadata
    message.response_metadata = { ...asData(message.response_metadata), ...asData(piece.response_metadata) }
  } else streamed.set(id, message)
  if (chunks.length === 0) return
  const begun = (isPiece && Array.isArray(message.chunks) ? message.chunks : []) as Data[]
  message.chunks = begun
  const named = pieces.get(begun) ?? new Map<unknown, Data>()
  pieces.set(begun, named)
  for (const chunk of chunks) addCallPiece(begun, named, chunk)
}

/** Pieces are numbered; only the first one of a call has its id. */
function addCallPiece(begun: Data[], named: Map<unknown, Data>, chunk: Data): void {
  const begins = asText(chunk.id)
  const name = asNumber(chunk.index) ?? begins
  const call = name === undefined ? begun.at(-1) : named.get(name)
  if (call !== undefined) {
    call.args = `${asText(call.args) ?? ''}${asText(chunk.args) ?? ''}`
    return
  }
  const first = { ...chunk }
  begun.push(first)
  for (const key of [name, begins]) if (key !== undefined) named.set(key, first)
}
