import { describe, expect, it } from 'vitest'
import { type HttpFormatName, httpFormatNames } from '../../../project/http-formats.ts'
import { eventLines, readAnswerIn, readJsonAnswer } from './answers.fixture.ts'

const named = (event: string, data: unknown) => `event: ${event}\n${eventLines(data)}`
const spoken = { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }

/** The same answer in each format, as it would be streamed. */
const streams: Record<HttpFormatName, string> = {
  'ai-sdk-ui': eventLines(
    { type: 'start' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hello' },
    { type: 'text-end', id: 't' },
    { type: 'finish' },
    '[DONE]',
  ),
  'openai-chat': eventLines(
    { id: 'c', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    '[DONE]',
  ),
  'openai-responses': eventLines(
    { type: 'response.created', response: {} },
    { type: 'response.completed', response: { status: 'completed', output: [spoken] } },
    '[DONE]',
  ),
  'ag-ui': eventLines(
    { type: 'RUN_STARTED' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Hello' },
    { type: 'RUN_FINISHED' },
    '[DONE]',
  ),
  langgraph: `${named('metadata', { run_id: 'r' })}${named('values', { messages: [{ type: 'ai', content: 'Hello' }] })}`,
}

const bodies: Partial<Record<HttpFormatName, object>> = {
  'openai-chat': { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] },
  'openai-responses': { status: 'completed', output: [spoken] },
  langgraph: { messages: [{ type: 'ai', content: 'Hello' }] },
}

function listPairs(given: Partial<Record<HttpFormatName, unknown>>) {
  const others = Object.keys(given) as HttpFormatName[]
  return httpFormatNames.flatMap((format) =>
    others
      .filter((other) => other !== format)
      .map((other): [HttpFormatName, HttpFormatName] => [format, other]),
  )
}

function misfitOf(format: HttpFormatName, other: HttpFormatName) {
  const hint = `(read as \`format: "${format}"\`: is that the protocol of this URL? It looks like \`format: "${other}"\`)`
  return expect.objectContaining({ kind: 'bad_response', message: expect.stringContaining(hint) })
}

describe('an answer of another format', () => {
  it.each(httpFormatNames)('is readable in its own: %s', (format) => {
    expect(readAnswerIn(format, [streams[format]]).content).toBe('Hello')
  })

  it.each(listPairs(streams))('is no stream of %s, and the message names its own: %s', (format, other) => {
    expect(() => readAnswerIn(format, [streams[other]])).toThrow(misfitOf(format, other))
  })

  it.each(listPairs(bodies))('is no JSON of %s, and the message names its own: %s', (format, other) => {
    expect(() => readJsonAnswer(format, bodies[other])).toThrow(misfitOf(format, other))
  })

  it.each<[HttpFormatName, string, unknown[]]>([
    ...httpFormatNames.flatMap((format): [HttpFormatName, string, unknown[]][] => [
      [format, 'only unknown events', [{ delta: 'Hel' }, { delta: 'lo' }, '[DONE]']],
      [format, 'only an end marker', ['[DONE]']],
    ]),
    [
      'ai-sdk-ui',
      'a start and a finish',
      [{ type: 'start' }, { type: 'token', text: 'Hello' }, { type: 'finish' }],
    ],
    [
      'ai-sdk-ui',
      'the parts of `fullStream`',
      [{ type: 'text-delta', id: 't', text: 'Hello' }, { type: 'finish' }],
    ],
    [
      'openai-chat',
      'the older completions',
      [{ choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }] }, '[DONE]'],
    ],
  ])('is no empty reply: %s with %s', (format, _, events) => {
    // What is shown is what came first, and not what was made of it.
    const first = typeof events[0] === 'string' ? events[0] : JSON.stringify(events[0])
    expect(() => readAnswerIn(format, [eventLines(...events)])).toThrow(
      expect.objectContaining({ kind: 'bad_response', message: expect.stringContaining(first) }),
    )
  })

  it.each<[HttpFormatName, object]>([
    ['openai-responses', { output: [{ text: 'Hello' }] }],
    ['langgraph', { messages: ['Hello'] }],
    ['langgraph', { messages: [{ sender: 'bot', text: 'Hello' }] }],
  ])('is no empty reply: %s with the JSON %j', (format, body) => {
    const read = () => readJsonAnswer(format, body)
    expect(read).toThrow(expect.objectContaining({ kind: 'bad_response' }))
    expect(read).toThrow(`It begins: ${JSON.stringify(body)}`)
  })

  it.each([
    ['text', 'text-delta'],
    ['textDelta', 'reasoning-delta'],
  ])('is no empty reply: `fullStream` of the AI SDK with %s in a %s', (field, type) => {
    const delta = { type, id: 't', [field]: 'Hello' }
    const begun = [
      { type: 'start' },
      { type: 'start-step', request: {} },
      { type: 'tool-input-start', id: 'c', toolName: 'pay' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'text-start', id: 't' },
    ]
    expect(() => readAnswerIn('ai-sdk-ui', [eventLines(...begun, delta)])).toThrow(
      `has a \`${type}\` without \`delta\`. It begins: ${JSON.stringify(delta)}`,
    )
  })

  it('may be empty in its own format', () => {
    const events = [{ type: 'start' }, { type: 'finish' }, '[DONE]']
    expect(readAnswerIn('ai-sdk-ui', [eventLines(...events)]).content).toBe('')
    expect(readJsonAnswer('langgraph', { messages: [] }).content).toBe('')
  })
})
