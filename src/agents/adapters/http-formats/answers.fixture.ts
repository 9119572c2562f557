import { expect } from 'vitest'
import { InfrastructureError } from '../../../errors.ts'
import type { HttpFormatName } from '../../../project/http-formats.ts'
import type { Data } from '../../../results/transcript/message.ts'
import type { Reply } from '../../../results/transcript/reply.ts'
import type { Turn, View } from '../../../results/transcript/turn.ts'
import { createPlainScope } from '../../../scope/plain-scope.ts'
import { plainTurn } from '../../converse.ts'
import { httpFormats } from './list.ts'
import { createReadFormat } from './read-format.ts'

const eventStream = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }

interface Answered {
  address?: string
  headers?: Record<string, string>
  /** The body of the request. */
  body?: Data
  turns?: readonly Turn[]
  faults?: Record<string, 'agent' | 'infrastructure'>
  cut?: InfrastructureError
}

/** Reads an answer that arrives in these pieces. */
export function readAnswerIn(
  format: HttpFormatName,
  pieces: readonly (string | Uint8Array)[],
  {
    address = 'http://agent.example/chat',
    headers = eventStream,
    body = {},
    turns = [],
    faults,
    cut,
  }: Answered = {},
): Reply {
  const url = new URL(address)
  const sent = { url, keySent: false, callPrefix: 'call', faults, body, turns }
  const { read } = createReadFormat(format, httpFormats[format], sent, createPlainScope())
  const reader = read({ status: 200, statusText: 'OK', headers })
  for (const piece of pieces) if (reader.push(Buffer.from(piece))) break
  return reader.end(cut)
}

export function readJsonAnswer(
  format: HttpFormatName,
  answer: unknown,
  body: Data = {},
  turns: readonly Turn[] = [],
): Reply {
  return readAnswerIn(format, [JSON.stringify(answer)], {
    headers: { 'content-type': 'application/json' },
    body,
    turns,
  })
}

export function eventLines(...events: unknown[]): string {
  return events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('')
}

/** The answer is the same wherever its stream is split, and no part of it is an answer. */
export function expectWholeAnswers(format: HttpFormatName, stream: string, answered: Answered = {}): Reply {
  const bytes = Buffer.from(stream)
  const whole = readAnswerIn(format, [bytes], answered)
  const said = ({ content, toolCalls, messages }: Reply) => ({ content, toolCalls, messages })
  for (let at = 1; at < bytes.length; at++) {
    const split = readAnswerIn(format, [bytes.subarray(0, at), bytes.subarray(at)], answered)
    expect(split, `split at byte ${at}`).toEqual(whole)
    const cut = new InfrastructureError('truncated', 'the connection broke')
    const result = attempt(() => readAnswerIn(format, [bytes.subarray(0, at)], { ...answered, cut }))
    if (result instanceof Error) expect(result, `cut at byte ${at}`).toBeInstanceOf(InfrastructureError)
    else expect(said(result), `cut at byte ${at}`).toEqual(said(whole))
  }
  return whole
}

function attempt(read: () => Reply): Reply | Error {
  try {
    return read()
  } catch (error) {
    return error as Error
  }
}

/** The body for a message of the user, after what was said before. */
export function bodyFor(
  format: HttpFormatName,
  text: string,
  { history = [], turns = [] }: Partial<View> = {},
  address = 'http://agent.example/runs/stream',
): Data {
  const { context } = createPlainScope()
  const input = { value: text, message: { role: 'user' as const, content: text } }
  const turn = { input, view: { history, turns }, options: {}, context, address, own: {} }
  return httpFormats[format].createBody(turn)
}

export function playedTurn(text: string, reply: Reply): Turn {
  return plainTurn(1, { value: text, message: { role: 'user', content: text } }, reply)
}
