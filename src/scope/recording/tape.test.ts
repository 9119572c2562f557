import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../../errors.ts'
import type { FoundCall, Layer, RecordedCall, TapeCall, TapeData } from '../tape.ts'
import { callFromLine } from './line.ts'
import { MemoryTape } from './tape.ts'

const call = (layer: Layer, request: unknown, response?: unknown): RecordedCall => ({
  layer,
  target: 'x',
  request,
  startedMs: 0,
  durationMs: 1,
  ...(response !== undefined && { response }),
})
const ask = (layer: Layer, request: unknown, isCode = false): TapeCall => ({
  layer,
  target: 'x',
  request,
  isCode,
})

/** Records the calls, so that they can be found again. */
function recorded(calls: readonly RecordedCall[]): FoundCall[] {
  const tape = new MemoryTape({ keeps: 'all' }, (each) => each)
  for (const each of calls) {
    const keep = tape.take(each)
    if (typeof keep === 'function') keep(each)
  }
  return tape.kept().calls.map((json) => callFromLine(JSON.parse(json)))
}

function tape(calls: RecordedCall[], rules: TapeData['rules'], keeps: TapeData['keeps'] = 'none') {
  return new MemoryTape(
    { recorded: { times: [], calls: recorded(calls) }, keeps, ...(rules && { rules }) },
    (each) => each,
  )
}

function answer(taken: ReturnType<MemoryTape['take']>): unknown {
  return typeof taken === 'object' ? taken.response : taken
}

const strict = { live: [], missing: 'error' } as const
const liveModel = { live: ['model'], missing: 'error' } as const

