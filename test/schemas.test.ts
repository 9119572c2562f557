import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse as parseJsonWithComments } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { jsonl as jsonlFormat } from '../src/cases/formats/jsonl.ts'
import { untold } from './support/mistakes.ts'
import { jsonl, project, repository, results, viva } from './support/viva.ts'

/** The JSON Schemas that editors use, checked with a validator that is not ours. */
const names = ['case', 'cases', 'config', 'result'] as const

function readSchema(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(repository, 'schemas', `${name}.schema.json`), 'utf8'))
}

const options = { allowUnionTypes: true, allErrors: true, validateFormats: false, strictTuples: false }
const ajv = createAjv()

/** With the keyword that editors know beyond the standard. */
function createAjv(): Ajv2020 {
  return new Ajv2020(options).addVocabulary(['enumDescriptions'])
}

const validators = new Map(names.map((name) => [name, ajv.compile(readSchema(name))]))

/** What is wrong with a document according to a schema. */
function errors(name: (typeof names)[number], document: unknown): string[] {
  const validate = validators.get(name)
  if (validate === undefined || validate(document)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The documents of a JSONL file. */
async function readDocuments(path: string): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const document of jsonlFormat.documents(path))
    found.push('code' in document ? document.message : document.value)
  return found
}

function readBlocks(page: string, language: string): string[] {
  const text = readFileSync(join(repository, page), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, body = '']) =>
    name === language ? [body] : [],
  )
}

