import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readReportData } from './support/html-report.ts'
import { echoAgent, jsonl, type Line, project, readJsonl, results, viva } from './support/viva.ts'

const polite = { type: 'contains', value: 'hello' }
const cases = [
  { id: 'plain', input: 'hi', assert: polite },
  { id: 'scripted', input: 'hi', assert: { type: 'script', script: 'scripts.checks.Polite' } },
  { id: 'judged', input: 'hi', assert: { type: 'agent', use: 'critic', value: 'It is polite' } },
  { id: 'played', simulator: { use: 'customer', goal: 'a hello' }, final_assertions: polite },
  {
    id: 'attached',
    input: 'hi',
    attachments: [{ type: 'file', source: 'file://note.txt' }],
    assert: polite,
  },
]

/** Two agents of an app, one of them with a tool. Whatever judges or plays a user is in the app too. */
const app = {
  'app.yao': '{}',
  'note.txt': 'one',
  'viva.config.json': '{}',
  'cases.jsonl': jsonl(...cases),
  'connectors/model.conn.yao': scriptedModel('hello'),
  'connectors/other.conn.yao': scriptedModel('hello, too'),
  'connectors/critic.conn.yao': scriptedModel({ reason: 'it is', passed: true }),
  'connectors/customer.conn.yao': customerModel('hi'),
  'assistants/one/package.yao': JSON.stringify({
    name: 'One',
    connector: 'model',
    mcp: { servers: ['desk'] },
  }),
  'assistants/one/prompts.yml': '- role: system\n  content: Be brief.\n',
  'assistants/two/package.yao': '{"name": "Two", "connector": "other"}',
  'assistants/two/prompts.yml': '- role: system\n  content: Be long.\n',
  'assistants/critic/package.yao': '{"name": "Critic", "connector": "critic"}',
  'assistants/critic/prompts.yml': '- role: system\n  content: Judge.\n',
  'assistants/customer/package.yao': '{"name": "Customer", "connector": "customer"}',
  'assistants/customer/prompts.yml': '- role: system\n  content: Ask.\n',
  'mcps/desk.mcp.yao': '{"label": "Desk", "transport": "process", "tools": {"find": "scripts.desk.Find"}}',
  'mcps/mapping/desk/schemes/find.in.yao': '{"type": "object", "properties": {}}',
  'scripts/desk.ts': `import { stock } from './lib/stock.ts'\nexport function Find() { return stock }\n`,
  'scripts/lib/stock.ts': 'export const stock = 3\n',
  'scripts/checks.ts': `import { word } from './lib/word.ts'\nexport function Polite(output: string) { return { pass: String(output).includes(word), message: word } }\n`,
  'scripts/lib/word.ts': `export const word = 'hello'\n`,
}

function scriptedModel(reply: unknown): string {
  return JSON.stringify({ type: 'scripted', options: { rules: [{ reply }] } })
}

/** Says one thing, and is satisfied by any answer. */
function customerModel(input: string): string {
  const rules = [
    { when: { user: '"turn_count":0' }, reply: { input, goal_achieved: false } },
    { reply: { input: '', goal_achieved: true } },
  ]
  return JSON.stringify({ type: 'scripted', options: { rules } })
}

function write(cwd: string, name: string, text: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  writeFileSync(join(cwd, name), text)
}

/** A run of both agents, with what it has played and what it has carried over. */
function run(cwd: string, ...flags: string[]) {
  return runIn(cwd, {}, ...flags)
}

async function runIn(cwd: string, env: Record<string, string>, ...flags: string[]) {
  rmSync(join(cwd, 'x.jsonl'), { force: true })
  const agents = flags.includes('-n') ? [] : ['-n', 'one', '-n', 'two']
  const args = ['test', '-i', 'cases.jsonl', ...agents, '-o', 'x.jsonl', ...flags]
  // Snapshots are not written in CI.
  const { exitCode, stdout, stderr } = await viva(args, { cwd, env: { CI: '', ...env } })
  const written = existsSync(join(cwd, 'x.jsonl'))
  const lines = written ? readJsonl(join(cwd, 'x.jsonl')) : []
  const names = (all: readonly Line[]) => all.map(({ id, variant }) => `${id} ${variant}`).sort()
  const start = lines.findLast(({ type }) => type === 'start')
  const carried = ((start?.carried_over ?? []) as [string, string, string, string][]).map(
    ([, id, variant]) => `${id} ${variant}`,
  )
  return {
    exitCode,
    output: stdout + stderr,
    played: names(lines.filter(({ type, status }) => type === 'result' && status !== 'not_run')),
    carried: carried.sort(),
    summary: lines.findLast(({ type }) => type === 'summary'),
    start,
  }
}

