import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { createFindFile } from '../../src/cases/attached-file.ts'
import { collect } from '../../src/cases/collect.ts'
import { csv } from '../../src/cases/formats/csv.ts'
import { json } from '../../src/cases/formats/json.ts'
import { jsonl } from '../../src/cases/formats/jsonl.ts'
import { yamlFormat } from '../../src/cases/formats/yaml.ts'
import { caseFileSource } from '../../src/cases/sources/case-file.ts'
import { noSpeakers } from '../../src/cases/speakers.ts'
import type { AgentLimits } from '../../src/cases/validate.ts'
import { noCheckHelpers } from '../../src/checks/check-helpers.ts'
import { type FuzzTarget, refusesAtMost } from './fuzz-target.ts'
import { mutated } from './mutate.ts'

const cases = [
  {
    id: 'one',
    input: 'hi',
    assert: [
      { type: 'contains', value: 'x' },
      { type: 'regex', value: '(?i)a+b' },
    ],
    tags: ['a'],
  },
  {
    id: 'two',
    name: 'Two',
    turns: [
      { input: 'a', assert: { type: 'json_path', path: '$.a[0]', value: 1 } },
      { input: { role: 'user', content: [{ type: 'text', text: 'b' }] } },
    ],
    final_assertions: {
      type: 'any_of',
      assertions: [
        { type: 'equals', value: { a: [1] } },
        { type: 'json_schema', value: { type: 'object' } },
      ],
    },
    timeout: '1m30s',
    max_turns: 5,
  },
  {
    id: 'three',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ],
    checkpoints: [
      { id: 'x', assert: { type: 'tool_called', name: 'pay', arguments: { n: { $gt: 3 } } } },
      { id: 'y', after: ['x'], assert: { type: 'contains', value: 'x' } },
    ],
    simulator: { use: 'user', persona: 'Ada', goal: 'pay' },
    terminate_when: [{ type: 'field_equals', path: 'a.b', value: 1 }],
    metadata: { any: { thing: null } },
    expected_failure: { reason: 'known', until: '2030-01-01' },
  },
]

const yaml = `defaults: {timeout: 5s, tags: [all]}
cases:
  - &first
    id: one
    input: |
      hello
        world
    assert: {type: contains, value: "x"}
  - id: two
    turns:
      - input: a
        assert: [{type: regex, value: '^a'}]
template: {id: "{{code}}", input: "Tell me about {{name}}", assert: {type: contains, value: "{{name}}"}}
rows:
  - {code: r, name: Rome}
`

const table =
  'id,input,assert.type,assert.value,metadata.a.b,tags\none,"hi, ""you""",contains,x,1,"[""a""]"\ntwo,"a\nb",equals,"{""a"": 1}",,\n'

const seeds: Record<string, readonly string[]> = {
  jsonl: [
    cases.map((item) => JSON.stringify(item)).join('\n'),
    `// a comment\n{"defaults": {"timeout": "5s"}}\n${JSON.stringify(cases[0], null, 2)}\n`,
  ],
  json: [JSON.stringify(cases, null, 1), JSON.stringify(cases)],
  yaml: [yaml, '- id: one\n  input: hi\n  assert:\n    - type: contains\n      value: x\n'],
  csv: [table, table.replaceAll('\n', '\r\n')],
}

export interface CaseFile {
  name: string
  text: string
}

export const caseFile: fc.Arbitrary<CaseFile> = fc
  .constantFrom(...Object.keys(seeds))
  .chain((name) => fc.record({ name: fc.constant(name), text: mutated(seeds[name] ?? []) }))

const limits: AgentLimits = {
  agentId: 'fuzz',
  anyInput: true,
  connectors: 'own',
  history: 'given',
  tools: 'served',
  toolsOf: 'fuzz',
  connectorProblem: () => undefined,
  presetProblem: () => undefined,
}

/** Reads a file like `viva test`: all cases are validated, and valid ones are compiled. */
export const fuzzCases: FuzzTarget<CaseFile> = {
  input: caseFile,
  async read({ name, text }) {
    const folder = mkdtempSync(join(tmpdir(), 'viva-fuzz-'))
    try {
      const path = join(folder, `cases.${name}`)
      writeFileSync(path, text)
      const settings = {
        findFile: createFindFile([folder], folder),
        helpers: noCheckHelpers,
        speakers: noSpeakers,
      }
      const format = { jsonl, json, yaml: yamlFormat(folder), csv }[name] ?? jsonl
      const source = caseFileSource({
        path,
        file: path,
        format,
        settings,
        surroundings: { ...settings, limits },
      })
      await refusesAtMost(async () => {
        for (const entry of await collect(source)) await source.load(entry)
      })
      await source.close?.()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
