import { describe, expect, it } from 'vitest'
import { matchUri, readQuery } from './uri-template.ts'

describe('a URI template', () => {
  it.each<[string, string, Record<string, string> | undefined]>([
    ['echo://info', 'echo://info', {}],
    ['echo://info', 'echo://info/more', undefined],
    ['echo://info', 'echo://inf', undefined],
    ['customers://{id}', 'customers://7', { id: '7' }],
    ['customers://{id}', 'customers://', { id: '' }],
    ['customers://{id}', 'orders://7', undefined],
    ['file://{path}', 'file:///home/notes.txt', { path: '/home/notes.txt' }],
    ['customers://{id}/orders', 'customers://7/orders', { id: '7' }],
    ['customers://{id}/orders', 'customers://7/orders/8', undefined],
    ['customers://{id}/orders/{order}', 'customers://7/orders/8/9', { id: '7', order: '8/9' }],
    ['echo://health?check={check}', 'echo://health?check=all', { check: 'all' }],
    ['echo://health?check={check}', 'echo://health', undefined],
    ['a{x}b{y}b', 'abb', { x: '', y: '' }],
    ['a{x}b{y}b', 'ab', undefined],
    ['ab{x}ba', 'aba', undefined],
    ['{x}{y}', 'ab', { x: '', y: 'ab' }],
    ['{__proto__}', 'a', JSON.parse('{"__proto__": "a"}')],
    ['customers://{id', 'customers://7', undefined],
    ['customers://%7B{id}', 'customers://%7Ba%20b', { id: 'a%20b' }],
  ])('%s matched with %s', (template, uri, values) => {
    expect(matchUri(template, uri)).toEqual(values)
  })

  it('reads the query of a URI', () => {
    expect(readQuery('echo://health?check=all&deep=a=b&empty=&flag&=x')).toEqual({
      check: 'all',
      deep: 'a=b',
      empty: '',
    })
    expect(readQuery('echo://health')).toEqual({})
  })
})