const [one, two] = ['one@model', 'two@other']
const everything = cases.flatMap(({ id }) => [`${id} ${one}`, `${id} ${two}`]).sort()
const only = (name: string) => everything.filter((each) => each.startsWith(`${name} `))
const ofAgent = (variant: string) => everything.filter((each) => each.endsWith(` ${variant}`))

function readHistory(cwd: string): Line[] {
  return readJsonl(join(cwd, '.viva/history.jsonl'))
}

describe('what --changed runs', () => {
  it('nothing, if nothing has changed, and that is a success', async () => {
    const cwd = project(app)
    const first = await run(cwd)
    expect(first).toMatchObject({ exitCode: 0, played: everything, carried: [] })
    // A file that is only touched is the same.
    const now = new Date()
    utimesSync(join(cwd, 'assistants/one/prompts.yml'), now, now)
    write(cwd, 'unrelated.md', 'new')
    const second = await run(cwd, '--changed')
    expect(second).toMatchObject({ exitCode: 0, played: [], carried: everything })
    expect(second.summary).toMatchObject({ total: 0, passed: 0, carried_over: 10, exit_code: 0 })
    expect(second.output).toContain('10 cases carried over: unchanged since they passed, not run')
    expect(second.output).toContain('Everything was carried over')
    // Passes that were carried over are no runs.
    expect(readHistory(cwd)).toHaveLength(10)
    expect(await run(cwd)).toMatchObject({ played: everything, carried: [] })
  })

  it.each([
    [
      'a prompt',
      'assistants/one/prompts.yml',
      '- role: system\n  content: Be kind.\n',
      ofAgent(one),
      'assistants/one/prompts.yml changed',
    ],
    [
      'a setting of a connector',
      'connectors/other.conn.yao',
      scriptedModel('hello, you two'),
      ofAgent(two),
      'connector other changed',
    ],
    [
      'the code of a tool',
      'scripts/desk.ts',
      'export function Find() { return 4 }\n',
      ofAgent(one),
      'scripts/desk.ts changed, scripts/lib/stock.ts is gone',
    ],
    [
      'what the code of a tool imports',
      'scripts/lib/stock.ts',
      'export const stock = 4\n',
      ofAgent(one),
      'scripts/lib/stock.ts changed',
    ],
    [
      'the schema of a tool',
      'mcps/mapping/desk/schemes/find.in.yao',
      '{"type": "object"}',
      ofAgent(one),
      'mcps/mapping/desk/schemes/find.in.yao changed',
    ],
    [
      'what the script of a check imports',
      'scripts/lib/word.ts',
      `export const word = 'hell'\n`,
      only('scripted'),
      'scripts/lib/word.ts changed',
    ],
    [
      'the prompt of a judge',
      'assistants/critic/prompts.yml',
      '- role: system\n  content: Judge well.\n',
      only('judged'),
      'assistants/critic/prompts.yml changed',
    ],
    [
      'the model of a simulated user',
      'connectors/customer.conn.yao',
      customerModel('hi there'),
      only('played'),
      'connector customer changed',
    ],
    ['a file that is sent', 'note.txt', 'two', only('attached'), 'note.txt changed'],
    ['a setting of the config', 'viva.config.json', '{"timeout": "1m"}', everything, '--timeout changed'],
    [
      'a case',
      'cases.jsonl',
      jsonl({ ...cases[0], input: 'hi there' }, ...cases.slice(1)),
      only('plain'),
      'the case changed',
    ],
    [
      'a new case',
      'cases.jsonl',
      jsonl(...cases, { id: 'new', input: 'hi', assert: polite }),
      [`new ${one}`, `new ${two}`],
      'never run before',
    ],
  ])('%s', async (_, file, text, expected, reason) => {
    const cwd = project(app)
    expect(await run(cwd)).toMatchObject({ exitCode: 0 })
    write(cwd, file, text)
    const { exitCode, played, carried, output } = await run(cwd, '--changed')
    expect(played).toEqual(expected)
    expect(carried).toEqual(everything.filter((each) => !expected.includes(each)))
    expect(output).toContain(reason)
    expect(exitCode).toBe(0)
    // They passed as they are now.
    expect(await run(cwd, '--changed')).toMatchObject({ exitCode: 0, played: [] })
  })

  it('what did not pass, and what passed fewer times than asked for now', async () => {
    const cwd = project({
      'agent.mjs': `const seen = new Map()
export default (input, { sessionId }) => {
  if (input !== 'moody') return input
  const count = (seen.get('all') ?? 0) + 1
  seen.set('all', count)
  return count % 2 === 1 ? 'no' : input
}
`,
      'cases.jsonl': jsonl(
        { id: 'fine', input: 'hello', assert: polite },
        { id: 'moody', input: 'moody', assert: { type: 'equals', value: 'moody' } },
        { id: 'bad', input: 'bye', assert: polite },
        { id: 'known', input: 'bye', assert: polite, expected_failure: { reason: 'later' } },
        { id: 'idle', input: 'hello', assert: polite, skip: 'not now' },
        { id: 'free', input: 'hello' },
      ),
    })
    const flags = ['-n', './agent.mjs', '--retries', '1']
    expect((await run(cwd, ...flags)).exitCode).toBe(1)
    const { played, carried, output } = await run(cwd, ...flags, '--changed', '-v')
    expect(carried).toEqual(['fine agent.mjs'])
    // Each that did not pass at once was tried again.
    expect([...new Set(played)]).toEqual(
      ['bad', 'free', 'idle', 'known', 'moody'].map((id) => `${id} agent.mjs`),
    )
    expect(output).toContain('Runs bad: it failed last time')
    expect(output).toContain('Runs moody: it was flaky last time')
    expect(output).toContain('Runs known: it failed last time, as expected')
    expect(output).toContain('Runs idle: it was skipped last time')
    expect(output).toContain('Runs free: it has no checks')
    expect(output).toContain('fine: carried over: unchanged since it passed at')
    const more = await run(cwd, '-n', './agent.mjs', '--run', 'fine', '--runs', '2', '--changed')
    expect(more.output).toContain('Runs 1: it passed 1 run of 2')
    expect(more.played).toHaveLength(2)
    const fewer = await run(cwd, '-n', './agent.mjs', '--run', 'fine', '--changed')
    expect(fewer).toMatchObject({ exitCode: 0, played: [] })
  })

  it('with --runs auto, what passed fewer times than decide alone', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl({ id: 'a', input: 'hello', assert: polite }),
    })
    const auto = ['-n', './agent.mjs', '--runs', 'auto', '--gate', '0.5']
    expect((await run(cwd, '-n', './agent.mjs')).exitCode).toBe(0)
    const first = await run(cwd, ...auto, '--changed')
    expect(first.played.length).toBeGreaterThan(1)
    expect(first.exitCode).toBe(0)
    expect(await run(cwd, ...auto, '--changed')).toMatchObject({ exitCode: 0, played: [] })
  })

  it('script tests whose code has changed', async () => {
    const cwd = project({
      'a_test.ts': `import { one } from './a.ts'\nexport function TestA(t) { t.assert.Equal(one, 1) }\n`,
      'a.ts': 'export const one = 1\n',
      'b_test.ts': 'export function TestB(t) { t.assert.Equal(1, 1) }\n',
    })
    const tests = ['test', '-i', 'a_test.ts', '-i', 'b_test.ts', '-o', 'x.jsonl']
    expect((await viva(tests, { cwd })).exitCode).toBe(0)
    write(cwd, 'a.ts', 'export const one = 1 // still\n')
    expect((await viva([...tests, '--changed'], { cwd })).exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl')).map(({ id }) => id)).toEqual(['TestA'])
  })

  it('a case whose snapshot has changed, and not the others of its file', async () => {
    const snap = (id: string) => ({ id, input: id, assert: { type: 'snapshot' } })
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(snap('a'), snap('b')) })
    const flags = ['-n', './agent.mjs']
    expect((await run(cwd, ...flags)).exitCode).toBe(0)
    // The first run has only written them.
    expect((await run(cwd, ...flags, '--changed')).played).toHaveLength(2)
    expect((await run(cwd, ...flags, '--changed')).played).toEqual([])
    const path = join(cwd, 'cases.jsonl.snap')
    const kept = readFileSync(path, 'utf8')
    writeFileSync(path, kept.replace('you said: b', 'you said: c'))
    const { exitCode, played, output } = await run(cwd, ...flags, '--changed')
    expect({ exitCode, played }).toEqual({ exitCode: 1, played: ['b agent.mjs'] })
    expect(output).toContain('snapshots of cases.jsonl changed')
    // The snapshots of what did not run are still there.
    const accepted = await run(cwd, ...flags, '--changed', '--update-snapshots')
    expect(accepted.exitCode).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(kept)
  })

  it('what viva cannot see, unless the config names its files', async () => {
    const config = (more: object) => JSON.stringify({ agents: { shop: 'exec:node shop.mjs' }, ...more })
    const cwd = project({
      'shop.mjs': `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify({ content: 'hello' }))
`,
      'cases.jsonl': jsonl({ id: 'a', input: 'hi', assert: polite }),
      'viva.config.json': config({}),
    })
    const shop = ['-n', 'shop', '--changed']
    expect((await run(cwd, ...shop)).exitCode).toBe(0)
    const again = await run(cwd, ...shop)
    expect(again.played).toHaveLength(1)
    expect(again.output).toContain(
      'Runs 1: viva does not see all that a command runs (unless the config has "fingerprint": {"shop": […]})',
    )
    write(cwd, 'viva.config.json', config({ fingerprint: { shop: ['shop.mjs'] } }))
    expect((await run(cwd, ...shop)).output).toContain('Runs 1: its last pass has no fingerprint')
    expect((await run(cwd, ...shop)).played).toEqual([])
    appendFileSync(join(cwd, 'shop.mjs'), '// changed\n')
    expect((await run(cwd, ...shop)).output).toContain('Runs 1: shop.mjs changed')
  })

  it('a case with another export of a judge, or another variable of the environment', async () => {
    const config = (name: string) => JSON.stringify({ agents: { strict: `./judge.mjs#${name}` } })
    const cwd = project({
      'agent.mjs': `const { GREETING = 'hello' } = process.env\nexport default () => GREETING\n`,
      'judge.mjs': `const judge = () => JSON.stringify({ reason: 'it is', passed: true })
export { judge as one, judge as two }
`,
      'viva.config.json': config('one'),
      'cases.jsonl': jsonl({ id: 'a', input: 'hi', assert: { type: 'agent', use: 'strict', value: 'Kind' } }),
    })
    const flags = ['-n', './agent.mjs', '--changed']
    expect((await run(cwd, ...flags)).exitCode).toBe(0)
    expect((await run(cwd, ...flags)).played).toEqual([])
    write(cwd, 'viva.config.json', config('two'))
    expect((await run(cwd, ...flags)).output).toContain('Runs 1: export of judge.mjs changed')
    write(cwd, '.env', 'GREETING=hello there\n')
    expect((await run(cwd, ...flags)).output).toContain('Runs 1: environment variable GREETING changed')
    expect((await run(cwd, ...flags)).played).toEqual([])
  })

  it('a case whose process has other settings, and any whose NODE_OPTIONS load code', async () => {
    const cwd = project({
      'agent.mjs': `export default () => new Date(0).getHours() + ' o’clock'\n`,
      'cases.jsonl': jsonl({ id: 'a', input: 'hi', assert: { type: 'contains', value: 'o’clock' } }),
    })
    const flags = ['-n', './agent.mjs', '--changed']
    const unset = { TZ: '', NODE_OPTIONS: '' }
    expect((await runIn(cwd, unset, ...flags)).played).toHaveLength(1)
    expect((await runIn(cwd, unset, ...flags)).played).toEqual([])
    const abroad = { ...unset, TZ: 'Asia/Tokyo' }
    expect((await runIn(cwd, abroad, ...flags)).output).toContain('Runs 1: environment variable TZ is new')
    expect((await runIn(cwd, abroad, ...flags)).played).toEqual([])
    const options = { ...abroad, NODE_OPTIONS: '--no-warnings' }
    expect((await runIn(cwd, options, ...flags)).output).toContain('variable NODE_OPTIONS is new')
    expect((await runIn(cwd, options, ...flags)).played).toEqual([])
    write(cwd, 'before.cjs', '')
    const loading = { ...abroad, NODE_OPTIONS: '--require ./before.cjs' }
    for (let round = 0; round < 2; round++)
      expect((await runIn(cwd, loading, ...flags)).output).toContain(
        'viva does not see the code that NODE_OPTIONS loads',
      )
  })

  it('a case of a run in which a file was changed', async () => {
    const cwd = project({
      'agent.mjs': `import { word } from './word.mjs'\nexport default () => word\n`,
      'word.mjs': `export const word = 'hello'\n`,
      'scripts/edit.mjs': `import { writeFileSync } from 'node:fs'
export function Edit() { writeFileSync('word.mjs', "export const word = 'hello'\\n") }
`,
      'app.yao': '{}',
      'cases.jsonl': jsonl({ id: 'a', input: 'hi', assert: polite }),
    })
    const flags = ['-n', './agent.mjs']
    // The same content: nobody knows what was loaded.
    expect((await run(cwd, ...flags, '--after-all', 'scripts.edit.Edit')).exitCode).toBe(0)
    expect(readHistory(cwd)[0]).not.toHaveProperty('fingerprint')
    const again = await run(cwd, ...flags, '--changed')
    expect(again.output).toContain('Runs 1: its last pass has no fingerprint')
  })
})

