import { describe, expect, it } from 'vitest'
import { createMessaging, createTrace, type Send } from './messaging.ts'

function lines() {
  const printed: string[] = []
  return { printed, print: (line: string) => void printed.push(line) }
}

describe('messages that are sent', () => {
  it('are logged, with their own ids', () => {
    const { printed, print } = lines()
    const {
      Send,
      SendStream,
      Append,
      Replace,
      Merge,
      Set: put,
      End,
      EndBlock,
      MessageID,
      BlockID,
      ThreadID,
    } = createMessaging(print)
    expect(Send('hello')).toBe('M1')
    expect(SendStream({ type: 'text' }, 'B9')).toBe('M2')
    expect([MessageID(), BlockID(), ThreadID(), MessageID()]).toEqual(['M3', 'B1', 'T1', 'M4'])
    for (const change of [Append, Replace, Merge, put, End, EndBlock])
      expect(change('M2', { a: 1 })).toBe('M2')
    expect(End('M2')).toBe('M2')
    expect(printed).toEqual([
      'ctx.Send M1 hello',
      "ctx.SendStream M2 { type: 'text' } B9",
      ...['Append', 'Replace', 'Merge', 'Set', 'End', 'EndBlock'].map((verb) => `ctx.${verb} M2 { a: 1 }`),
      'ctx.End M2',
    ])
  })

  it('may be anything', () => {
    const { printed, print } = lines()
    const { Send } = createMessaging(print)
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    for (const value of [null, 1n, Symbol('s'), cycle, new Map([[1, 2]])]) Send(value)
    expect(printed).toEqual([
      'ctx.Send M1 null',
      'ctx.Send M2 1n',
      'ctx.Send M3 Symbol(s)',
      'ctx.Send M4 <ref *1> { self: [Circular *1] }',
      'ctx.Send M5 Map(1) { 1 => 2 }',
    ])
  })
})

describe('the text that the user reads', () => {
  function texts() {
    const told = new Map<string, string>()
    const send: Send = (id, change) =>
      told.set(id, 'text' in change ? change.text : (told.get(id) ?? '') + change.more)
    return { told, ...createMessaging(() => {}, send) }
  }

  it('is that of the messages, whole or in pieces', () => {
    const { told, Send, SendStream, Append, Replace, Merge, Set: put, End } = texts()
    Send('Hello')
    Send({ type: 'text', props: { content: 'World' } })
    const streamed = SendStream({ type: 'text', props: { content: 'a' } })
    Append(streamed, 'b')
    Append(streamed, { props: { content: 'c' } }, 'props.content')
    Append(streamed, 'elsewhere', 'props.data')
    End(streamed, 'd')
    const replaced = SendStream('draft')
    Replace(replaced, 'final')
    const merged = SendStream('x')
    Merge(merged, { props: { content: 'y' } })
    const set = SendStream('x')
    put(set, 'z', 'props.content')
    expect([...told.values()]).toEqual(['Hello', 'World', 'abcd', 'final', 'y', 'z'])
  })

  it('contains nothing of progress, pictures and actions', () => {
    const { told, Send, SendStream, Replace } = texts()
    Send({ type: 'loading', props: { message: 'wait' } })
    Send({ type: 'image', props: { content: 'x', url: 'y' } })
    Send({ type: 'action', props: { name: 'run' } })
    for (const odd of [null, undefined, 7, [], { props: null }, { type: 'text' }]) Send(odd)
    expect([...told.values()].join('')).toBe('')
    const loading = SendStream({ type: 'loading', props: { message: 'wait' } })
    Replace(loading, { type: 'text', props: { content: 'done' } })
    expect(told.get(loading)).toBe('done')
  })

  it('continues with the ids of the turn', () => {
    const { Send, MessageID } = createMessaging(
      () => {},
      () => {},
      3,
    )
    expect([Send('a'), MessageID()]).toEqual(['M4', 'M5'])
  })

  it('is limited in size', () => {
    let told = 0
    const { SendStream, Append } = createMessaging(
      () => {},
      (_, change) => {
        told += Object.values(change).join('').length
      },
    )
    const id = SendStream('')
    for (let index = 0; index < 3000; index += 1) Append(id, 'x'.repeat(1000))
    expect(told).toBeGreaterThan(1_000_000)
    expect(told).toBeLessThan(1_100_000)
  })

  it('has the id that was given to it', () => {
    const { told, Send } = texts()
    expect(Send({ type: 'text', message_id: 'mine', props: { content: 'a' } })).toBe('mine')
    expect(told.get('mine')).toBe('a')
  })
})

describe('a trace', () => {
  it('is logged node by node', () => {
    const { printed, print } = lines()
    const trace = createTrace(print)
    const node = trace.Add({ query: 1 }, { label: 'Looking' })
    expect(node).toMatchObject({ id: 'N1', ID: 'N1' })
    const [first, second] = trace.Parallel([{ input: 'a' }, { input: 'b', option: { label: 'B' } }])
    expect([first?.id, second?.id]).toEqual(['N2', 'N3'])
    trace.Info('top')
    const methods = node as Record<string, (...args: unknown[]) => unknown>
    methods.Debug?.({ a: 1 })
    methods.SetOutput?.('out')
    methods.SetMetadata?.('key', 1)
    methods.Complete?.()
    methods.Fail?.(new Error('broken').message)
    expect(methods.Add?.('child')).toMatchObject({ id: 'N4' })
    expect(printed).toEqual([
      'ctx.trace N1 Looking { query: 1 }',
      'ctx.trace N2 a',
      'ctx.trace N3 B b',
      'ctx.trace info: top',
      'ctx.trace N1 debug: { a: 1 }',
      'ctx.trace N1 output: out',
      'ctx.trace N1 key: 1',
      'ctx.trace N1 complete',
      'ctx.trace N1 failed: broken',
      'ctx.trace N4 child',
    ])
  })
})