const pages = [
  'README.md',
  ...readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const exampleFiles = readdirSync(join(repository, 'examples'), { recursive: true, encoding: 'utf8' })

describe('the JSON Schemas', () => {
  it.each(names)('%s.schema.json is valid according to the meta-schema of JSON Schema 2020-12', (name) => {
    expect(ajv.validateSchema(readSchema(name)), JSON.stringify(ajv.errors)).toBe(true)
  })

  it.each(['case', 'cases', 'config'])('every field in %s.schema.json has a description', (name) => {
    const missing: string[] = []
    let count = 0
    const visit = (node: unknown, path: string) => {
      if (typeof node !== 'object' || node === null) return
      for (const [key, value] of Object.entries(node)) {
        // Examples may contain any key.
        if (key === 'examples') continue
        if (key === 'properties')
          for (const [field, schema] of Object.entries(value as Record<string, { description?: string }>)) {
            count += 1
            if (!schema.description) missing.push(`${path}.${field}`)
          }
        visit(value, `${path}.${key}`)
      }
    }
    visit(readSchema(name), '')
    expect(count).toBeGreaterThan(50)
    expect(missing).toEqual([])
  })

  it('the examples in the schemas are valid', () => {
    const wrong: string[] = []
    const visit = (schema: string, node: unknown, pointer: string) => {
      if (typeof node !== 'object' || node === null) return
      const { examples, ...others } = node as { examples?: unknown[] }
      for (const example of examples ?? []) {
        const validate = createAjv().addSchema(readSchema(schema), 'schema')
        if (!validate.validate({ $ref: `schema#${pointer}` }, example))
          wrong.push(`${schema}${pointer}: ${validate.errorsText()}`)
      }
      for (const [key, value] of Object.entries(others))
        visit(schema, value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
    for (const name of ['case', 'config']) visit(name, readSchema(name), '')
    expect(wrong).toEqual([])
  })
})

describe('documents that viva accepts', () => {
  it.each(exampleFiles.filter((name) => /tests\/\w+\.jsonl$/.test(name)))('%s is valid', async (name) => {
    const documents = await readDocuments(join(repository, 'examples', name))
    expect(documents.length).toBeGreaterThan(0)
    expect(documents.flatMap((document) => errors('case', document))).toEqual([])
    expect(errors('cases', documents)).toEqual([])
  })

  it.each(exampleFiles.filter((name) => name.endsWith('viva.config.json')))('%s is valid', (name) => {
    const config = parseJsonWithComments(readFileSync(join(repository, 'examples', name), 'utf8'))
    expect(errors('config', config)).toEqual([])
  })

  it.each(pages)('the cases and configs in %s are valid', async (page) => {
    for (const text of readBlocks(page, 'jsonl')) {
      const cwd = project({ 'cases.jsonl': text })
      for (const document of await readDocuments(join(cwd, 'cases.jsonl')))
        expect(errors('case', document)).toEqual([])
    }
    for (const text of readBlocks(page, 'yaml').filter((block) => /^# file: \S+cases\.yaml/.test(block)))
      expect(errors('cases', parseYaml(text))).toEqual([])
    for (const text of readBlocks(page, 'json').filter((block) =>
      block.includes('// file: viva.config.json'),
    ))
      expect(errors('config', parseJsonWithComments(text))).toEqual([])
  })

  it('a list may begin with the defaults, and an object may have all four keys', () => {
    const one = { id: 'a', input: 'hi' }
    expect(errors('cases', [one])).toEqual([])
    expect(errors('cases', [{ defaults: { tags: ['x'], timeout: '30s' } }, one])).toEqual([])
    const template = { id: '{{id}}', input: 'hi', max_turns: '{{turns}}' }
    const object = { defaults: { retries: 1 }, cases: [one], template, rows: [{ id: 'b', turns: 2 }] }
    expect(errors('cases', object)).toEqual([])
    expect(errors('cases', { template, rows: 'rows.csv' })).toEqual([])
  })
})

/** A case, which field is wrong, and the case with a mistake in that field. */
const wrongCases: [string, object][] = [
  ['no id', { input: 'hi' }],
  ['an empty id', { id: '', input: 'hi' }],
  ['a misspelt key', { id: 'a', inptu: 'hi' }],
  ['a key of another type', { id: 'a', input: 'hi', max_turns: '3' }],
  ['an unknown assertion', { id: 'a', input: 'hi', assert: { type: 'contain', value: 'x' } }],
  [
    'a snapshot with an unknown rule',
    { id: 'a', input: 'hi', assert: { type: 'snapshot', normalize: ['date'] } },
  ],
  ['a misspelt key of an assertion', { id: 'a', input: 'hi', assert: { type: 'contains', vaule: 'x' } }],
  ['a mistake in a group', { id: 'a', assert: { type: 'all_of', assertions: [{ type: 'equals' }] } }],
  ['a misspelt key of a turn', { id: 'a', turns: [{ input: 'hi', asert: [] }] }],
  ['a bad duration', { id: 'a', input: 'hi', timeout: 'soon' }],
  ['an unknown condition', { id: 'a', input: 'hi', terminate_when: [{ type: 'never' }] }],
  ['an unknown enum value', { id: 'a', input: 'hi', on_missing_input: 'stop' }],
  ['a misspelt key of options', { id: 'a', input: 'hi', options: { conector: 'x' } }],
  ['a $schema that is no text', { id: 'a', input: 'hi', $schema: 1 }],
]

const wrongConfigs: [string, object][] = [
  ['a misspelt key', { agnet: './agent.ts' }],
  ['an unknown connector type', { connectors: { a: { type: 'opnai' } } }],
  ['a mapping without URL', { agents: { a: { method: 'POST' } } }],
  ['a bad duration', { timeout: 30 }],
  ['a service without command', { services: [{ url: 'http://localhost:1' }] }],
  ['a $schema that is no text', { $schema: true }],
]

describe('documents that viva refuses', () => {
  it.each(wrongCases)('a case with %s is invalid', (_, wrong) => {
    expect(errors('case', wrong)).not.toEqual([])
    expect(errors('cases', [wrong])).not.toEqual([])
    expect(errors('cases', { cases: [wrong] })).not.toEqual([])
  })

  it('viva refuses all of these cases, too', async () => {
    const mistakes = wrongCases.map(([_, wrong]) => ({
      file: 'cases.jsonl',
      text: jsonl(wrong),
      message: 'cases.jsonl:1',
    }))
    const agent = { 'agent.mjs': 'export default () => "hi"' }
    expect(await untold(mistakes, './agent.mjs', agent)).toEqual({ exitCode: 2, untold: [] })
  })

  it.each(wrongConfigs)('a config with %s is invalid', async (_, wrong) => {
    expect(errors('config', wrong)).not.toEqual([])
    const cwd = project({ 'viva.config.json': JSON.stringify(wrong) })
    expect((await viva(['agents'], { cwd })).exitCode).toBe(2)
  })

  it.each([
    ['a misspelt key', { caes: [] }],
    ['a misspelt key of the defaults', { defaults: { tgas: [] }, cases: [] }],
    ['a misspelt key of the template', { template: { id: 'a', inptu: '{{x}}' }, rows: [] }],
    ['the defaults in the middle of a list', [{ id: 'a', input: 'hi' }, { defaults: {} }]],
  ])('a file with %s is invalid', (_, wrong) => {
    expect(errors('cases', wrong)).not.toEqual([])
  })
})

describe('$schema', () => {
  const agent = { 'agent.mjs': 'export default () => "hi"' }
  const schema = 'node_modules/vivavoce/schemas/case.schema.json'
  const plain = [{ defaults: { tags: ['x'] } }, { id: 'a', input: 'hi', expected: 'hi' }]
  const named = plain.map((document) => ({ $schema: schema, ...document }))

  async function hashes(files: Record<string, string>, input: string): Promise<unknown[]> {
    const cwd = project({ ...agent, ...files })
    const { exitCode, stderr } = await viva(['test', '-i', input, '-n', './agent.mjs', '-o', 'out.jsonl'], {
      cwd,
    })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    const text = readFileSync(join(cwd, 'out.jsonl'), 'utf8')
    expect(text).not.toContain('$schema')
    return results(join(cwd, 'out.jsonl')).map(({ hash, status }) => ({ hash, status }))
  }

  it('is ignored in cases of every format, and does not change their hashes', async () => {
    const expected = await hashes({ 'cases.jsonl': jsonl(...plain) }, 'cases.jsonl')
    expect(expected).toHaveLength(1)
    const [defaults, one] = named
    const cases = { $schema: schema, defaults: { $schema: schema, tags: ['x'] }, cases: [one] }
    const template = { $schema: schema, template: { ...one, id: '{{id}}' }, rows: [{ id: 'a' }] }
    const files: Record<string, string> = {
      'cases.jsonl': jsonl(...named),
      'cases.json': JSON.stringify(named),
      'cases.yaml': JSON.stringify(cases),
      'template.yaml': JSON.stringify({ ...template, defaults: defaults?.defaults }),
      'cases.mjs': `export default ${JSON.stringify(cases)}`,
    }
    for (const file of Object.keys(files)) expect(await hashes(files, file), file).toEqual(expected)
  })

  it.each([
    ['viva.config.json', (text: string) => text],
    ['viva.config.mjs', (text: string) => `export default ${text}`],
  ])('is ignored in %s', async (file, write) => {
    const config = write(JSON.stringify({ $schema: schema, agent: './agent.mjs' }))
    expect(await hashes({ [file]: config, 'cases.jsonl': jsonl(...plain) }, 'cases.jsonl')).toHaveLength(1)
  })
})
