import { describe, expect, it } from 'vitest'
import { showInEditor } from './support/editor.ts'
import { showTypeScript } from './support/typescript-editor.ts'
import { installViva, project, viva } from './support/viva.ts'

describe('a JSON editor', () => {
  it('underlines a misspelt key of a case', async () => {
    const text = '[\n  { "id": "a", "input": "hi" },\n  { "id": "b", "inptu": "hi" }\n]'
    const { problems } = await showInEditor('cases.json', text, 'cases.schema.json')
    expect(problems).toEqual([{ text: '"inptu"', line: 3, message: expect.stringContaining('inptu') }])
  })

  it('underlines a misspelt key of an assertion, in the assertion of that type', async () => {
    const text = '{ "id": "a",\n "assert": { "type": "contains", "value": "x", "scpoe": "any" } }'
    const { problems } = await showInEditor('case.json', text, 'case.schema.json')
    expect(problems).toEqual([{ text: '"scpoe"', line: 2, message: expect.stringContaining('scpoe') }])
  })

  it('completes the fields of a case with what they are for', async () => {
    const { completions } = await showInEditor('case.json', '{ "id": "a", "▮" }', 'case.schema.json')
    expect(completions.get('turns')).toBe(
      'User messages with their checks; all of them are sent, in this order',
    )
    expect(completions.get('final_assertions')).toContain('Checks after the end of the conversation')
    // What is there already is not offered again.
    expect(completions.has('id')).toBe(false)
  })

  it('completes the types of assertions and the fields of the type', async () => {
    const types = await showInEditor(
      'case.json',
      '{ "id": "a", "assert": { "type": "▮" } }',
      'case.schema.json',
    )
    expect(types.completions.get('"contains"')).toContain('The output contains the value')
    const text = '{ "id": "a", "assert": { "type": "tool_called", "▮" } }'
    const { completions } = await showInEditor('case.json', text, 'case.schema.json')
    expect(completions.get('arguments')).toBe('What the arguments must contain.')
  })

  it('reads the schema that a config names in $schema', async () => {
    const text = '{\n  "$schema": "./schemas/config.schema.json",\n  "agnet": "x",\n  "▮": 1\n}'
    const { problems, completions } = await showInEditor('viva.config.json', text)
    expect(problems.map(({ text: place, line }) => ({ place, line }))).toContainEqual({
      place: '"agnet"',
      line: 3,
    })
    expect(completions.get('agent')).toBe('The agent under test when `-n` is not given')
  })
})

describe('a YAML editor', () => {
  const comment = '# yaml-language-server: $schema=schemas/cases.schema.json\n'

  it.each([
    ['a list', '- id: a\n  input: hi\n- id: b\n  inptu: hi\n', 5],
    ['a list that begins with defaults', '- defaults: { tags: [x] }\n- id: b\n  inptu: hi\n', 4],
    ['an object', 'defaults: { tags: [x] }\ncases:\n  - id: b\n    inptu: hi\n', 5],
    ['a template', 'template:\n  id: "{{x}}"\n  inptu: hi\nrows: [{ x: a }]\n', 4],
  ])('underlines a misspelt key in %s, by the comment that names the schema', async (_, text, line) => {
    const { problems } = await showInEditor('cases.yaml', comment + text)
    expect(problems).toEqual([{ text: 'inptu', line, message: expect.stringContaining('inptu') }])
  })

  it('does not underline a file that is right', async () => {
    const text = `${comment}defaults: { timeout: 30s }\ncases:\n  - id: a\n    input: hi\n    assert:\n      - { type: contains, value: hi }\n`
    expect((await showInEditor('cases.yaml', text)).problems).toEqual([])
  })

  it('completes the fields of a case with what they are for', async () => {
    const { completions } = await showInEditor('cases.yaml', `${comment}cases:\n  - id: a\n    ▮\n`)
    expect(completions.get('checkpoints')).toContain('What must happen in the conversation, in any turn')
  })
})

describe('a TypeScript editor', () => {
  function show(text: string): ReturnType<typeof showTypeScript> {
    const cwd = project({ 'package.json': '{"type": "module"}' })
    installViva(cwd)
    return showTypeScript(cwd, 'cases.ts', text)
  }

  it('completes the fields of a case with what they are for', () => {
    const { document } = show(
      "import { defineCases } from 'vivavoce'\nexport default defineCases([{ id: 'a', ▮ }])",
    )
    expect(document('turns')).toBe('User messages with their checks; all of them are sent, in this order')
    expect(document('inptu')).toBeUndefined()
  })

  it('completes the fields of an assertion of the type that is written', () => {
    const { document } = show(
      "import type { Case } from 'vivavoce'\nexport const one: Case = { id: 'a', assert: { type: 'json_path', ▮ } }",
    )
    expect(document('exists')).toMatch(/\w+/)
    expect(document('criteria')).toBeUndefined()
  })

  it('completes the keys of a config with what they are for', () => {
    const { document } = show("import { defineConfig } from 'vivavoce'\nexport default defineConfig({ ▮ })")
    expect(document('agent')).toBe('The agent under test when `-n` is not given')
    expect(document('timeout')).toContain('`1m30s`')
  })

  it('does not compile mistakes, each at its place', () => {
    const { problems } = show(`import { defineCases, defineConfig } from 'vivavoce'
      defineCases([{ id: 'a', inptu: 'hi' }])
      defineCases([{ input: 'hi' }])
      defineCases([{ id: 'a', assert: { type: 'contain', value: 1 } }])
      defineCases([{ id: 'a', assert: { type: 'all_of', assertions: [{ type: 'contains', vaule: 1 }] } }])
      defineConfig({ agnet: 'x' })`)
    expect(problems).toEqual([
      expect.stringMatching(/^inptu: .*Did you mean to write 'input'/),
      expect.stringMatching(/^\{ input: 'hi' \}: .*'id' is missing/),
      expect.stringMatching(/^assert: .*Did you mean '"contains"'/),
      expect.stringMatching(/^vaule: .*'vaule' does not exist/),
      expect.stringMatching(/^agnet: .*Did you mean to write 'agent'/),
    ])
  })

  it('compiles cases and configs that are right', () => {
    const { problems } = show(
      `import { type Case, type Config, defineCases, defineConfig } from 'vivavoce'
       const more: Case = { id: 'b', input: 'hi', terminate_when: [{ type: 'not', condition: { type: 'field_is_set', path: 'x' } }] }
       export const config: Config = defineConfig({ agents: { a: { url: 'http://localhost:1', method: 'POST' } } })
       export default defineCases([{ id: 'a', assert: [{ type: 'any_of', assertions: [{ type: 'equals', value: 1 }] }] }, more])`,
    )
    expect(problems).toEqual([])
  })

  it('a module that exports defineCases is a case file', async () => {
    const cwd = project({
      'agent.mjs': 'export default () => "hi"',
      'cases.ts':
        "import { defineCases } from 'vivavoce'\nexport default defineCases([{ id: 'a', input: 'hi', expected: 'hi' }])\n",
    })
    installViva(cwd)
    const { exitCode, stdout } = await viva(['test', '-i', 'cases.ts', '-n', './agent.mjs'], { cwd })
    expect(stdout).toContain('✓ [a]')
    expect(exitCode).toBe(0)
  })
})
