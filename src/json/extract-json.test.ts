import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractJson, extractOrRepairJson } from './extract-json.ts'

describe('extractJson', () => {
  it('reads a text that is JSON with whitespace around it', () => {
    for (const text of ['{"a":1}', ' [1, 2]\n', '42', '"x"', 'null', 'true']) {
      expect(extractJson(text)).toEqual({ value: JSON.parse(text) })
    }
  })

  it('finds nothing in plain words or an empty text', () => {
    for (const text of [
      '',
      ' ',
      'hello',
      'a {b} c',
      '[see below]',
      'x = {',
      '}',
      ']{',
      '"open',
      'undefined',
    ]) {
      expect(extractJson(text), text).toBeUndefined()
    }
  })

  it.each([
    ['a tagged block', 'Here:\n```json\n{"a": 1}\n```\nDone.'],
    ['a block with CRLF', 'Here:\r\n```JSON\r\n{"a": 1}\r\n```\r\n'],
    ['an untagged block', '```\n{"a": 1}\n```'],
    ['a block of tildes', '~~~json\n{"a": 1}\n~~~'],
    ['an indented block', '- item\n  ```json\n  {"a": 1}\n  ```'],
    ['a block that is never closed', '```json\n{"a": 1}'],
    ['a fence on one line', 'so: ```json {"a": 1} ```'],
    ['a block in another language', '```js\nconst x = {"a": 1}\n```'],
  ])('finds JSON in %s', (_place, text) => {
    expect(extractJson(text)).toEqual({ value: { a: 1 } })
  })

  it('prefers the first block tagged json, wherever it is', () => {
    expect(extractJson('```\n{"a": 0}\n```\n```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```')).toEqual({
      value: { a: 1 },
    })
  })

  it('tries the next block when one is not JSON', () => {
    expect(extractJson('```json\n{"a": …}\n```\n```json\n{"a": 1}\n```')).toEqual({ value: { a: 1 } })
  })

  it('keeps backticks inside the JSON of a block', () => {
    const value = { code: 'x\n```js\ny\n```' }
    expect(extractJson(`\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``)).toEqual({ value })
  })

  it.each([
    ['The result is {"a": {"b": [1, "}"]}} as asked.', { a: { b: [1, '}'] } }],
    ['Use {name} or {"a": "\\"{"} here', { a: '"{' }],
    ['He said "{" and then {"a": 1}', { a: 1 }],
    ['list: [{"a": 1}, {"a": 2}] and {"b": 1}', [{ a: 1 }, { a: 2 }]],
    ['{not json} {"a": 1}', { a: 1 }],
    ['[a link](http://x) {"a": 1}', { a: 1 }],
  ])('finds the first value in the prose %j', (text, value) => {
    expect(extractJson(text)).toEqual({ value })
  })

  it('uses footnotes and tick boxes as JSON only when there is nothing better', () => {
    expect(extractJson('As known [1], [2, 3] and [ ]: {"a": 1}')).toEqual({ value: { a: 1 } })
    expect(extractJson('The numbers are [1, 2].')).toEqual({ value: [1, 2] })
  })

  it('does not return a part of an incomplete reply', () => {
    expect(extractJson('{"items": [{"id": 1}, {"id": 2}, {"i')).toBeUndefined()
    expect(extractJson('Here: {"items": [{"id": 1}')).toBeUndefined()
  })

  it('handles a __proto__ key safely', () => {
    const found = extractJson('{"__proto__": {"polluted": true}}')
    expect(Object.hasOwn(found?.value as object, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('rejects data that is nested too deeply', () => {
    expect(extractJson('['.repeat(500) + ']'.repeat(500))).toBeDefined()
    expect(extractJson('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined()
  })

  const container = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
    fc.array(fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())), { minLength: 1 }),
  )
  const prose = fc.string().map((text) => text.replace(/[{[`~]/g, ''))

  it('returns any JSON, however it is formatted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(extractJson(text)).toEqual({ value: JSON.parse(text) })
        expect(extractJson(`Well,\n\`\`\`json\n${text}\n\`\`\`\nthat is it.`)).toEqual({
          value: JSON.parse(text),
        })
      }),
    )
  })

  it('returns any object or array from prose', () => {
    fc.assert(
      fc.property(prose, container, prose, (before, value, after) => {
        const text = JSON.stringify(value)
        expect(extractJson(`So ${before} ${text} ${after}`)).toEqual({ value: JSON.parse(text) })
      }),
    )
  })

  it('finds the same with repairs when the text has valid JSON', () => {
    fc.assert(
      fc.property(prose, container, prose, (before, value, after) => {
        const text = JSON.stringify(value)
        for (const reply of [text, `So ${before} ${text} ${after}`, `So\n\`\`\`json\n${text}\n\`\`\``])
          expect(extractOrRepairJson(reply)).toEqual({ ...extractJson(reply), repairs: [] })
      }),
    )
  })

  it('never throws', () => {
    const noise = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '\\', '`', '\n', 'a', '-'),
    })
    fc.assert(
      fc.property(noise, (text) => void [extractJson(text), extractOrRepairJson(text)]),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['opening braces', '{'.repeat(1_000_000)],
    ['opening brackets', '['.repeat(1_000_000)],
    ['brackets with an end that spoils them', `${'['.repeat(400)}x`.repeat(2_500)],
    ['half objects', '{"a":'.repeat(200_000)],
    ['half objects with an error', `${'{"a":'.repeat(200_000)}x`],
    ['a long string of quotes', '{"'.repeat(500_000)],
    ['footnotes', '[1]'.repeat(330_000)],
    ['empty objects', '{}'.repeat(500_000)],
    ['fences', '```\n'.repeat(250_000)],
    ['backticks', '`'.repeat(1_000_000)],
    ['escapes', `{"${'\\'.repeat(1_000_000)}`],
    ['a long number', `[${'1'.repeat(1_000_000)}`],
    ['spaces', `{${' '.repeat(1_000_000)}`],
  ])('is fast for a megabyte of %s', (_what, text) => {
    extractJson(text)
    extractOrRepairJson(text)
  })
})
