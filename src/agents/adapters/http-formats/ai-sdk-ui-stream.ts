import { isRecord } from '../../../json/json.ts'
import { asText } from '../../../models/json.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { toolNameOf, type UIMessage } from './ai-sdk-ui-message.ts'

/** A UI message that is being assembled from the chunks of a stream. */
export interface UIMessageDraft {
  message: UIMessage
  /** The parts of text and reasoning that are being written, by type and id. */
  open: Map<string, Data>
  /** The newest part of a tool call with each id. */
  calls: Map<string, Data>
  /** The calls whose input is still being written. */
  openInputs: Set<Data>
  /** The open calls whose id another call has taken, by id. */
  hidden: Map<string, Data>
  /** What is wrong with the last chunk. */
  fault?: string
  /** The data parts that have an id, by type and id. */
  data: Map<string, Data>
  /** What came about calls that this message does not have, by id. */
  late: Map<string, Data>
  finishReason: string | undefined
  isFinished: boolean
}

export function createUIMessageDraft(): UIMessageDraft {
  const message = { id: '', role: 'assistant', parts: [] }
  return {
    message,
    open: new Map(),
    calls: new Map(),
    openInputs: new Set(),
    hidden: new Map(),
    data: new Map(),
    late: new Map(),
    finishReason: undefined,
    isFinished: false,
  }
}

/** Returns false for a chunk that is not of a known kind. Newer versions of the SDK may have others. */
export function addUIChunk(draft: UIMessageDraft, chunk: Data): boolean {
  const type = asText(chunk.type) ?? ''
  const known = Object.hasOwn(chunkKinds, type) ? chunkKinds[type] : undefined
  const add = known ?? (type.startsWith('data-') ? addData : undefined)
  // Streams that were merged may each have a finish.
  if (/^(?:start|start-step|(?:text|reasoning|tool-input)-start)$/.test(type)) draft.isFinished = false
  add?.(draft, chunk)
  return add !== undefined
}

/** The tool whose input was still being written. */
export function findOpenInput({ openInputs: [part] }: UIMessageDraft): string | undefined {
  return part && (toolNameOf(part) ?? 'unknown')
}

export function draftText({ message }: UIMessageDraft): string {
  return message.parts.map(({ type, text }) => (type === 'text' ? (asText(text) ?? '') : '')).join('')
}

type AddChunk = (draft: UIMessageDraft, chunk: Data) => void

const chunkKinds: Record<string, AddChunk> = {
  start(draft, { messageId, messageMetadata }) {
    draft.message.id = asText(messageId) ?? draft.message.id
    addMetadata(draft, messageMetadata)
  },
  'start-step': ({ message }) => void message.parts.push({ type: 'step-start' }),
  'finish-step': ({ open }) => open.clear(),
  'text-start': beginText,
  'text-delta': continueText,
  'text-end': endText,
  'reasoning-start': beginText,
  'reasoning-delta': continueText,
  'reasoning-end': endText,
  'tool-input-start': (draft, chunk) => setTool(draft, chunk, { state: 'input-streaming' }),
  'tool-input-delta': () => {},
  'tool-input-available': (draft, chunk) =>
    setTool(draft, chunk, { state: 'input-available', input: chunk.input }),
  'tool-input-error': (draft, chunk) =>
    setTool(draft, chunk, { state: 'output-error', rawInput: chunk.input, errorText: chunk.errorText }),
  'tool-approval-request': (draft, chunk) =>
    setTool(draft, chunk, { state: 'approval-requested', approval: { id: chunk.approvalId } }),
  'tool-output-available': (draft, chunk) =>
    setTool(draft, chunk, { state: 'output-available', output: chunk.output }),
  'tool-output-error': (draft, chunk) =>
    setTool(draft, chunk, { state: 'output-error', errorText: chunk.errorText }),
  'tool-output-denied': (draft, chunk) => setTool(draft, chunk, { state: 'output-denied' }),
  file: addPart,
  'source-url': addPart,
  'source-document': addPart,
  'message-metadata': (draft, { messageMetadata }) => addMetadata(draft, messageMetadata),
  finish(draft, { finishReason, messageMetadata }) {
    draft.finishReason = asText(finishReason)?.replaceAll('-', '_')
    draft.isFinished = true
    addMetadata(draft, messageMetadata)
  },
}

