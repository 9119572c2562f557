import { describe, expect, test } from 'vitest'
import type { Data } from '../results/transcript/message.ts'
import { createResponseDraft } from './openai-responses-draft.ts'

const message = (...content: Data[]) => ({ type: 'message', role: 'assistant', content })

describe('a streamed response', () => {
  const added = (output_index: number, item: Data) => ({
    type: 'response.output_item.added',
    output_index,
    item,
  })
  const completed = (response: Data) => ({ type: 'response.completed', response })

  function assemble(...events: Data[]): Data {
    const draft = createResponseDraft()
    for (const event of events) draft.add(event)
    return draft.whole()
  }

  test('is the response of its last event', () => {
    const output = [message({ type: 'output_text', text: 'all' })]
    const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'a' }
    expect(assemble(added(0, message()), delta, completed({ id: 'r', output }))).toEqual({
      status: 'completed',
      id: 'r',
      output,
    })
  })

  test('is assembled from its pieces where the last event repeats nothing', () => {
    const text = (content_index: number, delta: string) => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index,
      delta,
    })
    const piece = (delta: string) => ({
      type: 'response.function_call_arguments.delta',
      output_index: 1,
      delta,
    })
    const call = { type: 'function_call', name: 'find', call_id: 'c', arguments: '' }
    const refusal = { type: 'response.refusal.delta', output_index: 2, content_index: 0, delta: 'No' }
    const events = [added(0, message()), text(0, 'Hel'), text(0, 'lo'), text(1, '!'), added(1, call)]
    const more = [
      piece('{"a"'),
      piece(':1}'),
      added(2, message()),
      refusal,
      completed({ status: 'completed' }),
    ]
    expect(assemble(...events, ...more)).toEqual({
      status: 'completed',
      output: [
        message({ type: 'output_text', text: 'Hello' }, { type: 'output_text', text: '!' }),
        { ...call, arguments: '{"a":1}' },
        message({ type: 'refusal', refusal: 'No' }),
      ],
    })
  })

  test('has the text of items without an index', () => {
    const draft = createResponseDraft()
    draft.add({ type: 'response.output_item.added', item: message() })
    draft.add({ type: 'response.output_text.delta', delta: 'Hel' })
    draft.add({ type: 'response.output_text.delta', delta: 'lo' })
    expect(draft.text()).toBe('Hello')
  })

  test.each<[string, Data[]]>([
    [
      'deltas',
      [
        { type: 'response.output_text.delta', delta: 'Hel' },
        { type: 'response.output_text.delta', delta: 'lo' },
      ],
    ],
    [
      'a delta and the whole text',
      [
        { type: 'response.output_text.delta', delta: 'Hel' },
        { type: 'response.output_text.done', text: 'Hello' },
      ],
    ],
    [
      'the whole text',
      [{ type: 'response.output_text.done', output_index: 3, content_index: 0, text: 'Hello' }],
    ],
  ])('has the text of an item that never began: %s', (_, events) => {
    const empty = completed({ status: 'completed', output: [] })
    const { output } = assemble(...events, empty)
    expect(output).toEqual([message({ type: 'output_text', text: 'Hello' })])
  })

  test('has the call of an item that never began', () => {
    const done = {
      type: 'response.function_call_arguments.done',
      item_id: 'fc_1',
      name: 'pay',
      arguments: '{"amount":3}',
    }
    const { output } = assemble(
      { ...done, type: 'response.function_call_arguments.delta', delta: '{' },
      done,
      completed({}),
    )
    expect(output).toEqual([
      { type: 'function_call', call_id: 'fc_1', name: 'pay', arguments: '{"amount":3}' },
    ])
  })

  describe('without indexes', () => {
    const delta = (delta: string, fields: Data = {}) => ({
      type: 'response.output_text.delta',
      delta,
      ...fields,
    })
    const done = (text: string, fields: Data = {}) => ({
      type: 'response.output_text.done',
      text,
      ...fields,
    })
    const piece = { type: 'response.function_call_arguments.delta', delta: '{"a"' }
    const complete = { type: 'response.function_call_arguments.done', arguments: '{"a":1}' }
    const text = message({ type: 'output_text', text: 'A' })
    const call = (id: string | undefined, name: string) => ({
      type: 'function_call',
      ...(id === undefined ? {} : { call_id: id }),
      name,
      arguments: '{"a":1}',
    })
    const [m1, f1, f2] = ['m1', 'f1', 'f2'].map((item_id) => ({ item_id }))
    const callEvents = (id: Data | undefined, name: string) => [
      { ...piece, ...id },
      { ...complete, ...id, name },
    ]
    const named = { type: 'message', role: 'assistant', id: 'm1' }
    const add = (item: Data) => ({ type: 'response.output_item.added', item })
    const end = (item: Data) => ({ type: 'response.output_item.done', item })

    test.each<[string, Data[], Data[]]>([
      ['a text and a call', [delta('A', m1), ...callEvents(f1, 'foo')], [text, call('f1', 'foo')]],
      ['a call and a text', [...callEvents(f1, 'foo'), delta('A', m1)], [call('f1', 'foo'), text]],
      [
        'pieces of two calls in turn',
        [
          { ...piece, ...f1 },
          { ...piece, ...f2 },
          { ...complete, ...f1, name: 'foo' },
          { ...complete, ...f2, name: 'bar' },
        ],
        [call('f1', 'foo'), call('f2', 'bar')],
      ],
      [
        'a text and two calls without ids',
        [delta('A'), ...callEvents({}, 'foo'), ...callEvents({}, 'bar')],
        [text, call(undefined, 'foo'), call(undefined, 'bar')],
      ],
      [
        'items that have begun, and pieces with their ids',
        [
          add(named),
          add({ type: 'function_call', id: 'f1', name: 'foo' }),
          delta('A', m1),
          ...callEvents(f1, ''),
        ],
        [
          { ...text, id: 'm1' },
          { type: 'function_call', id: 'f1', name: 'foo', arguments: '{"a":1}' },
        ],
      ],
      [
        'an item without an id, and pieces with one',
        [add({ type: 'message', role: 'assistant' }), delta('A', m1)],
        [text],
      ],
      [
        'whole items, and their pieces before',
        [
          delta('B', m1),
          ...callEvents(f1, 'bar'),
          end({ ...text, id: 'm1' }),
          end({ ...call('f1', 'foo'), id: 'f1' }),
        ],
        [
          { ...text, id: 'm1' },
          { ...call('f1', 'foo'), id: 'f1' },
        ],
      ],
      ['only whole items', [end(text), end(text)], [text, text]],
      ['a whole item, and the pieces of the next one', [end(text), delta('A', m1)], [text, text]],
    ])('has all items: %s', (_, events, output) => {
      expect(assemble(...events, completed({})).output).toEqual(output)
    })

    test('has every part of an item', () => {
      const parts = [
        { type: 'output_text', text: 'A' },
        { type: 'output_text', text: 'BC' },
        { type: 'refusal', refusal: 'No' },
      ]
      const refusal = { type: 'response.refusal.delta', delta: 'No' }
      for (const id of [{}, m1]) {
        const events = [delta('A', id), done('A', id), delta('B', id), done('BC', id), { ...refusal, ...id }]
        expect(assemble(...events, completed({})).output).toEqual([message(...parts)])
      }
    })
  })

  test('has the items as they were when they were done', () => {
    const item = message({ type: 'output_text', text: 'Hello' })
    const done = { type: 'response.output_item.done', output_index: 0, item }
    const delta = { type: 'response.output_text.delta', output_index: 0, delta: 'Hel' }
    expect(assemble(added(0, message()), delta, done, completed({})).output).toEqual([item])
  })

  test('is not made huge by the indexes of a server', () => {
    const delta = { type: 'response.output_text.delta', output_index: 2 ** 31, content_index: 2 ** 31 }
    const events = [added(2 ** 31, message()), { ...delta, delta: 'a' }, { ...delta, delta: 'b' }]
    const parts = [
      { type: 'output_text', text: 'a' },
      { type: 'output_text', text: 'b' },
    ]
    expect(assemble(...events, completed({})).output).toEqual([message(...parts)])
  })

  test('has the status of the event that ended it', () => {
    expect(assemble({ type: 'response.failed' })).toEqual({ status: 'failed' })
    expect(assemble(completed({ status: 'incomplete' }))).toEqual({ status: 'incomplete' })
  })
})
