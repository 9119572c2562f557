import { describe, expect, it } from 'vitest'
import { toolOutcome } from './mcp-result.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const

describe('the outcome of an MCP call', () => {
  it.each([
    ['structured content before text', { content: [text('3')], structuredContent: { sum: 3 } }, { sum: 3 }],
    ['an object in the text', { content: [text(' {"a": [1]} ')] }, { a: [1] }],
    ['an object over several blocks', { content: [text('{"a":'), text('1}')] }, { a: 1 }],
    ['text that only begins like JSON', { content: [text('[see below]')] }, '[see below]'],
    ['a number as the text it is', { content: [text('42')] }, '42'],
    ['all texts, line by line', { content: [text('one'), text('two')] }, 'one\ntwo'],
    ['nothing', { content: [] }, ''],
    ['the kind of a picture', { content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }] }, '[image]'],
    [
      'the text of a resource',
      { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'hi' } }] },
      'hi',
    ],
  ] as const)('is %s', (_, answer, result) => {
    expect(toolOutcome({ ...answer, content: [...answer.content] })).toEqual({ result })
  })

  it('is the error that the tool tells', () => {
    expect(toolOutcome({ content: [text('no such order')], isError: true })).toEqual({
      error: 'no such order',
    })
    expect(toolOutcome({ content: [], isError: true }).error).toContain('failed')
  })
})
