import fastCheck from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repairArguments } from './repair-arguments.ts'

const megabyte = 1_000_000

describe('repairArguments', () => {
  it.each<[string, string, unknown]>([
    ['in a code fence', '```json\n{"a": 1}\n```', { a: 1 }],
    ['in a fence without a language', '```\n{"a": 1}\n```', { a: 1 }],
    ['in a fence on one line', '```json {"a": 1}```', { a: 1 }],
    ['in a fence of four', '````json\n{"a": "```"}\n````', { a: '```' }],
    ['in a fence that does not end', '```json\n{"a": 1}', { a: 1 }],
    ['in a fence, cut off', '```json\n{"a": [1', { a: [1] }],
    ['with white space around', '\n  {"a": 1}  \n', { a: 1 }],
    ['with a trailing comma', '{"a": 1,}', { a: 1 }],
    ['with trailing commas inside', '{"a": [1, 2,], "b": {"c": 3,},}', { a: [1, 2], b: { c: 3 } }],
    ['with a comment at the end of a line', '{"a": 1, // one\n "b": 2}', { a: 1, b: 2 }],
    ['with a comment between', '{/* first */ "a": /* one */ 1 /**/}', { a: 1 }],
    ['with a comment before and after', '// call\n{"a": 1} // done', { a: 1 }],
    ['with a comment between a comma and the end', '{"a": 1, /* that is all */}', { a: 1 }],
    ['without its last bracket', '{"a": {"b": [1, 2]', { a: { b: [1, 2] } }],
    [
      'without a bracket before another',
      '{"a": [{"b": 1, "c": [2}], "d": 3}',
      { a: [{ b: 1, c: [2] }], d: 3 },
    ],
    ['without its last quote', '{"a": "hel', { a: 'hel' }],
    ['without its last quote, single', "{'a': 'hel", { a: 'hel' }],
    ['ending with a comma', '{"a": 1, ', { a: 1 }],
    ['ending with a comma in a list', '{"a": [1, ', { a: [1] }],
    ['with single quotes', "{'a': 'b', 'c': ['d']}", { a: 'b', c: ['d'] }],
    ['with both kinds of quotes', `{'say': 'a "word"', "it": "it's"}`, { say: 'a "word"', it: "it's" }],
    ['with an escaped single quote', `{'a': 'it\\'s', "b": "it\\'s"}`, { a: "it's", b: "it's" }],
    ['with escapes in single quotes', "{'a': 'x\\n\\u00e9\\\\'}", { a: 'x\né\\' }],
    [
      'with keys that are not quoted',
      '{a: 1, b_2: {$c: 3, d-e: 4, é: 5}}',
      { a: 1, b_2: { $c: 3, 'd-e': 4, é: 5 } },
    ],
    ['with keys that are words of JSON', '{true: 1, null: 2, None: 3}', { true: 1, null: 2, None: 3 }],
    ['with keys that are numbers', '{1: "one", 2: "two"}', { 1: 'one', 2: 'two' }],
    [
      'with Python literals',
      "{'a': True, 'b': False, 'c': None, 'd': [True]}",
      { a: true, b: false, c: null, d: [true] },
    ],
    ['with line breaks and tabs in a text', '{"a": "one\ntwo\tthree\r\n"}', { a: 'one\ntwo\tthree\r\n' }],
    [
      'with punctuation in texts',
      `{"a": "// no, /* no */ ,} ] None 'x'",}`,
      { a: "// no, /* no */ ,} ] None 'x'" },
    ],
    [
      'that are JSON',
      '{"a": [1, -2.5e3, true, null, "x\\"y"], "b": {}}',
      { a: [1, -2500, true, null, 'x"y'], b: {} },
    ],
    ['that are nothing yet', '{', {}],
    ['that name a prototype', '{"__proto__": {"a": 1},}', JSON.parse('{"__proto__": {"a": 1}}')],
  ])('repairs arguments %s', (_, text, expected) => {
    expect(repairArguments(text)).toEqual(expected)
  })

  it('does not let the model set a prototype', () => {
    const repaired = repairArguments('{"__proto__": {"admin": true},}') as { admin?: unknown }
    expect(repaired.admin).toBeUndefined()
  })

  it.each([
    ['prose', 'I would call it with a = 1'],
    ['an object in prose', 'Here you are: {"a": 1}'],
    ['an object with prose after it', '{"a": 1} is what I mean'],
    ['a fence in prose', 'Here:\n```json\n{"a": 1}\n```'],
    ['a fence with prose after it', '```json\n{"a": 1}\n```\nThat is it.'],
    ['a fence alone', '```'],
    ['a fence with nothing in it', '```json\n```'],
    ['two objects', '{"a": 1}{"b": 2}'],
    ['a list', '[{"a": 1},]'],
    ['a text', "'a'"],
    ['a word', 'None'],
    ['nothing', ''],
    ['white space', ' \n '],
    ['a value that is a bare word', '{"a": yes}'],
    ['a value of JavaScript', '{"a": undefined, "b": NaN}'],
    ['half a word', '{"a": tru'],
    ['half a number', '{"a": 1.'],
    ['a key without its value', '{"a": 1, "b"'],
    ['a key without its end', '{"a": 1, "b'],
    ['a colon without its value', '{"a": '],
    ['a colon before an end', '{"a": }'],
    ['a comma before anything', '{, "a": 1}'],
    ['two commas', '{"a": 1,, "b": 2}'],
    ['no comma', '{"a": 1 "b": 2}'],
    ['no colon', '{"a" 1}'],
    ['a bracket too many', '{"a": 1}}'],
    ['a bracket of another kind', '{"a": {"b": 1], "c": 2}'],
    ['a quote that is missing in the middle', '{"a": "one, "b": "two"}'],
    ['a quote that may be missing before the end', '{"a": "one}'],
    ['a quote in a text in quotes', "{'a': 'it's'}"],
    ['a text that ends in half an escape', '{"a": "x\\'],
    ['a text that ends in half a code', '{"a": "x\\u00'],
    ['an invalid escape', '{"a": "\\x41"}'],
    ['a comment that does not end', '{"a": 1 /* and'],
    ['a half comment', '{"a": 1 / 2}'],
    ['a bracket that is missing in the middle', '{"a": [1, 2, "b": 3}'],
    ['a call', 'search({"a": 1})'],
    ['an assignment', 'args = {"a": 1}'],
  ])('leaves arguments alone: %s', (_, text) => {
    expect(repairArguments(text)).toBe(text)
  })

  it('leaves values alone that are not text', () => {
    const object = { a: 1 }
    for (const value of [object, undefined, null, 7, true]) expect(repairArguments(value)).toBe(value)
  })

  it('parses any JSON object unchanged', () => {
    fastCheck.assert(
      fastCheck.property(fastCheck.dictionary(fastCheck.string(), fastCheck.jsonValue()), (object) => {
        const text = JSON.stringify(object)
        expect(repairArguments(text)).toEqual(JSON.parse(text))
        expect(repairArguments(`\`\`\`json\n${text}\n\`\`\``)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('never throws', () => {
    const pieces = fastCheck.constantFrom(...'{}[],:"\'`/*\\\n au1-.', '//', '/*', '*/', '```', 'True', '\\u')
    fastCheck.assert(
      fastCheck.property(fastCheck.array(pieces), (parts) => {
        const text = `{${parts.join('')}`
        const repaired = repairArguments(text)
        expect(repaired === text || (typeof repaired === 'object' && repaired !== null)).toBe(true)
      }),
    )
  })

  it.each([
    ['lists in lists', '{"a":', '['],
    ['objects in objects', '', '{"a":'],
    ['quotes', '{"a": ', '"'],
    ['single quotes', '{"a": ', "'"],
    ['escapes', '{"a": "', '\\'],
    ['commas', '{"a": 1', ','],
    ['comments', '{', '/**/'],
    ['comments that begin', '{', '/*'],
    ['slashes', '{', '/'],
    ['letters', '{', 'a'],
    ['digits', '{"a": ', '1'],
    ['white space', '{', ' \n'],
    ['fences', '', '```'],
    ['brackets that close', '{', ']'],
    ['brackets of both kinds', '{"a":', '[}'],
    ['members', '{', 'a:1,'],
    ['line breaks in a text', '{"a": "', '\n'],
  ])('handles a megabyte of %s', (_, before, piece) => {
    const text = before + piece.repeat(megabyte / piece.length)
    expect(() => repairArguments(text)).not.toThrow()
  })

  it('leaves arguments alone that are nested too deeply', () => {
    const deep = (depth: number) => `{"a":${'['.repeat(depth)}`
    expect(repairArguments(deep(400))).not.toBeTypeOf('string')
    expect(repairArguments(deep(600))).toBeTypeOf('string')
  })
})