describe('what --changed believes', () => {
  const files = { 'agent.mjs': echoAgent, 'cases.jsonl': jsonl({ id: 'a', input: 'hello', assert: polite }) }
  const flags = ['-n', './agent.mjs', '--changed']

  it.each([
    ['no history', undefined, 'never run before'],
    ['a history that is no file', 'folder', 'so all cases run'],
    ['a line that cannot be read after its pass', '{"half', 'the history is damaged since its last run'],
    ['a fingerprint that was edited', /"fingerprint":"\w+"/, 'something that it depends on changed'],
    ['a hash that was edited', /"case_hash":"\w+"/, 'the case changed'],
    ['counts that were edited', /"passed":1/, 'not all of its runs passed'],
  ])('%s: the case runs', async (_, damage, reason) => {
    const cwd = project(files)
    expect((await run(cwd, ...flags)).exitCode).toBe(0)
    const path = join(cwd, '.viva/history.jsonl')
    const text = readFileSync(path, 'utf8')
    if (damage === undefined || damage === 'folder') rmSync(path)
    if (damage === 'folder') mkdirSync(path)
    else if (typeof damage === 'string') appendFileSync(path, damage)
    else if (damage !== undefined)
      writeFileSync(
        path,
        text.replace(damage, (all) => edited(all)),
      )
    const { exitCode, played, output } = await run(cwd, ...flags)
    expect({ exitCode, played }).toEqual({ exitCode: 0, played: ['a agent.mjs'] })
    expect(output).toContain(reason)
  })

  function edited(text: string): string {
    return text.includes('passed') ? '"passed":7' : text.replace(/"\w+"$/, '"0123456789abcdef"')
  }

  it('a history of an earlier version, which has no fingerprints', async () => {
    const cwd = project(files)
    await run(cwd, ...flags)
    const path = join(cwd, '.viva/history.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"fingerprint":"\w+",/, ''))
    expect((await run(cwd, ...flags)).output).toContain('Runs 1: its last pass has no fingerprint')
    expect((await run(cwd, ...flags)).played).toEqual([])
  })

  it('the fingerprints without their explanations', async () => {
    const cwd = project(files)
    await run(cwd, ...flags)
    const path = join(cwd, '.viva/fingerprints.jsonl')
    expect(readFileSync(path, 'utf8')).toContain('agent.mjs')
    writeFileSync(path, 'nonsense\n{"fingerprint":1}\n')
    expect((await run(cwd, ...flags)).played).toEqual([])
    appendFileSync(join(cwd, 'agent.mjs'), '// changed\n')
    const { played, output } = await run(cwd, ...flags)
    expect(played).toHaveLength(1)
    expect(output).toContain('something that it depends on changed')
  })

  it('keeps no secret, and no hash of one', async () => {
    const secret = 'very-secret-token'
    const cwd = project({
      'agent.mjs': `const token = '${secret}'\nexport default (input) => input + process.env.SHOP_TOKEN\n`,
      'cases.jsonl': files['cases.jsonl'],
    })
    const env = { SHOP_TOKEN: secret }
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--changed']
    expect((await viva(args, { cwd, env })).exitCode).toBe(0)
    expect(readFileSync(join(cwd, '.viva/fingerprints.jsonl'), 'utf8')).not.toContain('SHOP_TOKEN')
    // Another secret is no change.
    write(cwd, 'agent.mjs', readFileSync(join(cwd, 'agent.mjs'), 'utf8').replace(secret, 'another-secret-1'))
    expect((await viva(args, { cwd, env: { SHOP_TOKEN: 'another-secret-1' } })).exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl'))).toEqual([])
  })
})

describe('the reports of --changed', () => {
  async function partly() {
    const cwd = project(app)
    await run(cwd)
    write(cwd, 'assistants/one/prompts.yml', '- role: system\n  content: Be kind.\n')
    const reports = ['x.json', 'x.md', 'x.xml', 'x.txt', 'x.html'].flatMap((name) => ['-o', name])
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'step.md') }
    const args = ['test', '-i', 'cases.jsonl', '-n', 'one', '-n', 'two', '-o', 'x.jsonl', ...reports]
    const { exitCode, stdout } = await viva([...args, '--changed'], { cwd, env })
    expect(exitCode).toBe(0)
    return { cwd, stdout, read: (name: string) => readFileSync(join(cwd, name), 'utf8') }
  }

  it('list what was carried over, and count it nowhere as run', async () => {
    const { cwd, stdout, read } = await partly()
    const json = JSON.parse(read('x.json'))
    expect(json.summary).toMatchObject({ total: 5, passed: 5, carried_over: 5, overall_pass_rate: 100 })
    expect(json.carried_over).toHaveLength(5)
    expect(json.carried_over[0]).toMatchObject({ file: 'cases.jsonl', id: 'plain', variant: two })
    expect(read('x.md')).toContain('| Carried over | 5 |')
    expect(read('x.md')).toContain('- judged &#40;two&#64;other&#41;, passed at ')
    expect(read('x.xml')).toMatch(/tests="10" failures="0" errors="0" time="[\d.]+" skipped="5"/)
    expect(
      read('x.xml').match(/<skipped message="carried over: unchanged since it passed at /g),
    ).toHaveLength(5)
    expect(read('x.txt')).toContain('5 cases carried over: unchanged since they passed, not run')
    expect(read('x.txt')).toContain('- plain (two@other): carried over: unchanged since it passed at ')
    expect(stdout).toContain('::notice title=Carried over::5 cases carried over')
    expect(read('step.md')).toContain('| Carried over | 5 |')
    const [page] = readReportData(join(cwd, 'x.html'), 'run')
    expect(page?.start).toMatchObject({
      carried_over: json.carried_over.map((each: object) => Object.values(each)),
    })
    const again = await viva(['report', 'x.jsonl', '-o', 'again.md'], { cwd })
    expect(again.exitCode).toBe(0)
    expect(read('again.md')).toContain('| Carried over | 5 |')
  })

  it('--json has them in its events', async () => {
    const cwd = project(app)
    await run(cwd)
    const args = ['test', '-i', 'cases.jsonl', '-n', 'one', '-n', 'two', '--changed', '--json']
    const { exitCode, stdout } = await viva(args, { cwd })
    expect(exitCode).toBe(0)
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const start = events.find(({ type }) => type === 'run_started' || type === 'start')
    expect(JSON.stringify(start)).toContain('"plain"')
  })

  it('--list and --dry-run say what would run, and why', async () => {
    const cwd = project(app)
    await run(cwd)
    write(cwd, 'assistants/critic/prompts.yml', '- role: system\n  content: Judge well.\n')
    const args = ['test', '-i', 'cases.jsonl', '-n', 'one', '-n', 'two', '--changed']
    const listed = await viva([...args, '--list'], { cwd })
    expect(listed).toMatchObject({
      exitCode: 0,
      stdout: 'judged (assistants/critic/prompts.yml changed)\n',
    })
    expect(listed.stderr).toContain('8 cases carried over')
    const dry = await viva([...args, '--dry-run'], { cwd })
    expect(dry.exitCode).toBe(0)
    expect(dry.stdout).toContain('Runs 2: assistants/critic/prompts.yml changed')
    expect(dry.stdout).toContain('5 cases are valid')
    expect(readHistory(cwd)).toHaveLength(10)
  })
})

describe('--changed with', () => {
  it('--gate-suite: the gate is about what ran, and says so', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(
        { id: 'a', input: 'hello', assert: polite },
        { id: 'b', input: 'bye', assert: polite },
      ),
    })
    const flags = ['-n', './agent.mjs', '--gate-suite', '0.5']
    expect(await run(cwd, ...flags)).toMatchObject({ exitCode: 0 })
    const { exitCode, summary, output } = await run(cwd, ...flags, '--changed')
    expect(exitCode).toBe(1)
    expect(summary?.gates).toMatchObject([{ gate: 'suite', status: 'missed', rate: 0, carried_over: 1 }])
    expect(output).toContain('without 1 carried over')
    write(cwd, 'cases.jsonl', jsonl({ id: 'a', input: 'hello', assert: polite }))
    const nothing = await run(cwd, ...flags, '--changed')
    expect(nothing.exitCode).toBe(0)
    expect(nothing.summary).not.toHaveProperty('gates')
  })

  it('--gate: skipped cases alone miss no gate', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(
        { id: 'a', input: 'hello', assert: polite },
        { id: 'b', input: 'bye', skip: 'not now' },
      ),
    })
    const flags = ['-n', './agent.mjs', '--gate', '1', '--gate-stable']
    expect(await run(cwd, ...flags)).toMatchObject({ exitCode: 0 })
    const { exitCode, carried } = await run(cwd, ...flags, '--changed')
    expect(carried).toHaveLength(1)
    expect(exitCode).toBe(0)
  })

  it('--baseline: what was carried over is unchanged, and in no test', async () => {
    const cwd = project(app)
    await run(cwd, '-o', 'base.jsonl')
    write(cwd, 'assistants/one/prompts.yml', '- role: system\n  content: Be kind.\n')
    const partly = await run(cwd, '--changed', '--baseline', 'base.jsonl')
    expect(partly.exitCode).toBe(0)
    expect(partly.summary?.comparison).toMatchObject({ verdict: 'no regression' })
    expect(partly.output).toContain('5 cases were carried over as unchanged, and are in no figure')
    expect(partly.output).not.toContain('only in the baseline')
    const nothing = await run(cwd, '--changed', '--baseline', 'base.jsonl')
    expect(nothing).toMatchObject({ exitCode: 0, played: [] })
    expect(nothing.summary).not.toHaveProperty('comparison')
    // Compared later, and as the baseline of a whole run.
    const later = await viva(['compare', 'base.jsonl', 'x.jsonl'], { cwd })
    expect(later.exitCode).toBe(0)
    expect(later.stdout).toContain('No regression: nothing that could be compared has changed')
    const whole = await run(cwd, '-o', 'whole.jsonl')
    expect(whole.exitCode).toBe(0)
    await run(cwd, '--changed')
    const reverse = await viva(['compare', 'x.jsonl', 'whole.jsonl'], { cwd })
    expect(reverse.stdout).toContain('10 cases were carried over in the baseline')
    expect(reverse.stdout).not.toContain('only in the new run')
  })

  it('--shard, and merges the shards into a run that carries the same over', async () => {
    const cwd = project(app)
    const args = ['test', '-i', 'cases.jsonl', '-n', 'one', '-n', 'two']
    const shards = async (...flags: string[]) => {
      for (const index of [1, 2]) {
        const own = ['--shard', `${index}/2`, '-o', `shards/${index}.jsonl`]
        expect((await viva([...args, ...own, ...flags], { cwd })).exitCode).toBe(0)
      }
      return viva(['merge', 'shards/1.jsonl', 'shards/2.jsonl', '-o', 'merged.jsonl'], { cwd })
    }
    expect((await shards()).exitCode).toBe(0)
    // The merged run is in the history, with its fingerprints.
    expect(await run(cwd, '--changed')).toMatchObject({ played: [], carried: everything })
    write(cwd, 'assistants/critic/prompts.yml', '- role: system\n  content: Judge well.\n')
    expect(await shards('--changed')).toMatchObject({ exitCode: 0, stderr: '' })
    const [start, ...others] = readJsonl(join(cwd, 'merged.jsonl'))
    expect(start?.carried_over).toHaveLength(8)
    expect(start?.total_cases).toBe(2)
    expect(others.findLast(({ type }) => type === 'summary')).toMatchObject({ total: 2, carried_over: 8 })
    expect(await run(cwd, '--changed')).toMatchObject({ played: [], carried: everything })
    expect((await shards('--changed')).exitCode).toBe(0)
  })

  it('--shard: nothing is carried over from shards during which a file was changed', async () => {
    const cwd = project({
      'agent.mjs': `import { word } from './word.mjs'\nexport default () => word\n`,
      'word.mjs': `export const word = 'hello'\n`,
      'scripts/edit.mjs': `import { writeFileSync } from 'node:fs'
export function Edit() { writeFileSync('word.mjs', "export const word = 'hello'\\n") }
`,
      'app.yao': '{}',
      'cases.jsonl': jsonl({ id: 'a', input: 'hi', assert: polite }),
    })
    const shard = ['--shard', '1/1', '-o', 'shard.jsonl', '--after-all', 'scripts.edit.Edit']
    expect((await viva(['test', 'cases.jsonl', '-n', './agent.mjs', ...shard], { cwd })).exitCode).toBe(0)
    expect((await viva(['merge', 'shard.jsonl', '-o', 'merged.jsonl'], { cwd })).exitCode).toBe(0)
    expect(readHistory(cwd)[0]).not.toHaveProperty('fingerprint')
  })

  it('--resume: what the interrupted run has played stays in it', async () => {
    const cwd = project(app)
    await run(cwd, '--run', 'plain')
    const { played, carried } = await run(cwd, '--changed', '--max-tokens', '1', '-o', 'y.jsonl')
    expect(carried).toEqual(only('plain'))
    expect(played.length).toBeLessThan(everything.length)
    const args = ['test', '-i', 'cases.jsonl', '-n', 'one', '-n', 'two', '--changed', '--resume', 'x.jsonl']
    const { exitCode, stdout } = await viva(args, { cwd })
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
    const lines = readJsonl(join(cwd, 'x.jsonl'))
    expect(lines.findLast(({ type }) => type === 'summary')).toMatchObject({
      total: 8,
      passed: 8,
      carried_over: 2,
    })
    expect(lines.findLast(({ type }) => type === 'start')).not.toHaveProperty('left_out')
  })

  it('--last-failed and --tag: their selection comes first', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(
        { id: 'a', input: 'hello', tags: ['x'], assert: polite },
        { id: 'b', input: 'bye', assert: polite },
      ),
    })
    const flags = ['-n', './agent.mjs', '--changed']
    await run(cwd, ...flags)
    expect(await run(cwd, ...flags, '--last-failed')).toMatchObject({
      exitCode: 1,
      played: ['b agent.mjs'],
      carried: [],
    })
    expect(await run(cwd, ...flags, '--tag', 'x')).toMatchObject({
      exitCode: 0,
      played: [],
      carried: ['a agent.mjs'],
    })
  })

  it.each([
    [['--watch'], '--changed cannot be combined with --watch (it runs again only what a change affects)'],
    [['--record', 'calls.jsonl'], '--changed cannot be combined with --record'],
    [['--replay', 'calls.jsonl'], '--changed cannot be combined with --replay'],
    [['--coverage'], '--changed cannot be combined with --coverage'],
  ])('%s is refused', async (flags, message) => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl({ id: 'a', input: 'hello' }) })
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--changed', ...flags],
      { cwd },
    )
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) })
  })

  it('a message or cases on stdin, which are in no history: they run', async () => {
    const cwd = project({ 'agent.mjs': echoAgent })
    const said = await viva(['test', '-i', 'hello there', '-n', './agent.mjs', '--changed'], { cwd })
    expect(said).toMatchObject({ exitCode: 0, stdout: 'you said: hello there\n' })
  })
})
