import { describe, expect, it } from 'vitest'
import type { HttpFormatName } from '../../../project/http-formats.ts'
import { eventLines } from './answers.fixture.ts'
import { httpFormats } from './list.ts'
import { createReadFormat } from './read-format.ts'

/** An answer that arrives while a clock is set by hand. */
function beginAnswer(format: HttpFormatName, type = 'text/event-stream', leftMs = Number.POSITIVE_INFINITY) {
  let now = 0
  const time = { clock: () => now, deadline: Date.now() + leftMs }
  const url = new URL('http://agent.example/chat')
  const sent = { url, keySent: false, callPrefix: 'call', faults: undefined, body: {}, turns: [] }
  const reading = createReadFormat(format, httpFormats[format], sent, time)
  const reader = reading.read({ status: 200, statusText: 'OK', headers: { 'content-type': type } })
  return {
    ...reading,
    ...reader,
    pass: (ms: number) => {
      now += ms
    },
    receive: (...events: unknown[]) => void reader.push(Buffer.from(eventLines(...events))),
  }
}

const chunk = (content: string, reason: string | null = null) => ({
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: reason }],
})
const finishes: [HttpFormatName, unknown[], unknown][] = [
  ['openai-chat', [chunk('One.', 'stop')], chunk(' Two')],
  [
    'ai-sdk-ui',
    [{ type: 'text-delta', id: 't', delta: 'One.' }, { type: 'finish' }],
    { type: 'text-start', id: 'u' },
  ],
]

describe('an answer that is finished, but not ended', () => {
  it.each(finishes)('is taken after a long silence: %s', (format, events) => {
    const answer = beginAnswer(format)
    expect(answer.graceMs?.()).toBeUndefined()
    answer.receive(...events)
    expect(answer.graceMs?.()).toBe(30_000)
    answer.pass(10_000)
    answer.push(Buffer.from(': still here\n\n'))
    answer.receive({ type: 'keepalive' }, { type: 'status' })
    expect(answer.graceMs?.()).toBe(20_000)
    answer.pass(20_000)
    expect(answer.end(undefined).content).toBe('One.')
    expect(answer.waitedMs()).toBe(30_000)
  })

  it.each(finishes)('is not taken while it goes on: %s', (format, events, next) => {
    const answer = beginAnswer(format)
    answer.receive(...events)
    answer.pass(1000)
    answer.receive(next)
    expect(answer.graceMs?.()).toBeUndefined()
    answer.receive(events.at(-1))
    expect(answer.graceMs?.()).toBe(30_000)
  })

  it('waits again after an event that adds something', () => {
    const answer = beginAnswer('openai-chat')
    answer.receive(chunk('One.', 'stop'))
    answer.pass(10_000)
    answer.receive({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })
    expect(answer.graceMs?.()).toBe(30_000)
  })

  it('is taken before the time of its turn is up', () => {
    const answer = beginAnswer('openai-chat', 'text/event-stream', 10_000)
    answer.receive(chunk('One.', 'stop'))
    expect(answer.graceMs?.()).toBeLessThan(10_000)
  })

  it('has waited for nothing if its end marker comes', () => {
    const answer = beginAnswer('openai-chat')
    answer.receive(chunk('One.', 'stop'))
    answer.pass(1000)
    answer.receive('[DONE]')
    answer.end(undefined)
    expect(answer.waitedMs()).toBe(0)
  })
})

describe('what does not fit the format', () => {
  it.each<[HttpFormatName, unknown]>([
    ['ai-sdk-ui', { choices: [] }],
    ['openai-chat', { type: 'response.created' }],
    ['openai-responses', { type: 'RUN_STARTED' }],
    ['ag-ui', { type: 'text-start', id: 't' }],
  ])('is the mistake of the config if it is an event of another format: %s, %j', (format, event) => {
    const answer = beginAnswer(format)
    answer.receive({ status: 'thinking' }, event)
    expect(answer.misfit()).toMatchObject({ isFinal: true })
  })

  it.each<[HttpFormatName, unknown]>([
    ['openai-chat', { status: 'thinking' }],
    ['openai-responses', { type: 'status' }],
  ])('may be an addition of the server otherwise: %s, %j', (format, event) => {
    const answer = beginAnswer(format)
    answer.receive(event)
    expect(answer.misfit()).toMatchObject({
      isFinal: false,
      problem: expect.stringContaining('has no event of this format'),
    })
  })

  it('is nothing that only keeps the connection alive', () => {
    const answer = beginAnswer('openai-chat')
    answer.receive({ type: 'keepalive' }, { type: 'ping' })
    answer.push(Buffer.from('event: ping\ndata: 12:00\n\n'))
    expect(answer.misfit()).toBeUndefined()
    expect(() => answer.end(undefined)).toThrow('ended too early')
  })

  it.each<[HttpFormatName, string, boolean | undefined]>([
    ['ag-ui', '{"text": "Hi', true],
    ['openai-chat', '{"choices": [', undefined],
    ['openai-chat', '<!doctype html><p>Loading', true],
    ['openai-chat', 'Thinking about it', false],
  ])('is seen in a body that is not declared as a stream: %s, %s', (format, begin, isFinal) => {
    const answer = beginAnswer(format, 'text/plain')
    answer.push(Buffer.from(begin))
    expect(answer.misfit()?.isFinal).toBe(isFinal)
  })
})