describe('MemoryTape', () => {
  it('answers a call by its request, whatever the order of keys, each recorded call once', () => {
    const own = tape(
      [call('tools', { a: 1, b: 2 }, 'first'), call('tools', { a: 1, b: 2 }, 'second')],
      strict,
    )
    expect(answer(own.take(ask('tools', { b: 2, a: 1 })))).toBe('first')
    expect(answer(own.take(ask('tools', { a: 1, b: 2 })))).toBe('second')
    expect(() => own.take(ask('tools', { a: 1, b: 2 }))).toThrow(
      'it was recorded 2 times in this case, and this is one more',
    )
  })

  it('refuses a call that is not recorded, naming what differs from the nearest one', () => {
    const own = tape(
      [call('model', { messages: ['Hello'], seed: 1 }), call('model', { messages: ['Bye'] })],
      strict,
    )
    expect(() => own.take(ask('model', { messages: ['Hallo'], seed: 1 }))).toThrow(InfrastructureError)
    expect(own.kept().missing).toEqual([
      'the call of the model (x) differs from the nearest recorded one in messages[0]: recorded "Hello", now "Hallo"',
    ])
    expect(() => own.take(ask('judge', {}))).toThrow('a judge (x): this case was recorded without one')
  })

  it('lets a live layer go out, and the user say what was recorded next, whatever was said to them', () => {
    const own = tape([call('simulator', { turn: 1 }, 'hi'), call('simulator', { turn: 2 }, 'bye')], liveModel)
    expect(own.take(ask('model', 'new'))).toBeUndefined()
    expect(answer(own.take(ask('simulator', { turn: 1, changed: true })))).toBe('hi')
    expect(answer(own.take(ask('simulator', { turn: 2 })))).toBe('bye')
    expect(() => own.take(ask('simulator', { turn: 3 }))).toThrow('this is one more')
  })

  it('lets the user say nothing else than recorded when nothing is live', () => {
    const own = tape([call('simulator', { persona: 'calm' }, 'hi')], strict)
    expect(() => own.take(ask('simulator', { persona: 'angry' }))).toThrow(
      'persona: recorded "calm", now "angry"',
    )
  })

  it('runs code that is given something new when something is live, and never answers it with another call', () => {
    expect(tape([call('script', [1], 'old')], liveModel).take(ask('script', [2], true))).toBeUndefined()
    expect(() => tape([call('script', [1], 'old')], strict).take(ask('script', [2], true))).toThrow(
      '[0]: recorded "1", now "2"',
    )
  })

  it('answers a script around the run for any part of the run, unless its code has changed', () => {
    const calls = recorded([{ ...call('script', ['a', 'b'], 'ready'), depends: 'code' }])
    const around = (rules: TapeData['rules']) =>
      new MemoryTape(
        { recorded: { times: [], calls }, keeps: 'none', isAroundRun: true, ...(rules && { rules }) },
        (each) => each,
      )
    const asked = { ...ask('script', ['a'], true), depends: 'code' }
    expect(answer(around(strict).take(asked))).toBe('ready')
    expect(() => around(strict).take({ ...asked, depends: 'other code' })).toThrow('not in the recording')
    expect(around(liveModel).take(asked)).toBeUndefined()
  })

  it('never takes the verdict of a judge on another reply', () => {
    const own = tape([call('judge', { reply: 'good' }, 'passed')], liveModel)
    expect(() => own.take(ask('judge', { reply: 'bad' }))).toThrow('not in the recording')
  })

  it('keeps what was missing where that may go out, and nothing that was found', () => {
    const own = tape([call('tools', 1, 'one')], { live: [], missing: 'live' }, 'missing')
    expect(answer(own.take(ask('tools', 1)))).toBe('one')
    const keep = own.take(ask('tools', 2))
    if (typeof keep === 'function') keep(call('tools', 2, 'two'))
    expect(own.kept().calls.map((json) => JSON.parse(json).response)).toEqual(['two'])
  })

  it('answers a call only if the other side can see the same, and one of an earlier version whatever it sees', () => {
    const seen = { ...call('script', 1), sees: { level: 1 } }
    const kept = new MemoryTape({ keeps: 'all' }, (each) => each)
    const keep = kept.take(seen)
    if (typeof keep === 'function') keep(call('script', 1, 'old'))
    const calls = kept.kept().calls.map((json) => callFromLine(JSON.parse(json)))
    const replayed = () =>
      new MemoryTape({ recorded: { times: [], calls }, keeps: 'none', rules: strict }, (each) => each)
    expect(answer(replayed().take(seen))).toBe('old')
    expect(() => replayed().take({ ...seen, sees: { level: 2 } })).toThrow(
      'the code that answers, or what else it can see: earlier messages, the user, metadata, headers, variables or memory',
    )
    expect(answer(tape([call('script', 1, 'old')], strict).take({ ...seen, sees: { level: 2 } }))).toBe('old')
  })

  it('keeps a call whose answer is no JSON as one that cannot be answered again', () => {
    const own = new MemoryTape({ keeps: 'all' }, (each) => each)
    const keep = own.take(ask('judge', 1))
    if (typeof keep === 'function') keep(call('judge', 1, { big: 1n }))
    const [kept] = own.kept().calls.map((json) => JSON.parse(json))
    expect(kept).toMatchObject({ request: 1, error: { kind: 'not_recorded' } })
    expect(kept.error.message).toContain('the answer of x could not be recorded')
  })

  it('asks a server live only if nothing before it was answered from a recording, within code too', () => {
    const hook = { ...call('agent', 'add 5', 'done'), innerContinues: ['counter'] }
    const lenient = { live: [], missing: 'live' } as const
    const add = (request: string) => ({ ...ask('tools', request), continues: 'counter' })
    const changed = tape([hook], lenient, 'missing')
    expect(answer(changed.take(ask('agent', 'add 5', true)))).toBe('done')
    expect(() => changed.take(add('add 3'))).toThrow('counter does not know the calls before it')
    const fresh = tape([hook], lenient, 'missing')
    expect(fresh.take(add('add 3'))).toBeTypeOf('function')
    expect(fresh.take(ask('agent', 'add 5', true))).toBeTypeOf('function')
  })

  it('keeps an answer as it was, even if it is changed later', () => {
    const own = new MemoryTape({ keeps: 'all' }, (each) => each)
    const response = { said: ['a'] }
    const keep = own.take(ask('tools', 1))
    if (typeof keep === 'function') keep(call('tools', 1, response))
    response.said.push('b')
    expect(JSON.parse(own.kept().calls[0] ?? '').response).toEqual({ said: ['a'] })
  })

  it('gives the session and the times of the recording again, in their order', () => {
    const play = { sessionId: 's-1', times: ['2026-01-02T03:04:05.000Z'], calls: [] }
    const own = new MemoryTape({ recorded: play, keeps: 'none', rules: strict }, (each) => each)
    expect(own.session('new')).toBe('s-1')
    expect(own.now().instant.toISOString()).toBe('2026-01-02T03:04:05.000Z')
    expect(own.now().instant.getTime()).toBeGreaterThan(Date.parse('2026-01-02T03:04:05.000Z'))
  })

  it('keeps the instant and the zone of a time that was shown, and shows both again', () => {
    const shown = '2026-01-02T03:04:05.000+09:00[Asia/Tokyo]'
    const own = new MemoryTape(
      { recorded: { times: [shown], calls: [] }, keeps: 'all', rules: strict },
      (each) => each,
    )
    const instant = new Date('2026-01-01T18:04:05.000Z')
    expect(own.now()).toEqual({ instant, offsetMinutes: 540, zone: 'Asia/Tokyo' })
    expect(own.kept().times).toEqual([shown])
  })

  it('keeps what answers a call under the request of that call, so that the new recording answers it again', () => {
    const own = tape([call('simulator', { turn: 1 }, 'hi')], liveModel, 'all')
    expect(answer(own.take(ask('simulator', { turn: 1, changed: true })))).toBe('hi')
    const calls = own.kept().calls.map((json) => callFromLine(JSON.parse(json)))
    const again = new MemoryTape(
      { recorded: { times: [], calls }, keeps: 'none', rules: strict },
      (each) => each,
    )
    expect(answer(again.take(ask('simulator', { turn: 1, changed: true })))).toBe('hi')
  })

  it('gives the time again that each reply took, unless a call of it was live', () => {
    const play = { times: [], replies: [250.25, 40], calls: [] }
    const own = new MemoryTape({ recorded: play, keeps: 'all', rules: liveModel }, (each) => each)
    expect([own.reply(3, false), own.reply(7.777, true), own.reply(9, false)]).toEqual([250.25, 7.78, 9])
    expect(own.kept().replies).toEqual([250.25, 7.78, 9])
  })

  it('never takes the verdict of a judge on another reply, however alike they look without private data', () => {
    const own = new MemoryTape(
      {
        recorded: { times: [], calls: recorded([call('judge', '$120', 'passed')]).map(masked) },
        keeps: 'none',
        rules: liveModel,
      },
      (each) => each,
    )
    expect(() => own.take(ask('judge', '$999'))).toThrow('not in the recording')
    expect(answer(own.take(ask('judge', '$120')))).toBe('passed')
  })

  it('gives equal calls that overlapped the answers of their order, not of their ends', () => {
    const own = new MemoryTape({ keeps: 'all' }, (each) => each)
    const [first, second] = [own.take(ask('tools', 1)), own.take(ask('tools', 1))]
    if (typeof second === 'function') second(call('tools', 1, 'second'))
    if (typeof first === 'function') first(call('tools', 1, 'first'))
    expect(own.kept().calls.map((json) => JSON.parse(json).response)).toEqual(['first', 'second'])
  })

  it('runs code that was recorded with a call of a layer that is live now', () => {
    const inner = [{ ...call('agent', 1, 'old'), inner: ['model' as const] }]
    expect(tape(inner, liveModel).take(ask('agent', 1, true))).toBeUndefined()
    expect(answer(tape(inner, strict).take(ask('agent', 1, true)))).toBe('old')
  })

  it('answers a conversation that the other side remembers from one source only', () => {
    const turns = [call('agent', 'tea', 1), call('agent', 'cake', 2), call('agent', 'total', 3)]
    const lenient = { live: [], missing: 'live' } as const
    const turn = (request: string) => ({ ...ask('agent', request), continues: 'bot' })
    const changed = tape(turns, lenient, 'missing')
    expect(answer(changed.take(turn('tea')))).toBe(1)
    expect(() => changed.take(turn('scone'))).toThrow('record the case again')
    const fresh = tape(turns, lenient, 'missing')
    expect(fresh.take(turn('coffee'))).toBeTypeOf('function')
    expect(fresh.take(turn('cake'))).toBeTypeOf('function')
  })
})

