import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CaseDocument, type FormatProblem, isFormatProblem } from './case-format.ts'
import { yamlFormat } from './yaml.ts'

async function read(text: string): Promise<(CaseDocument | FormatProblem)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-yaml-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'x.yaml')
  writeFileSync(path, text)
  const found: (CaseDocument | FormatProblem)[] = []
  for await (const item of yamlFormat(folder).documents(path)) found.push(item)
  return found
}

async function readFirst(text: string): Promise<CaseDocument | FormatProblem> {
  const [first] = await read(text)
  if (first === undefined) throw new Error('the file has no case')
  return first
}

const syntaxErrors: [title: string, text: string, place: string][] = [
  ['a double quote that is never closed', '- id: a\n  input: "hello\n- id: b\n  input: x\n', '2:10'],
  ['a single quote that is never closed', "- id: a\n  input: 'hello\n- id: b\n", '2:10'],
  ['a quote that is never closed in a list', '- id: a\n  tags: [x, "y]\n- id: b\n', '2:13'],
  ['a bracket that is never closed', '- id: a\n  tags: [x, y\n  input: x\n- id: b\n', '2:9'],
  ['a bracket that is open at the end of the file', '- id: a\n  tags: [x,\n\n\n', '2:9'],
  ['a brace that is never closed', '- id: a\n  assert: {type: contains, value: x\n  input: x\n', '2:11'],
  ['an inner bracket that is never closed', '- id: a\n  assert: {value: [x\n  input: x\n', '2:19'],
  ['a missing comma in a list', '- id: a\n  tags: [\n    "x",\n    "y" "z"\n  ]\n', '4:9'],
  ['a line that is indented too far', '- id: a\n  input: x\n   name: y\n- id: b\n', '3:4'],
  ['a line that is indented too little', '- id: a\n  input: x\n name: y\n', '3:1'],
  ['a second colon', '- id: a\n  input: what: is\n', '2:10'],
  ['a missing colon', '- id: a\n  input x\n  name: z\n', '2:3'],
  ['a tab', '- id: a\n  assert:\n\t- type: contains\n', '3:1'],
  ['a duplicate key', '- id: a\n  input: x\n  input: y\n', '3:3'],
  ['an unknown alias', '- id: a\n  input: *nope\n', '2:10'],
  ['a second document', '- id: a\n  input: x\n---\n- id: b\n', '3:1'],
  ['a document that is not a list', '# cases\n\nhello\n', '3:1'],
  ['an unknown key of the file', 'cases: []\ncasess:\n  - id: b\n', '2:1'],
]

describe('a problem in a YAML case file', () => {
  it.each(syntaxErrors)('is reported at %s', async (_, text, place) => {
    const problem = await readFirst(text)
    expect(isFormatProblem(problem) && `${problem.line}:${problem.column}`).toBe(place)
  })
})

describe('the position in a YAML case', () => {
  async function positionIn(text: string): Promise<CaseDocument['position']> {
    const document = await readFirst(text)
    if (isFormatProblem(document)) throw new Error(document.message)
    return document.position
  }

  it('is at its key when its value begins lines below', async () => {
    const position = await positionIn('- id: a\n  asserts:\n    # why\n\n    - type: contains\n')
    expect(position([], 'asserts')).toEqual({ line: 2, column: 3 })
  })

  it('is in the template where the template has the key, and in its row otherwise', async () => {
    const position = await positionIn('template:\n  id: "{{a}}"\n  asserts: []\nrows:\n  - a: x\n')
    expect(position([], 'asserts')).toEqual({ line: 3, column: 3 })
    expect(position(['id'])).toEqual({ line: 5, column: 5 })
  })

  it('is found in a file that begins with a byte order mark', async () => {
    const position = await positionIn('\ufeff- id: a\n  inputt: x\n')
    expect(position([], 'inputt')).toEqual({ line: 2, column: 3 })
  })
})

it.each([
  [
    'an alias inside of its own anchor',
    '- &a\n  id: x\n  metadata:\n    self: *a\n',
    '*a is a circular reference: it is inside of &a',
    { line: 4, column: 11 },
  ],
  ['an alias without an anchor', '- id: x\n  input: *b\n', 'there is no anchor &b', { line: 2, column: 10 }],
  ['an unknown tag', '- id: x\n  input: !!js/function "x"\n', 'Unresolved tag', { line: 2, column: 10 }],
  ['a key that is a list', '- id: x\n  input: {? [b] : 2}\n', 'all keys must be strings', { line: 2 }],
])('%s is reported with its position', async (_, text, message, place) => {
  expect(await readFirst(text)).toMatchObject({
    code: 'invalid_yaml',
    message: expect.stringContaining(message),
    ...place,
  })
})

it('checks each of many aliases only once', async () => {
  const aliases = Array.from({ length: 20_000 }, () => '    - *a\n').join('')
  const problem = await readFirst(`- &a x\n- id: b\n  tags:\n${aliases}`)
  expect(problem).toMatchObject({ code: 'invalid_yaml' })
})

it('an alias after its anchor has the same value', async () => {
  expect(await read('- &a {id: x, input: hi, metadata: {1: one}}\n- *a\n')).toMatchObject([
    { value: { id: 'x', input: 'hi', metadata: { 1: 'one' } } },
    { value: { id: 'x', input: 'hi', metadata: { 1: 'one' } } },
  ])
})
