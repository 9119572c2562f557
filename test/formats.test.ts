import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { untold } from './support/mistakes.ts'
import { echoAgent, ended, jsonl, project, readJsonl, repository, results, viva } from './support/viva.ts'

const cases = [
  {
    id: '001',
    name: 'Hello, "world"',
    input: 'hello',
    tags: ['smoke', 'a'],
    assert: { type: 'contains', value: 'hello' },
  },
  {
    id: '002',
    input: '42',
    assert: [
      { type: 'contains', value: '42' },
      { type: 'regex', value: '^you' },
    ],
    timeout: '30s',
  },
  {
    id: '003',
    input: 'numbers',
    expected: 'you said: numbers',
    metadata: { limit: 5000, deep: { flag: true } },
  },
  {
    id: '004',
    turns: [{ input: 'one' }, { input: 'two\nlines', assert: { type: 'contains', value: 'two' } }],
  },
]

const asYaml = `
- id: '001'
  name: Hello, "world"
  input: hello
  tags: [smoke, a]
  assert: { type: contains, value: hello }
- id: '002'
  input: '42'
  assert:
    - { type: contains, value: '42' }
    - { type: regex, value: ^you }
  timeout: 30s
- { id: '003', input: numbers, expected: 'you said: numbers', metadata: { limit: 5000, deep: { flag: true } } }
- id: '004'
  turns:
    - input: one
    - input: "two\\nlines"
      assert: { type: contains, value: two }
`

const asCsv = `id,name,input,tags.0,tags.1,assert.type,assert.value,assert.0.type,assert.0.value,assert.1.type,assert.1.value,timeout,expected,metadata.limit,metadata.deep.flag,turns.0.input,turns.1.input,turns.1.assert.type,turns.1.assert.value
001,"Hello, ""world""",hello,smoke,a,contains,hello,,,,,,,,,,,,
002,,42,,,,,contains,"""42""",regex,^you,30s,,,,,,,
003,,numbers,,,,,,,,,,you said: numbers,5000,true,,,,
004,,,,,,,,,,,,,,,one,"two
lines",contains,two
`

const files: Record<string, string> = {
  'cases.jsonl': jsonl(...cases),
  'cases.json': JSON.stringify(cases, null, 2),
  'cases.yaml': asYaml,
  'cases.csv': asCsv,
  'cases.ts': `interface Named { id: string }\nconst cases: Named[] = ${JSON.stringify(cases)}\nexport default async () => cases\n`,
  'cases.js': `export default ${JSON.stringify(cases)}\n`,
}

describe('the same cases in every format', () => {
  it('the same cases have the same plan hash and the same results in every format', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, ...files })
    const seen: unknown[] = []
    for (const file of Object.keys(files)) {
      const { exitCode, stderr } = await viva(
        ['test', '-i', file, '-n', './agent.mjs', '-o', `${file}.out.jsonl`],
        { cwd },
      )
      expect({ file, exitCode, stderr }).toEqual({ file, exitCode: 0, stderr: '' })
      const [start] = readJsonl(join(cwd, `${file}.out.jsonl`))
      const outcomes = results(join(cwd, `${file}.out.jsonl`)).map(({ id, status, output, case_hash }) => [
        id,
        status,
        output,
        case_hash,
      ])
      seen.push({ plan: start?.plan_hash, outcomes })
    }
    for (const other of seen) expect(other).toEqual(seen[0])
  })

  it('cases can be read from stdin', async () => {
    const cwd = project({ 'agent.mjs': echoAgent })
    const args = [join(repository, 'bin/viva.js'), 'test', '-i', '-', '-n', './agent.mjs', '-o', 'x.jsonl']
    const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(jsonl(...cases))
    expect((await ended(child)).exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl')).map(({ id }) => id)).toEqual(['001', '002', '003', '004'])
  })

  it.each([
    ['a run', []],
    ['a list', ['--list']],
    ['a dry run', ['--dry-run']],
    ['a context that does not exist', ['--ctx', 'nope.json']],
    ['a run that cannot be resumed', ['--resume', 'nope.jsonl']],
  ])('no temporary files are left behind by %s', async (_, flags) => {
    const cwd = project({ 'agent.mjs': echoAgent, 'tests.yaml': asYaml, 'temporary/.keep': '' })
    for (const input of ['-', 'tests.yaml']) {
      const args = ['test', '-i', input, '-n', './agent.mjs', '-o', 'x.jsonl', ...flags]
      await viva(args, { cwd, env: { TMPDIR: join(cwd, 'temporary') } })
      expect(readdirSync(join(cwd, 'temporary'))).toEqual(['.keep'])
    }
  })

  it('case files in a folder are found by their names', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'tests/a.cases.yaml': asYaml,
      'tests/b.cases.csv': asCsv,
      'tests/c.cases.json': JSON.stringify(cases),
      'tests/tsconfig.json': 'not cases',
      'tests/data.csv': 'not,cases',
    })
    await viva(['test', '-i', 'tests', '-n', './agent.mjs', '-o', 'x.jsonl'], { cwd })
    expect(new Set(results(join(cwd, 'x.jsonl')).map(({ file }) => file))).toEqual(
      new Set(['tests/a.cases.yaml', 'tests/b.cases.csv', 'tests/c.cases.json']),
    )
  })
})

