import { hash } from 'node:crypto'
import { z } from 'zod'
import { isTooDeep, parseJson } from '../../json/json.ts'
import type { Key } from '../../results/key.ts'
import type { Data } from '../../results/transcript/message.ts'
import { type FoundCall, layers, type RecordedCall } from '../tape.ts'

/** A tool as its server lists it. */
export interface RecordedTool {
  name: string
  description?: string
  inputSchema: Data
}

/** The version of the format of recordings. Every older one can be read. */
export const recordingVersion = 1

const error = z.strictObject({
  name: z.string(),
  message: z.string(),
  kind: z.string().optional(),
  retryable: z.boolean().optional(),
  status: z.number().optional(),
  tool: z.string().optional(),
  aborted: z.boolean().optional(),
})

const call = z.strictObject({
  layer: z.enum(layers),
  target: z.string(),
  /** Calls with the same request have the same name. */
  name: z.string(),
  request: z.unknown().optional(),
  depends: z.string().optional(),
  /** A fingerprint of what the other side could see besides the request. */
  sees: z.string().optional(),
  /** What it may have changed for the calls after it with the same word. */
  follows: z.string().optional(),
  retries: z.array(z.strictObject({ error, delay_ms: z.number() })).optional(),
  response: z.unknown().optional(),
  error: error.optional(),
  abandoned: z.boolean().optional(),
  effects: z.unknown().optional(),
  inner: z.array(z.enum(layers)).optional(),
  inner_usage: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  inner_continues: z.array(z.string()).optional(),
  inner_names: z.array(z.string()).optional(),
  logs: z.array(z.string()).optional(),
  started_ms: z.number(),
  duration_ms: z.number(),
})

const headerLine = z.looseObject({
  type: z.literal('recording'),
  schema_version: z.number(),
  viva_version: z.string(),
  created_at: z.string(),
})

const playLine = z.strictObject({
  type: z.literal('play'),
  file: z.string(),
  id: z.string(),
  variant: z.string(),
  run: z.number(),
  attempt: z.number(),
  /** It belongs to the play before it with the same key. */
  more: z.literal(true).optional(),
  session_id: z.string().optional(),
  /** What prompts showed as the time, in their order. */
  times: z.array(z.string()).optional(),
  /** How long each reply took. */
  reply_ms: z.array(z.number()).optional(),
  calls: z.array(call),
})

const recordedTool = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
})

const toolsLine = z.strictObject({
  type: z.literal('tools'),
  server: z.string(),
  tools: z.array(recordedTool),
})

const recordingLine = z.discriminatedUnion('type', [headerLine, playLine, toolsLine])

export type HeaderLine = z.infer<typeof headerLine>
export type PlayLine = z.infer<typeof playLine>
export type RecordingLine = z.infer<typeof recordingLine>
export type CallLine = z.infer<typeof call>

/** A line as it is written: with the sum of all before it, so that a change by hand is noticed. */
export function sealLine(json: string): string {
  const open = json.slice(0, -1)
  return `${open}${sealOf(open)}\n`
}

/** Undefined for a line that is incomplete, was changed, or is not one of a recording. */
export function unsealLine(text: string): RecordingLine | undefined {
  const open = text.slice(0, -sealLength)
  if (!open.startsWith('{') || sealOf(open) !== text.slice(-sealLength)) return undefined
  const line = parseJson(`${open}}`)
  return isTooDeep(line) ? undefined : recordingLine.safeParse(line).data
}

const sumLength = 16

/** The end of a line that begins with this text. */
function sealOf(open: string): string {
  return `,"sum":"${hash('sha256', open).slice(0, sumLength)}"}`
}

const sealLength = ',"sum":""}'.length + sumLength

/** Filled field by field: an object that begins with a spread costs several times as much. */
export function callToLine(call: RecordedCall, name: string): CallLine {
  const { layer, target, request, retries = [] } = call
  const line: CallLine = {
    layer,
    target,
    name,
    request,
    started_ms: roundTime(call.startedMs),
    duration_ms: roundTime(call.durationMs),
  }
  if (call.depends !== undefined) line.depends = call.depends
  if (call.sees !== undefined) line.sees = call.sees
  if (call.follows !== undefined) line.follows = call.follows
  if (retries.length > 0)
    line.retries = retries.map(({ error, delayMs }) => ({ error, delay_ms: Math.round(delayMs) }))
  if (call.response !== undefined) line.response = call.response
  if (call.error !== undefined) line.error = call.error
  if (call.abandoned !== undefined) line.abandoned = call.abandoned
  if (call.effects !== undefined) line.effects = call.effects
  if (call.inner !== undefined) line.inner = call.inner
  if (call.innerUsage !== undefined) line.inner_usage = call.innerUsage as CallLine['inner_usage']
  if (call.innerContinues !== undefined) line.inner_continues = call.innerContinues
  if (call.innerNames !== undefined) line.inner_names = call.innerNames
  if (call.logs !== undefined) line.logs = call.logs
  return line
}

export function callFromLine({
  started_ms,
  duration_ms,
  retries,
  inner_usage,
  inner_continues,
  inner_names,
  ...call
}: CallLine): FoundCall {
  return {
    ...call,
    ...(inner_usage && { innerUsage: inner_usage }),
    ...(inner_continues && { innerContinues: inner_continues }),
    ...(inner_names && { innerNames: inner_names }),
    retries: retries?.map(({ error, delay_ms }) => ({ error, delayMs: delay_ms })),
    startedMs: started_ms,
    durationMs: duration_ms,
  } as FoundCall
}

export function roundTime(ms: number): number {
  return Math.round(ms * 100) / 100
}

/** Identifies a play: a result is one of several attempts, a play is one of them. */
export function playName({ file, id, variant, run, attempt }: Key): string {
  return JSON.stringify([file, id, variant, run, attempt])
}