describe('MemoryTape and what calls have changed', () => {
  const at = (startedMs: number, recordedCall: RecordedCall): RecordedCall => ({ ...recordedCall, startedMs })
  const add = at(0, { ...call('tools', 'add', 'ok'), follows: 'cart' })
  const get = at(10, { ...call('tools', 'get', 'tea'), follows: 'cart' })
  const look = at(20, call('script', 'look', 'full'))
  const asking = (request: string) => ({ ...ask('tools', request), follows: 'cart' })
  const looking = { ...ask('script', 'look', true), observes: true as const }

  it('answers a call only after those that it was recorded after', () => {
    const own = tape([add, get], liveModel)
    expect(() => own.take(asking('get'))).toThrow(
      'the call of a tool (x) was recorded after the call of a tool (x), which is not made now',
    )
    expect(answer(own.take(asking('add')))).toBe('ok')
    expect(answer(own.take(asking('get')))).toBe('tea')
  })

  it('accepts calls in another order that had overlapped, and those of another side', () => {
    const overlapping = tape([{ ...add, durationMs: 50 }, get], liveModel)
    expect(answer(overlapping.take(asking('get')))).toBe('tea')
    const other = tape([{ ...add, follows: 'stock' }, get], liveModel)
    expect(answer(other.take(asking('get')))).toBe('tea')
  })

  it('answers a look at what was done only if the same was done', () => {
    const own = tape([add, look], liveModel)
    own.take(asking('add'))
    expect(answer(own.take(looking))).toBe('full')
    const part = tape([add, get, look], liveModel)
    part.take(asking('add'))
    expect(() => part.take(looking)).toThrow('a script (x) was recorded after the call of a tool (x), which')
    // Nothing was done at all: that can be seen.
    expect(tape([add, look], liveModel).take(looking)).toBeUndefined()
    expect(() => tape([add, look], strict).take(looking)).toThrow('which is not made now')
  })

  it('looks at what was done live, and never at what was done in the recording only', () => {
    const live = tape([add, look], { live: ['tools'], missing: 'error' })
    live.take(asking('add'))
    expect(live.take(looking)).toBeUndefined()
    const mixed = tape([add, { ...look, request: 'another look' }], { live: ['script'], missing: 'error' })
    mixed.take(asking('add'))
    expect(() => mixed.take(looking)).toThrow('not in the recording')
  })

  it('keeps no look as a call that others follow from', () => {
    const own = tape([at(0, { ...call('tools', 'get', 'tea') }), at(5, { ...get, request: 'sum' })], strict)
    expect(answer(own.take(asking('sum')))).toBe('tea')
  })
})

function masked(found: FoundCall): FoundCall {
  return { ...found, request: '[masked]' }
}