describe('defaults and templates', () => {
  it('the defaults of a file apply to every case, which may override them', async () => {
    const cwd = project({
      'agent.mjs': 'export default (input, ctx) => ({ output: { user: ctx.userId, ...ctx.metadata } })\n',
      'cases.jsonl': jsonl(
        {
          defaults: {
            user: 'ada',
            metadata: { a: 1, b: 1 },
            assert: { type: 'json_path', path: 'a', value: 1 },
          },
        },
        { id: 'plain', input: 'x' },
        { id: 'own', input: 'x', user: 'bob', metadata: { b: 2 } },
      ),
    })
    const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], {
      cwd,
    })
    expect(exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl')).map(({ output }) => output)).toMatchObject([
      { user: 'ada', a: 1, b: 1 },
      { user: 'bob', a: 1, b: 2 },
    ])
  })

  it('a template makes one case per row', async () => {
    const template =
      "template:\n  id: 'city-{{code}}'\n  input: 'Where is {{name}}?'\n  metadata: { size: '{{size}}' }\n  assert: { type: contains, value: '{{name}}' }\n"
    const cwd = project({
      'agent.mjs': echoAgent,
      'inline.yaml': `${template}rows:\n  - { code: r, name: Rome, size: 3 }\n  - { code: o, name: Oslo, size: 1 }\n`,
      'beside.yaml': `${template}rows: cities.csv\n`,
      'cities.csv': 'code,name,size\nr,Rome,3\no,Oslo,1\n',
    })
    const hashes: unknown[] = []
    for (const file of ['inline.yaml', 'beside.yaml']) {
      const { exitCode } = await viva(['test', '-i', file, '-n', './agent.mjs', '-o', `${file}.jsonl`], {
        cwd,
      })
      expect(exitCode).toBe(0)
      hashes.push(readJsonl(join(cwd, `${file}.jsonl`))[0]?.plan_hash)
      expect(results(join(cwd, `${file}.jsonl`)).map(({ id, input }) => [id, input])).toEqual([
        ['city-r', 'Where is Rome?'],
        ['city-o', 'Where is Oslo?'],
      ])
    }
    expect(hashes[0]).toBe(hashes[1])
  })
})

