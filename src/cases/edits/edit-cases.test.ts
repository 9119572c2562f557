import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { AssertionInput } from '../../checks/assertion-type.ts'
import type { ChangedList } from '../add-checks.ts'
import type { Path } from '../formats/case-format.ts'
import { editCases } from './edit-cases.ts'

const folder = mkdtempSync(join(tmpdir(), 'viva-edits-'))
afterEach(() => rmSync(join(folder, 'x'), { force: true }))

const added: AssertionInput[] = [{ type: 'contains', value: 'new' }]

async function edit(
  name: string,
  text: string,
  path: Path,
  before?: unknown,
  more: Partial<ChangedList> = {},
) {
  const file = join(folder, name)
  writeFileSync(file, text)
  const { content, left } = await editCases(file, [{ id: 'a', changes: [{ path, before, added, ...more }] }])
  return { text: content && Buffer.concat(content).toString('utf8'), left }
}

const old = { type: 'contains', value: 'old' }

describe('a check is added to JSONL', () => {
  it.each<[string, string, unknown]>([
    [
      '{"id": "a", "input": "Hi", "assert": [{"type": "contains", "value": "old"}]}',
      '{"id": "a", "input": "Hi", "assert": [{"type": "contains", "value": "old"}, {"type": "contains", "value": "new"}]}',
      [old],
    ],
    [
      '{"id":"a","input":"Hi","assert":{"type":"contains","value":"old"}}',
      '{"id":"a","input":"Hi","assert":[{"type":"contains","value":"old"},{"type":"contains","value":"new"}]}',
      old,
    ],
    [
      '{ "id": "a", "input": "Hi" }',
      '{ "id": "a", "input": "Hi", "assert": { "type": "contains", "value": "new" } }',
      undefined,
    ],
  ])('%s', async (before, after, list) => {
    const others = (line: string) => `// a comment\n{"id": "z",   "input": "x"}\n\n${line}\n# the end\n`
    expect(await edit('a.jsonl', others(before), ['assert'], list)).toEqual({ text: others(after), left: [] })
  })

  it('that is spread over lines, with comments among them and Windows line breaks', async () => {
    const text = '{\r\n  "id": "a",\r\n  // why\r\n  "input": "ü"\r\n}\r\n'
    expect((await edit('a.jsonl', text, ['assert'])).text).toBe(
      '{\r\n  "id": "a",\r\n  // why\r\n  "input": "ü",\r\n  "assert": {"type": "contains", "value": "new"}\r\n}\r\n',
    )
  })

  it('of a turn, and with those that come from the defaults of the file', async () => {
    const text =
      '{"defaults": {"assert": {"type": "contains", "value": "old"}}}\n{"id": "a", "turns": [{"input": "Hi"}]}\n'
    expect((await edit('a.jsonl', text, ['assert'], old)).text).toContain(
      '"assert": [{"type": "contains", "value": "old"}, {"type": "contains", "value": "new"}]}\n',
    )
    expect((await edit('a.jsonl', text, ['turns', 0, 'assert'])).text).toContain(
      '[{"input": "Hi", "assert": {"type": "contains", "value": "new"}}]',
    )
  })
})

describe('a check is added to a JSON array', () => {
  it('in the case with the id', async () => {
    const text = '[\n  { "id": "b", "input": "x" },\n  {\n    "id": "a",\n    "input": "Hi"\n  }\n]\n'
    expect((await edit('a.json', text, ['assert'])).text).toBe(
      '[\n  { "id": "b", "input": "x" },\n  {\n    "id": "a",\n    "input": "Hi",\n    "assert": { "type": "contains", "value": "new" }\n  }\n]\n',
    )
  })
})

describe('a check is added to YAML', () => {
  const yaml = (checks: string) =>
    `# why\ncases:\n  - id: b   # other\n    input: x\n  - id: a\n    input: 'Hi'\n${checks}  - id: c\n    input: y\n`

  it.each<[string, string, unknown]>([
    ['', '    assert: {"type": "contains", "value": "new"}\n', undefined],
    [
      '    assert:\n      - type: contains # so it is\n        value: old\n',
      '    assert:\n      - type: contains # so it is\n        value: old\n      - {"type": "contains", "value": "new"}\n',
      [old],
    ],
    [
      '    assert:\n      type: contains\n      value: old # so it is\n',
      '    assert:\n      - type: contains\n        value: old # so it is\n      - {"type": "contains", "value": "new"}\n',
      old,
    ],
    [
      '    assert: { type: contains, value: old }\n',
      '    assert: [{ type: contains, value: old }, {"type": "contains", "value": "new"}]\n',
      old,
    ],
    [
      '    assert: [{ type: contains, value: old }] # yes\n',
      '    assert: [{ type: contains, value: old }, {"type": "contains", "value": "new"}] # yes\n',
      [old],
    ],
  ])('to %j', async (before, after, list) => {
    expect(await edit('a.yaml', yaml(before), ['assert'], list)).toEqual({ text: yaml(after), left: [] })
  })

  it('with several checks, one on each line', async () => {
    const { text } = await edit('a.yaml', '- id: a\n  input: Hi\n', ['assert'], undefined, {
      added: [...added, ...added],
    })
    expect(text).toBe(
      '- id: a\n  input: Hi\n  assert:\n    - {"type": "contains", "value": "new"}\n    - {"type": "contains", "value": "new"}\n',
    )
  })

  it('but not where another case would change with it', async () => {
    const text =
      '- id: b\n  input: x\n  assert: &shared [{type: contains, value: old}]\n- id: a\n  input: Hi\n  assert: *shared\n'
    expect(await edit('a.yaml', text, ['assert'], [old])).toEqual({ text: undefined, left: ['a'] })
    const anchored =
      '- id: a\n  input: Hi\n  assert: &shared [{type: contains, value: old}]\n- id: b\n  input: x\n  assert: *shared\n'
    expect(await edit('a.yaml', anchored, ['assert'], [old])).toEqual({ text: undefined, left: ['a'] })
  })
})

describe('a check is added by hand', () => {
  it.each(['a.csv', 'a.cases.ts'])('to %s', async (name) => {
    expect(await edit(name, 'id,input\na,Hi\n', ['assert'])).toEqual({ text: undefined, left: ['a'] })
  })

  it('to a case that a template makes', async () => {
    const text = 'template: {id: "{{name}}", input: Hi}\nrows: [{name: a}]\n'
    expect(await edit('a.yaml', text, ['assert'])).toEqual({ text: undefined, left: ['a'] })
  })
})