function beginText(draft: UIMessageDraft, chunk: Data): Data {
  const type = kindOf(chunk)
  const part: Data = { type, text: '', state: 'streaming' }
  keepProviderMetadata(part, chunk)
  draft.open.set(`${type} ${String(chunk.id)}`, part)
  draft.message.parts.push(part)
  return part
}

function continueText(draft: UIMessageDraft, chunk: Data): void {
  const part = draft.open.get(`${kindOf(chunk)} ${String(chunk.id)}`) ?? beginText(draft, chunk)
  part.text = `${asText(part.text) ?? ''}${asText(chunk.delta) ?? ''}`
  keepProviderMetadata(part, chunk)
}

function endText(draft: UIMessageDraft, chunk: Data): void {
  const key = `${kindOf(chunk)} ${String(chunk.id)}`
  const part = draft.open.get(key)
  if (part === undefined) return
  part.state = 'done'
  keepProviderMetadata(part, chunk)
  draft.open.delete(key)
}

/** `text` or `reasoning` */
function kindOf({ type }: Data): string {
  return String(type).replace(/-.*$/, '')
}

/** The signatures that some models need back. */
function keepProviderMetadata(part: Data, { providerMetadata }: Data): void {
  if (providerMetadata !== undefined) part.providerMetadata = providerMetadata
}

function setTool(draft: UIMessageDraft, chunk: Data, fields: Data): void {
  const { message, calls, openInputs, late, hidden } = draft
  const { toolCallId, toolName, providerExecuted, providerMetadata, title } = chunk
  const named = asText(toolName) === undefined ? undefined : namePart(chunk)
  let part = calls.get(String(toolCallId))
  if (part === undefined || isAnotherCall(part, chunk)) {
    if (named === undefined) {
      late.set(String(toolCallId), fields)
      return
    }
    if (part !== undefined && !hasResult(part)) hidden.set(String(toolCallId), part)
    part = { ...named, toolCallId }
    message.parts.push(part)
    calls.set(String(toolCallId), part)
  }
  Object.assign(part, named, fields)
  const other = hasResult(part) ? hidden.get(String(toolCallId)) : undefined
  if (other !== undefined) draft.fault = describeShared(toolCallId, other, part)
  if (fields.state === 'input-streaming') openInputs.add(part)
  else openInputs.delete(part)
  if (providerExecuted !== undefined) part.providerExecuted = providerExecuted
  if (title !== undefined) part.title = title
  // The metadata of a result is not that of the call.
  if (providerMetadata !== undefined && fields.output === undefined)
    part.callProviderMetadata = providerMetadata
}

function namePart({ toolName, dynamic }: Data): Data {
  return dynamic === true ? { type: 'dynamic-tool', toolName } : { type: `tool-${String(toolName)}` }
}

/** Some servers begin to count their calls anew with each step. */
function isAnotherCall(part: Data, { type, toolName }: Data): boolean {
  const name = asText(toolName)
  if (name === undefined) return false
  const begins = type === 'tool-input-start' || type === 'tool-input-available'
  // The SDK repairs the name of a tool when its input is complete.
  const isInput = type === 'tool-input-available' || type === 'tool-input-error'
  if (isInput && part.state === 'input-streaming') return false
  return name !== toolNameOf(part) || (hasResult(part) && begins)
}

function hasResult({ state }: Data): boolean {
  return String(state).startsWith('output-')
}

function describeShared(id: unknown, first: Data, second: Data): string {
  const tools = `${toolNameOf(first)} and ${toolNameOf(second)}`
  return `has a result for ${JSON.stringify(id)}, which is the id of two open calls: ${tools}`
}

function addPart({ message }: UIMessageDraft, chunk: Data): void {
  message.parts.push({ ...chunk })
}

/** A data part with an id replaces the earlier one; transient data is only for the moment. */
function addData(draft: UIMessageDraft, { type, id, data, transient }: Data): void {
  if (transient === true) return
  const key = `${String(type)} ${String(id)}`
  const earlier = draft.data.get(key)
  if (earlier !== undefined) {
    earlier.data = data
    return
  }
  const part: Data = { type, ...(id === undefined ? {} : { id }), data }
  draft.message.parts.push(part)
  if (id !== undefined) draft.data.set(key, part)
}

function addMetadata({ message }: UIMessageDraft, metadata: unknown): void {
  if (isRecord(metadata)) message.metadata = { ...message.metadata, ...metadata }
}