describe('broken case files', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[index]}`).join(',')}]`)
    .join('\n')}\ncases: [*i]\n`
  const broken: [string, string, string, string][] = [
    ['JSON without an array', 'x.json', '{"id": "a"}', 'x.json:1:1: a .json case file is an array of cases'],
    [
      'JSON without a comma',
      'x.json',
      '[\n {"id": "a", "input": "a"}\n {"id": "b"}]',
      'x.json:3:2: invalid JSON: comma expected',
    ],
    [
      'JSON with a trailing comma',
      'x.json',
      '[\n {"id": "a", "input": "a"},\n]',
      'x.json:2:27: invalid JSON: nothing follows the comma',
    ],
    ['JSON that is never closed', 'x.json', '[{"id": "a", "input": "a"}', 'never closed'],
    [
      'a misspelt key in JSON',
      'x.json',
      '[\n  {"id": "a", "input": "a",\n   "asserts": []}\n]',
      'x.json:3:4: a: unknown key "asserts"',
    ],
    ['YAML with a bad indent', 'x.yaml', '- id: a\n   input: b\n  c: d\n', 'x.yaml:'],
    ['a misspelt key in YAML', 'x.yaml', '- id: a\n  input: b\n  asserts: []\n', 'x.yaml:3:'],
    ['a duplicate key in YAML', 'x.yaml', '- id: a\n  input: b\n  input: c\n', 'x.yaml:3:'],
    [
      'YAML of two documents',
      'x.yaml',
      '- id: a\n  input: b\n---\n- id: c\n',
      'there is another one after ---',
    ],
    [
      'an invalid date',
      'x.jsonl',
      '{"id": "a", "input": "b", "expected_failure": {"reason": "r", "until": "soon"}}',
      'expected_failure.until is "soon", must be a date like "2026-12-31"',
    ],
    [
      'a content part of an unknown type',
      'x.jsonl',
      '{"id": "a", "messages": [{"role": "user", "content": [{"type": "txt", "text": "b"}]}]}',
      'messages[0].content[0].type is "txt", must be one of text, image, audio, file, image_url, data (did you mean "text"?)',
    ],
    ['a YAML bomb', 'x.yaml', bomb, 'invalid YAML'],
    ['YAML that is one word', 'x.yaml', 'hello\n', 'a YAML case file is a list of cases'],
    [
      'a template without rows',
      'x.yaml',
      'template: { id: a, input: b }\n',
      '`template` and `rows` belong together',
    ],
    [
      'a row without a column',
      'x.yaml',
      'template: { id: a, input: "{{b}}" }\nrows: [{ c: 1 }]\n',
      'the row has no column "b"',
    ],
    [
      'a CSV quote that is never closed',
      'x.csv',
      'id,input\na,"hello\nb,c\n',
      'x.csv:2:1: invalid CSV: a quote is never closed',
    ],
    [
      'CSV with too many cells',
      'x.csv',
      'id,input\na,b,c\n',
      'x.csv:2:1: invalid CSV: 3 cells, but there are 2 columns',
    ],
    ['a duplicate CSV column', 'x.csv', 'id,input,id\na,b,c\n', 'duplicate column "id"'],
    [
      'an unknown CSV column',
      'x.csv',
      'id,input,asert.type\na,b,contains\n',
      'x.csv:1:1: unknown column "asert.type" (did you mean "assert"?)',
    ],
    [
      'a CSV list with a gap',
      'x.csv',
      'id,turns.0.input,turns.9999999.input\na,b,c\n',
      'x.csv:1:1: column "turns.9999999.input" needs a column "turns.9999998" before it',
    ],
    ['a CSV column __proto__', 'x.csv', 'id,input,__proto__.x\na,b,c\n', 'unknown column "__proto__.x"'],
    ['a CSV column constructor', 'x.csv', 'id,input,constructor.prototype.x\na,b,c\n', 'unknown column "con'],
    [
      'a CSV column of all objects',
      'x.csv',
      'id,input,assert.toString\na,b,c\n',
      'unknown column "assert.to',
    ],
    [
      'a key of all objects in JSON',
      'x.jsonl',
      '{"id":"a","input":"a","__proto__":{}}',
      'unknown key "__proto__"',
    ],
    ['a module that throws', 'x.ts', 'throw new Error("no database")\n', 'no database'],
    [
      'a module with functions in its cases',
      'x.ts',
      'export default [{ id: "a", input: () => 1 }]\n',
      '[0].input is a function',
    ],
    ['a module that gives no cases', 'x.ts', 'export default 5\n', 'must be a list of cases'],
    [
      'defaults with a typo',
      'x.jsonl',
      '{"defaults": {"usr": "a"}}\n{"id": "a", "input": "a"}\n',
      'unknown key "usr"',
    ],
  ]
  it('each mistake in a case file is reported at its own place', async () => {
    const mistakes = broken.map(([, file, text, message]) => ({ file, text, message }))
    const found = await untold(mistakes, './agent.mjs', { 'agent.mjs': echoAgent })
    expect(found).toEqual({ exitCode: 2, untold: [] })
  })

  const rows: [string, string, string, string][] = [
    ['do not exist', 'missing.csv', '', 'x.yaml:2:1: rows: missing.csv: no such file'],
    [
      'lie outside the project',
      '../../../../../../../etc/hostname',
      '',
      'x.yaml:2:1: rows: ../../../../../../../etc/hostname is outside the project',
    ],
    ['are a folder', '.', '', 'x.yaml:2:1: rows: . is not a file'],
    [
      'have too many cells',
      'rows.csv',
      'a,b\n1,2,3\n',
      'rows.csv:2:1: invalid CSV: 3 cells, but there are 2 columns',
    ],
    [
      'have too few cells',
      'rows.csv',
      'a,b\n1\n',
      'rows.csv:2:1: invalid CSV: 1 cells, but there are 2 columns',
    ],
    ['have a column twice', 'rows.csv', 'a,a\n1,2\n', 'rows.csv:1:1: duplicate column "a"'],
    ['have a column without a name', 'rows.csv', 'a,\n1,2\n', 'rows.csv:1:1: column 2 has no name'],
    ['lack a column', 'rows.csv', 'b\n1\n', 'rows.csv:2:1: the row has no column "a"'],
  ]
  it('a case file of an unknown type is refused', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'x.toml': 'a = 1\n' })
    const { exitCode, stderr } = await viva(['test', '-i', 'x.toml', '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain('✗ x.toml: unknown type of case file ".toml"')
    expect(exitCode).toBe(2)
  })

  it('each mistake in the rows of a template is reported at its own place', async () => {
    const mistakes = rows.map(([, name, , message]) => ({
      file: 'x.yaml',
      text: `template: { id: "{{a}}", input: b }\nrows: ${name}\n`,
      message,
    }))
    const tables = rows.map(([, , text], index) => [`mistake-${index}/rows.csv`, text])
    const files = { 'viva.config.json': '{}', 'agent.mjs': echoAgent, ...Object.fromEntries(tables) }
    expect(await untold(mistakes, './agent.mjs', files)).toEqual({ exitCode: 2, untold: [] })
  })

  const mb = 1024 * 1024
  // More than a buffer, and more than a string, can hold.
  const large: [string, string, number, string][] = [
    [
      'a JSON file',
      'x.json',
      2049 * mb,
      'x.json:1:1: the file has 2049 MB; a JSON case file may have at most 256 MB',
    ],
    ['a line of JSONL', 'x.jsonl', 513 * mb, 'x.jsonl:1:1: line 1 has more than 256 MB'],
    ['a line of CSV', 'x.csv', 513 * mb, 'x.csv:1:1: line 1 has more than 256 MB'],
  ]
  it.each(large)('a case file that is too large is refused: %s', async (_, file, bytes, message) => {
    const cwd = project({ 'agent.mjs': echoAgent, [file]: '' })
    truncateSync(join(cwd, file), bytes)
    const { exitCode, stderr } = await viva(['test', '-i', file, '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('an object that is never closed is not read beyond the size limit', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'x.jsonl': '{"id": "a",\n' })
    const blank = Buffer.alloc(100 * mb, ' ')
    blank[blank.length - 1] = 0x0a
    for (let times = 0; times < 3; times++) appendFileSync(join(cwd, 'x.jsonl'), blank)
    const { exitCode, stderr } = await viva(['test', '-i', 'x.jsonl', '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain('x.jsonl:1:1: the object that begins here has more than 256 MB')
    expect(exitCode).toBe(2)
  })

  it.each([
    ['{"usr": "a"}', 'x.jsonl:1:15: unknown key "usr" (did you mean "user"?)\n'],
    ['{"timeout": "fast"}', 'x.jsonl:1:15: timeout: bad duration'],
    ['{"options": {"conector": "a"}}', 'x.jsonl:1:27: unknown key "conector" in options'],
    ['{"attachments": [{"type": "file", "source": "file://none"}]}', 'x.jsonl:1:'],
    ['null', 'x.jsonl:1:2: `defaults` must be an object, got null'],
  ])('a mistake in the defaults is reported once: %s', async (defaults, message) => {
    const makeCase = (id: string) => ({ id, input: 'a', options: { mode: 'chat' } })
    const text = `{"defaults": ${defaults}}\n${jsonl(makeCase('a'), makeCase('b'), makeCase('c'))}`
    const cwd = project({ 'agent.mjs': echoAgent, 'x.jsonl': text })
    const { exitCode, stderr } = await viva(['test', '-i', 'x.jsonl', '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(exitCode).toBe(2)
  })

  it('a YAML file that is too large is refused at once', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'x.yaml': `- id: a\n  input: ${'x'.repeat(33 * 1024 * 1024)}\n`,
    })
    const { exitCode, stderr } = await viva(['test', '-i', 'x.yaml', '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain('use JSONL')
    expect(exitCode).toBe(2)
  })
})

describe('a folder of cases', () => {
  it('warns of files that look like cases but are not named like case files', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'tests/good.cases.yaml': '- { id: good, input: a }\n',
      'tests/menu.yaml': '- id: menu\n  input: a\n  assert: { type: contains, value: zzz }\n',
      'tests/more/list.json': '[{"id": "list", "turns": [{"input": "a"}]}]',
      'tests/data.json': '{"id": 7, "price": 3}',
      'tests/settings.yaml': 'name: x\n',
    })
    const { stderr, stdout } = await viva(['test', 'tests', '-n', './agent.mjs'], { cwd })
    expect(stdout).toContain('(1 test case)')
    const warnings = stderr.split('\n').filter((line) => line.includes('is not read'))
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain(
      'tests/menu.yaml is not read: in a folder, call a case file menu.cases.yaml, or name it with -i',
    )
    expect(warnings[1]).toContain('tests/more/list.json')
  })
})
