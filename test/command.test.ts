import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  demo,
  ended,
  jsonl,
  type Line,
  project,
  readJsonl,
  results,
  startViva,
  viva,
} from './support/viva.ts'

const echo = 'export default (input) => `you said: ${input}`\n'
const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }

describe('the demo app', () => {
  it('viva agent test runs the cases of the demo from its root and writes the results beside them', async () => {
    const cwd = demo()
    const { exitCode, stdout } = await viva(
      ['agent', 'test', '-i', 'assistants/expense/tests/inputs.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain('ℹ Agent: expense\n')
    expect(stdout).toContain('ℹ Input: assistants/expense/tests/inputs.jsonl (7 test cases)')
    expect(stdout).toContain('✓ [greeting] Greets and says what it is for')
    const [output] = readdirSync(join(cwd, 'assistants/expense/tests')).filter((name) =>
      /^output-\d{14}\.jsonl$/.test(name),
    )
    const lines = readJsonl(join(cwd, 'assistants/expense/tests', output ?? ''))
    expect(lines[0]).toMatchObject({
      type: 'start',
      agent_id: 'expense',
      connector: 'scripted',
      total_cases: 7,
      schema_version: 2,
    })
    expect(lines.at(-1)).toMatchObject({
      type: 'summary',
      total: 7,
      passed: 6,
      skipped: 1,
      failed: 0,
      exit_code: 0,
    })
  })

  it('a message sent from the folder of the agent prints only the reply on stdout', async () => {
    const cwd = join(demo(), 'assistants/expense')
    const { exitCode, stdout } = await viva(['agent', 'test', '-i', 'hello there'], { cwd })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Hi! I can help you to file an expense.\n' })
    expect(readdirSync(cwd)).not.toContain('.viva')
  })

  it('an agent is found by every spelling of its id', async () => {
    const cwd = demo()
    for (const name of ['expense', 'assistants.expense', 'expense.agent', 'assistants.expense.agent']) {
      const { exitCode } = await viva(['test', '-i', 'hello there', '-n', name], { cwd })
      expect(exitCode).toBe(0)
    }
  })

  it('an unknown agent is refused with the nearest known id', async () => {
    const cwd = demo()
    const { exitCode, stderr } = await viva(['eval', 'expnse', 'hello there'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'unknown agent "expnse"; there are: expense, reporters.my-reporter, workers.test.generator, workers.test.user-simulator, workers.test.validator (did you mean "expense"?)',
    )
  })

  it('the failing example prints the differences and a command that runs only what failed', async () => {
    const cwd = demo()
    const { exitCode, stdout } = await viva(['test', '-i', 'assistants/expense/tests/failing.jsonl'], { cwd })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('+     "trains"')
    expect(stdout).toContain('create_expense was called, but amount was "3500", expected "3600"')
    expect(stdout).toContain("--run '^(wrong-limit|no-tool)$'")
  })

  it('every -o file is written, and missing parent folders are created', async () => {
    const cwd = demo()
    const args = [
      'test',
      '-i',
      'assistants/expense/tests/inputs.jsonl',
      '-o',
      'out/deep/x.json',
      '-o',
      'out/x.jsonl',
      '-o',
      'out/y.jsonl',
    ]
    expect((await viva(args, { cwd })).exitCode).toBe(0)
    const report = JSON.parse(readFileSync(join(cwd, 'out/deep/x.json'), 'utf8')) as {
      summary: Line
      results: Line[]
    }
    expect(report.summary).toMatchObject({
      total: 7,
      passed: 6,
      skipped: 1,
      agent_id: 'expense',
      connector: 'scripted',
      runs_per_case: 1,
      overall_pass_rate: 100,
    })
    expect(report).toMatchObject({
      environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    })
    expect(report.results.map(({ id, pass_rate }) => [id, pass_rate])).toContainEqual(['greeting', 100])
    expect(readFileSync(join(cwd, 'out/y.jsonl'), 'utf8')).toBe(
      readFileSync(join(cwd, 'out/x.jsonl'), 'utf8'),
    )
    expect(readdirSync(join(cwd, 'assistants/expense/tests')).sort()).toEqual([
      'conversations.jsonl',
      'failing.jsonl',
      'inputs.jsonl',
    ])
  })

  it('-r report.json without -o prints the report on stdout', async () => {
    const cwd = demo()
    const { stdout, stderr } = await viva(
      ['test', '-i', 'assistants/expense/tests/inputs.jsonl', '-r', 'report.json'],
      { cwd },
    )
    expect((JSON.parse(stdout) as { results: Line[] }).results).toHaveLength(7)
    expect(stderr).toContain('Summary')
  })

  it('an unknown connector is refused with the nearest known one', async () => {
    const { exitCode, stderr } = await viva(['test', '-i', 'hello there', '-n', 'expense', '-c', 'scriptd'], {
      cwd: demo(),
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'unknown connector "scriptd": there are scripted, scripted-helpers, scripted-user (did you mean "scripted"?)',
    )
  })
})

describe('viva test', () => {
  it('--run, also with one dash, and --tag select cases', async () => {
    const cwd = demo()
    const input = ['-i', 'assistants/expense/tests/inputs.jsonl']
    const listed = async (...args: string[]) =>
      (await viva(['test', ...input, '--list', ...args], { cwd })).stdout.split('\n').slice(0, -1)
    expect(await listed('-run', '^greet')).toEqual(['greeting - Greets and says what it is for [smoke]'])
    expect(await listed('--run', 'Flow$')).toEqual(['flow - Expense Reimbursement Flow'])
    expect(await listed('--tag', 'smoke')).toHaveLength(2)
    expect(await listed()).toHaveLength(7)
  })

  it('--dry-run validates the cases and calls no agent', async () => {
    const cwd = project({
      'agent.mjs': 'export default () => { throw new Error("called") }\n',
      'cases.jsonl': jsonl(hello),
    })
    const { exitCode, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--dry-run'], {
      cwd,
    })
    expect(exitCode).toBe(0)
    expect(stdout.split('\n')).toEqual([
      '✓ 1 case is valid; no agent was called',
      expect.stringMatching(/^ {2}Calls: {2}about 1 to the agent/),
      expect.stringMatching(/^ {2}Cost: {3}unknown/),
      '',
    ])
    expect(readdirSync(cwd).sort()).toEqual(['agent.mjs', 'cases.jsonl'])
  })

  it('--json prints the events as JSON lines and nothing else on stdout', async () => {
    const cwd = project({ 'agent.mjs': echo, 'cases.jsonl': jsonl(hello) })
    const { stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--json', '-o', 'x.jsonl'],
      { cwd },
    )
    const events = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line)
    expect(events.map(({ type }) => type)).toEqual([
      'run_started',
      'case_started',
      'exchange',
      'turn',
      'case_finished',
      'run_finished',
    ])
    expect(events[4]).toMatchObject({ id: 'hello', status: 'passed', output: 'you said: hello' })
  })

  it('folders and several files may be given, and ids must be unique only within a file', async () => {
    const cwd = project({
      'agent.mjs': echo,
      'tests/a.jsonl': jsonl(hello),
      'tests/deep/b.ndjson': jsonl(hello),
      'tests/output-20240101000000.jsonl': '{"type":"start"}\n',
      'tests/.hidden/c.jsonl': 'not JSON\n',
      'c.jsonl': jsonl(hello),
    })
    const { exitCode } = await viva(['test', 'tests', 'c.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], {
      cwd,
    })
    expect(exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl')).map(({ file }) => file)).toEqual([
      'tests/a.jsonl',
      'tests/deep/b.ndjson',
      'c.jsonl',
    ])
  })

  it('a run of a folder keeps its journal in .viva/runs', async () => {
    const cwd = project({ 'agent.mjs': echo, 'tests/a.jsonl': jsonl(hello), 'tests/b.jsonl': jsonl(hello) })
    await viva(['test', '-i', 'tests', '-n', './agent.mjs'], { cwd })
    const [journal] = readdirSync(join(cwd, '.viva/runs'))
    expect(results(join(cwd, '.viva/runs', journal ?? ''))).toHaveLength(2)
    expect(existsSync(join(cwd, '.viva/.gitignore'))).toBe(true)
  })

  it('a run of a folder with a single case file keeps its journal there too', async () => {
    const cwd = project({ 'agent.mjs': echo, 'tests/a.jsonl': jsonl(hello) })
    await viva(['test', '-i', 'tests', '-n', './agent.mjs'], { cwd })
    expect(readdirSync(join(cwd, '.viva/runs'))).toHaveLength(1)
    expect(readdirSync(join(cwd, 'tests'))).toEqual(['a.jsonl'])
  })

  it('an unchecked case passes with a warning, and a single-turn case passes though its reply is a question', async () => {
    const cwd = project({
      'agent.mjs': 'export default () => "What do you mean?"\n',
      'cases.jsonl': jsonl(
        { id: 'smoke', input: 'hello' },
        { id: 'question', input: 'hello', assert: { type: 'contains', value: 'mean' } },
      ),
    })
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain('1 passed case was not checked')
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([
      { id: 'smoke', status: 'passed', unchecked: true, awaiting_input: true },
      { id: 'question', status: 'passed', awaiting_input: true },
    ])
  })

  it('on_missing_input, as a field or a flag, decides whether a case that awaits input is skipped, fails or ends', async () => {
    const turns = [{ input: 'hello', assert: { type: 'contains', value: 'mean' } }]
    const cwd = project({
      'agent.mjs': 'export default () => "What do you mean?"\n',
      'cases.jsonl': jsonl(
        { id: 'skip', turns },
        { id: 'fail', turns, on_missing_input: 'fail' },
        { id: 'end', turns, on_missing_input: 'end' },
      ),
    })
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'],
      { cwd },
    )
    expect(results(join(cwd, 'x.jsonl')).map(({ id, status }) => [id, status])).toEqual([
      ['skip', 'skipped'],
      ['fail', 'failed'],
      ['end', 'passed'],
    ])
    expect(stdout).toContain('Reason: Agent awaiting input, no next turn defined')
    expect(exitCode).toBe(1)
    const flag = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--on-missing-input=end'],
      { cwd },
    )
    expect(flag.exitCode).toBe(0)
  })

  it('tools and patterns in the config decide which replies await input', async () => {
    const cwd = project({
      'viva.config.json': JSON.stringify({
        awaiting: { tools: ['open_form'], patterns: ['(?i)^over to you'], not: ['^Any thoughts\\?$'] },
      }),
      'agent.mjs': `export default (input) => ({
        tool: { content: 'See the form.', tool_calls: [{ name: 'ui__open_form', arguments: {} }] },
        words: 'The draft is there. Over to you!',
        not: 'The draft is there. Any thoughts?',
      })[input]\n`,
      'cases.jsonl': jsonl(...['tool', 'words', 'not'].map((input) => ({ id: input, turns: [{ input }] }))),
    })
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], { cwd })
    const turns = results(join(cwd, 'x.jsonl')).map((line) => line.turns)
    expect(turns).toMatchObject([
      [
        { awaiting_reason: 'tool_requires_confirmation', awaiting_match: 'ui__open_form' },
        { status: 'skipped' },
      ],
      [{ awaiting_reason: 'content_is_request', awaiting_match: 'Over to you!' }, { status: 'skipped' }],
      [{ awaiting_reason: 'completed', awaiting_input: false }],
    ])
  })

  it('a pattern in the config that is not RE2 is refused', async () => {
    const cwd = project({
      'viva.config.json': JSON.stringify({ awaiting: { patterns: ['fine', 'a(?=b)'] } }),
      'cases.jsonl': jsonl({ id: 'x', input: 'a' }),
    })
    const { exitCode, stderr } = await viva(['test', '-i', 'cases.jsonl', '--list'], { cwd })
    expect(stderr).toContain('viva.config.json')
    expect(stderr).toContain('awaiting.patterns[1]')
    expect(stderr).toContain('RE2 has no lookaheads')
    expect(exitCode).toBe(2)
  })

  it('text from outside cannot send control characters to the terminal', async () => {
    const evil = '\u001b[2J\u001b]0;pwned\u0007\u001b]52;c;aGk=\u0007\u202Egnp.exe\r'
    const cwd = project({
      'agent.mjs': `export default () => ${JSON.stringify(evil)}\n`,
      'cases.jsonl': jsonl({
        id: `id${evil}`,
        name: `name${evil}`,
        input: evil,
        assert: [{ type: 'contains', value: 'ZZZ', message: evil }],
      }),
    })
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '-v'],
      { cwd },
    )
    expect(exitCode).toBe(1)
    expect(stdout).toContain('\\x1b[2J')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it('the output has colours with FORCE_COLOR, and none with NO_COLOR or through a pipe', async () => {
    const cwd = project({ 'agent.mjs': echo, 'cases.jsonl': jsonl(hello) })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl']
    expect((await viva(args, { cwd, env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[32m✓')
    expect((await viva(args, { cwd, env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout).not.toContain(
      '\u001b',
    )
    expect((await viva(args, { cwd })).stdout).not.toContain('\u001b')
  })

  it('a run goes on after its stdout is closed', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      ...hello,
      id: `c${index}`,
      name: 'x'.repeat(500),
    }))
    const cwd = project({ 'agent.mjs': echo, 'cases.jsonl': jsonl(...many) })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--parallel', '4']
    const child = startViva(args, { cwd })
    child.stdout?.destroy()
    expect((await ended(child)).exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl'))).toHaveLength(300)
  })

  it('a message may have any length', async () => {
    const cwd = project({ 'agent.mjs': echo, 'cases.jsonl': jsonl(hello) })
    const long = 'hello world '.repeat(500)
    expect((await viva(['test', '-i', long, '-n', './agent.mjs'], { cwd })).stdout).toContain(
      `you said: ${long}`,
    )
  })

  it('viva eval reads @name as a file only when it is the name of a case file', async () => {
    const cwd = project({ 'agent.mjs': echo, 'cases.jsonl': jsonl(hello) })
    const ada = await viva(['eval', './agent.mjs', '@ada how are you'], { cwd })
    expect(ada.stdout).toBe('you said: @ada how are you\n')
    expect((await viva(['eval', './agent.mjs', '@cases.jsonl'], { cwd })).exitCode).toBe(0)
    expect((await viva(['eval', './agent.mjs', '@none.jsonl'], { cwd })).exitCode).toBe(2)
  })

  it('a single word that names no file or folder is refused', async () => {
    const cwd = project({ 'agent.mjs': echo, 'cases.jsonl': jsonl(hello) })
    expect((await viva(['test', '-i', 'tets', '-n', './agent.mjs'], { cwd })).stderr).toContain(
      'tets is not a file or folder',
    )
  })

  it('long runs of spaces in a reply do not slow down a check or its message', async () => {
    const cwd = project({
      'agent.mjs':
        "export default (input) => input === 'spaces' ? 'a' + ' '.repeat(300000) + 'b' : '```' + ' '.repeat(300000) + '!'\n",
      'cases.jsonl': jsonl(
        { id: 'spaces', input: 'spaces', expected: 'x' },
        { id: 'fence', input: 'fence', assert: { type: 'json_path', path: 'a', value: 1 } },
      ),
    })
    const { exitCode } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--timeout', '10s'],
      { cwd },
    )
    expect(exitCode).toBe(1)
  })

  it('a package without a connector is refused before anything runs', async () => {
    const cwd = demo()
    writeFileSync(join(cwd, 'assistants/expense/package.yao'), '{ "name": "x" }')
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'assistants/expense/tests/inputs.jsonl', '--dry-run'],
      { cwd },
    )
    expect(stderr).toContain('agent expense has no connector')
    expect(exitCode).toBe(2)
  })

  it('an input that is neither a file nor a folder is refused', async () => {
    const cwd = project({ 'agent.mjs': echo })
    spawnSync('mkfifo', [join(cwd, 'pipe.jsonl')])
    const { exitCode, stderr } = await viva(['test', '-i', 'pipe.jsonl', '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain('neither a file nor a folder')
    expect(exitCode).toBe(2)
  })

  it('viva --version prints the version', async () => {
    const cwd = project()
    expect((await viva(['--version'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('viva test --help lists the flags', async () => {
    const cwd = project()
    const help = await viva(['test', '--help'], { cwd })
    expect(help.exitCode).toBe(0)
    expect(help.stdout).toContain('--parallel <n>')
  })

  it('an unknown command is refused', async () => {
    const cwd = project()
    const unknown = await viva(['tset'], { cwd })
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain("unknown command 'tset'")
  })

  it('viva without a command exits with 2', async () => {
    const cwd = project()
    expect((await viva([], { cwd })).exitCode).toBe(2)
  })
})
