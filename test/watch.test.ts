import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPseudoTerminal, type PseudoTerminal } from './support/pseudo-terminal.ts'
import { demo, echoAgent, jsonl, project, readJsonl, results, viva } from './support/viva.ts'

const waiting = 'q quit'
const echo = (id: string, expected = id) => ({
  id,
  input: id,
  assert: { type: 'contains', value: expected },
})

/** Two case files in a folder, and an agent that repeats its input with a word of a module that it imports. */
function twoFiles(): string {
  return project({
    'agent.mjs': `import { word } from './word.mjs'\nexport default (input) => word + ': ' + input\n`,
    'word.mjs': `export const word = 'you said'\n`,
    'tests/orders.jsonl': jsonl(echo('order-1'), echo('order-2')),
    'tests/refunds.jsonl': jsonl(echo('refund-1')),
    'README.md': 'An app.',
  })
}

const testFolder = 'viva test tests -n ./agent.mjs -o out.jsonl --watch'

function write(cwd: string, file: string, text: string): void {
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  writeFileSync(join(cwd, file), text)
}

const ids = (cwd: string) => results(join(cwd, 'out.jsonl')).map(({ id }) => id)

/** Quits, and returns the exit code. */
function quit(terminal: PseudoTerminal): Promise<number | null> {
  terminal.type('q')
  return terminal.ended()
}

const runs = (terminal: PseudoTerminal) => terminal.shown().split('Running Tests').length - 1

describe('viva test --watch', () => {
  it('a changed case file runs only its cases, and the terminal says so', async () => {
    const cwd = twoFiles()
    const terminal = openPseudoTerminal(testFolder, { cwd })
    expect(await terminal.see(waiting)).toContain('● Watching · a all · f failed · t filter · u update')
    expect(ids(cwd)).toEqual(['order-1', 'order-2', 'refund-1'])
    write(cwd, 'tests/orders.jsonl', jsonl(echo('order-1'), echo('order-3')))
    expect(await terminal.see(waiting)).toContain('  2 cases of tests/orders.jsonl, changed\n')
    expect(ids(cwd)).toEqual(['order-1', 'order-3'])
    expect(await quit(terminal)).toBe(0)
    expect(runs(terminal)).toBe(2)
  })

  it('a new case file in the folder runs, and one that is removed is simply gone', async () => {
    const cwd = twoFiles()
    const terminal = openPseudoTerminal(testFolder, { cwd })
    await terminal.see(waiting)
    write(cwd, 'tests/more/new.jsonl', jsonl(echo('new-1')))
    expect(await terminal.see(waiting)).toContain('1 case of tests/more/new.jsonl, changed')
    rmSync(join(cwd, 'tests/more'), { recursive: true })
    write(cwd, 'tests/refunds.jsonl', jsonl(echo('refund-2')))
    expect(await terminal.see(waiting)).toContain('1 case of tests/refunds.jsonl, changed')
    expect(await quit(terminal)).toBe(0)
  })

  it('a folder of cases that is replaced is still watched', async () => {
    const cwd = twoFiles()
    const terminal = openPseudoTerminal(testFolder, { cwd })
    await terminal.see(waiting)
    rmSync(join(cwd, 'tests'), { recursive: true })
    write(cwd, 'tests/orders.jsonl', jsonl(echo('order-3')))
    expect(await terminal.see(waiting)).toContain('1 case of tests/orders.jsonl, changed')
    write(cwd, 'tests/orders.jsonl', jsonl(echo('order-4'), echo('order-5')))
    expect(await terminal.see(waiting)).toContain('2 cases of tests/orders.jsonl, changed')
    write(cwd, 'tests/new.jsonl', jsonl(echo('new-1')))
    expect(await terminal.see(waiting)).toContain('1 case of tests/new.jsonl, changed')
    expect(await quit(terminal)).toBe(0)
  })

  it('a module that the agent imports runs everything again, with the new code', async () => {
    const cwd = twoFiles()
    const terminal = openPseudoTerminal(testFolder, { cwd })
    await terminal.see(waiting)
    write(cwd, 'word.mjs', `export const word = 'you wrote'\n`)
    const shown = await terminal.see(waiting)
    expect(shown).toContain('  word.mjs changed: everything runs again')
    expect(ids(cwd)).toHaveLength(3)
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toContain('you wrote: order-1')
    await quit(terminal)
  })

  it('u accepts a changed reply as the snapshot', async () => {
    const cwd = twoFiles()
    write(cwd, 'tests/orders.jsonl', jsonl({ id: 'order-1', input: 'a', assert: { type: 'snapshot' } }))
    const terminal = openPseudoTerminal(testFolder, { cwd })
    expect(await terminal.see(waiting)).toContain('Snapshots: 1 written')
    write(cwd, 'word.mjs', `export const word = 'you wrote'\n`)
    expect(await terminal.see(waiting)).toContain('the snapshot has "you said: a"')
    terminal.type('u')
    expect(await terminal.see(waiting)).toContain('Snapshots: 1 updated')
    expect(readFileSync(join(cwd, 'tests/orders.jsonl.snap'), 'utf8')).toContain('    you wrote: a')
    expect(await quit(terminal)).toBe(0)
  })

  it('u after f keeps the snapshots of the cases that passed', async () => {
    const cwd = twoFiles()
    const kept = join(cwd, 'tests/orders.jsonl.snap')
    const snapshot = (id: string) => ({ id, input: id, assert: { type: 'snapshot' } })
    write(cwd, 'tests/orders.jsonl', jsonl(snapshot('order-1'), snapshot('order-2')))
    const terminal = openPseudoTerminal(testFolder, { cwd })
    await terminal.see(waiting)
    writeFileSync(kept, readFileSync(kept, 'utf8').replace('you said: order-2', 'something else'))
    for (const key of ['a', 'f', 'u']) {
      terminal.type(key)
      expect(await terminal.see(waiting)).not.toContain('removed')
    }
    expect(readFileSync(kept, 'utf8')).toMatch(/you said: order-1.*you said: order-2/s)
    expect(await quit(terminal)).toBe(0)
  })

  it('a prompt of a package runs everything again', async () => {
    const cwd = demo()
    const terminal = openPseudoTerminal(
      'viva test assistants/expense/tests/inputs.jsonl -o out.jsonl --watch',
      { cwd },
    )
    await terminal.see(waiting)
    appendFileSync(join(cwd, 'assistants/expense/prompts.yml'), '\n# a comment\n')
    expect(await terminal.see(waiting)).toContain('assistants/expense/prompts.yml changed')
    await quit(terminal)
    expect(runs(terminal)).toBe(2)
  })

  it('200 files that change at once are one run', async () => {
    const cwd = twoFiles()
    const terminal = openPseudoTerminal(testFolder, { cwd })
    await terminal.see(waiting)
    const files = Array.from({ length: 200 }, (_, number) => [
      `${number % 5}/${number}.jsonl`,
      jsonl(echo(`case-${number}`)),
    ])
    const prepared = project(Object.fromEntries(files))
    for (const name of readdirSync(prepared)) renameSync(join(prepared, name), join(cwd, 'tests', name))
    expect(await terminal.see(waiting)).toContain('200 cases of tests/0/0.jsonl')
    expect(ids(cwd)).toHaveLength(200)
    // A second run would have begun before this one.
    terminal.type('a')
    await terminal.see('203 test cases')
    await terminal.see(waiting)
    await quit(terminal)
    expect(runs(terminal)).toBe(3)
  })

  it('what viva writes, and files that nothing uses, are no reason to run again', async () => {
    const cwd = twoFiles()
    const terminal = openPseudoTerminal(testFolder, { cwd })
    await terminal.see(waiting)
    for (const file of [
      'README.md',
      '.git/index',
      'node_modules/a/index.js',
      'coverage/lcov.info',
      'agent.log',
    ])
      write(cwd, file, 'changed')
    write(cwd, 'tests/output-20260101000000.jsonl', readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
    write(cwd, 'kept.jsonl', readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
    await viva(['test', 'tests', '-n', './agent.mjs'], { cwd })
    // Were one of these a reason, it would be named before this one.
    write(cwd, 'word.mjs', `export const word = 'you wrote'\n`)
    expect(await terminal.see('changed: everything runs again')).toMatch(
      /\n {2}word\.mjs changed: everything runs again$/,
    )
    await terminal.see(waiting)
    await quit(terminal)
    expect(runs(terminal)).toBe(2)
  })

  it('a config that is broken and mended runs again', async () => {
    const cwd = project({
      'viva.config.ts': `export default { agent: './agent.mjs', inputs: ['cases.jsonl'] }\n`,
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(echo('a')),
    })
    const terminal = openPseudoTerminal('viva test --watch', { cwd })
    await terminal.see(waiting)
    write(cwd, 'viva.config.ts', 'export default {')
    expect(await terminal.see(waiting)).toContain('✗ viva.config.ts')
    write(
      cwd,
      'viva.config.ts',
      `export default { agent: './agent.mjs', inputs: ['cases.jsonl'], agnts: {} }\n`,
    )
    expect(await terminal.see(waiting)).toContain('agnts')
    write(cwd, 'viva.config.ts', `export default { agent: './agent.mjs', inputs: ['cases.jsonl'] }\n`)
    expect(await terminal.see(waiting)).toContain('Passed:  1')
    expect(await quit(terminal)).toBe(0)
  })

  it('a module that does not compile from the start is watched, and so is what it lacks', async () => {
    const cwd = twoFiles()
    rmSync(join(cwd, 'word.mjs'))
    const terminal = openPseudoTerminal(testFolder, { cwd })
    expect(await terminal.see(waiting)).toContain('word.mjs')
    write(cwd, 'word.mjs', 'export const word = (')
    await terminal.see(waiting)
    write(cwd, 'word.mjs', `export const word = 'you said'\n`)
    expect(await terminal.see(waiting)).toContain('Passed:  3')
    expect(await quit(terminal)).toBe(0)
  })

  it('a case file with a mistake is shown, and everything that was to run runs when it is mended', async () => {
    const cwd = twoFiles()
    write(cwd, 'tests/orders.jsonl', '{"id": "order-1", "input": 1, "asserts": []}\n')
    const terminal = openPseudoTerminal(testFolder, { cwd })
    expect(await terminal.see(waiting)).toContain('unknown key "asserts"')
    write(cwd, 'tests/orders.jsonl', jsonl(echo('order-1')))
    expect(await terminal.see(waiting)).toContain('Passed:  2')
    write(cwd, 'tests/orders.jsonl', '{')
    expect(await terminal.see(waiting)).toContain('✗ tests/orders.jsonl:1')
    expect(await quit(terminal)).toBe(2)
  })

  it('a module outside of the project that the agent imports is watched', async () => {
    const folder = project({
      'shared/word.mjs': `export const word = 'one'\n`,
      'app/agent.mjs': `import { word } from '../shared/word.mjs'\nexport default () => word\n`,
      'app/cases.jsonl': jsonl({ id: 'a', input: 'x', assert: { type: 'equals', value: 'two' } }),
    })
    const cwd = join(folder, 'app')
    const terminal = openPseudoTerminal('viva test cases.jsonl -n ./agent.mjs --watch', { cwd })
    expect(await terminal.see(waiting)).toContain('Failed:  1')
    write(folder, 'shared/word.mjs', `export const word = 'two'\n`)
    expect(await terminal.see(waiting)).toContain('Passed:  1')
    expect(await quit(terminal)).toBe(0)
  })

  it('the file that a script test tests runs its tests only', async () => {
    const cwd = project({
      'src/sum.ts': 'export const sum = (a: number, b: number) => a + b\n',
      'src/sum_test.ts': `import { sum } from './sum'\nexport function TestSum(t) { t.assert.Equal(sum(1, 2), 3) }\n`,
      'src/other.ts': 'export const other = 1\n',
      'src/other_test.ts': `import { other } from './other'\nexport function TestOther(t) { t.assert.Equal(other, 1) }\n`,
    })
    const command = 'viva test src/sum_test.ts src/other_test.ts -o out.jsonl --watch'
    const terminal = openPseudoTerminal(command, { cwd })
    await terminal.see(waiting)
    expect(ids(cwd)).toHaveLength(2)
    write(cwd, 'src/sum.ts', 'export const sum = (a: number, b: number) => b + a\n')
    expect(await terminal.see(waiting)).toContain('1 case of src/sum_test.ts, changed')
    write(cwd, 'src/other_test.ts', `export function TestOther(t) { t.assert.Equal(other, 1) }\n`)
    expect(await terminal.see(waiting)).toContain('1 case of src/other_test.ts, changed')
    expect(await quit(terminal)).toBe(0)
  })

  it('a file of one of several packages under test runs the cases with that agent', async () => {
    const pack = (id: string) => ({
      [`assistants/${id}/package.yao`]: JSON.stringify({ name: id, connector: 'mind' }),
      [`assistants/${id}/prompts.yml`]: '- {role: system, content: Be kind.}',
    })
    const cwd = project({
      'app.yao': '{}',
      ...pack('zebra'),
      ...pack('yak'),
      'connectors/mind.conn.yao': JSON.stringify({
        type: 'scripted',
        options: { rules: [{ reply: 'Yes' }] },
      }),
      'cases.jsonl': jsonl({ id: 'a', input: 'Hello', assert: { type: 'equals', value: 'Yes' } }),
    })
    const terminal = openPseudoTerminal('viva test cases.jsonl -n zebra -n yak -o out.jsonl --watch', { cwd })
    await terminal.see(waiting)
    expect(results(join(cwd, 'out.jsonl'))).toHaveLength(2)
    write(cwd, 'assistants/yak/prompts.yml', '- {role: system, content: Be brief.}')
    expect(await terminal.see(waiting)).toContain('1 case with yak, changed')
    expect(results(join(cwd, 'out.jsonl')).map(({ variant }) => variant)).toEqual(['yak@mind'])
    await quit(terminal)
  })
})

/** An agent that answers at once, unless a file says that it must wait. */
const slowAgent = `import { existsSync } from 'node:fs'
export default async (input) => {
  while (existsSync('wait') && input === 'slow') await new Promise((resolve) => setTimeout(resolve, 20))
  return 'you said: ' + input
}
`

describe('a change while a run of --watch is under way', () => {
  it('stops the run, keeps what is finished, and runs again; the history has no failure of it', async () => {
    const cwd = project({
      'agent.mjs': slowAgent,
      'cases.jsonl': jsonl(echo('quick', 'nothing like it'), echo('slow')),
      wait: '',
    })
    const terminal = openPseudoTerminal('viva test cases.jsonl -n ./agent.mjs --watch', { cwd })
    await terminal.see('running: slow')
    write(cwd, 'cases.jsonl', jsonl(echo('quick'), echo('slow')))
    await terminal.see('Results: ')
    const [, first] = /Results: (\S+)/.exec(terminal.shown()) ?? []
    await terminal.see('running: slow')
    expect(results(join(cwd, first ?? '')).map(({ id, status }) => [id, status])).toEqual([
      ['quick', 'failed'],
      ['slow', 'interrupted'],
    ])
    expect(existsSync(join(cwd, '.viva/history.jsonl'))).toBe(false)
    rmSync(join(cwd, 'wait'))
    expect(await terminal.see(waiting)).toContain('Passed:  2')
    expect(await quit(terminal)).toBe(0)
    const history = readJsonl(join(cwd, '.viva/history.jsonl'))
    expect(history.map(({ id, failed }) => [id, failed])).toEqual([
      ['quick', 0],
      ['slow', 0],
    ])
  })

  it('an agent that writes to the project does not start runs for ever', async () => {
    const cwd = project({
      'agent.mjs': `import { appendFileSync } from 'node:fs'
export default (input) => { appendFileSync('orders.json', 'x'); return input }
`,
      'cases.jsonl': jsonl(echo('a')),
      'orders.json': '',
    })
    const terminal = openPseudoTerminal('viva test cases.jsonl -n ./agent.mjs --watch', { cwd })
    await terminal.see('orders.json changes in every run')
    expect(runs(terminal)).toBe(3)
    write(cwd, 'orders.json', '[]')
    await terminal.see('orders.json changed: everything runs again')
    await terminal.see(waiting)
    await quit(terminal)
  })

  it('Ctrl-C ends the run and the session, and restores the terminal', async () => {
    const cwd = project({ 'agent.mjs': slowAgent, 'cases.jsonl': jsonl(echo('slow')), wait: '' })
    const terminal = openPseudoTerminal(
      'viva test cases.jsonl -n ./agent.mjs -o out.jsonl --watch; echo "exit $?"; stty -a',
      { cwd },
    )
    await terminal.see('running: slow')
    terminal.type('\u0003')
    await terminal.see('exit 130')
    await terminal.ended()
    expect(terminal.shown()).toMatch(/ icanon.* echo /)
    expect(results(join(cwd, 'out.jsonl'))).toMatchObject([{ status: 'interrupted' }])
  })

  it('q stops the run, and a key starts another one', async () => {
    const cwd = project({ 'agent.mjs': slowAgent, 'cases.jsonl': jsonl(echo('slow'), echo('b')), wait: '' })
    const terminal = openPseudoTerminal('viva test cases.jsonl -n ./agent.mjs --watch', { cwd })
    await terminal.see('running: slow')
    terminal.type('\r')
    await terminal.see('Stopped:')
    await terminal.see('running: slow')
    expect(await quit(terminal)).toBe(130)
  })
})

describe('the keys of --watch', () => {
  function someFail(): string {
    return project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(echo('order'), echo('refund'), echo('wrong', 'something else')),
    })
  }
  const command = 'viva test cases.jsonl -n ./agent.mjs -o out.jsonl --watch'

  it('f runs what failed, Enter runs it again, a runs all, and q ends with the code of the last run', async () => {
    const cwd = someFail()
    const terminal = openPseudoTerminal(command, { cwd })
    await terminal.see(waiting)
    terminal.type('f')
    expect(await terminal.see(waiting)).toContain('1 case that did not pass')
    expect(ids(cwd)).toEqual(['wrong'])
    terminal.type('\r')
    await terminal.see(waiting)
    expect(ids(cwd)).toEqual(['wrong'])
    terminal.type('a')
    await terminal.see(waiting)
    expect(ids(cwd)).toEqual(['order', 'refund', 'wrong'])
    write(cwd, 'cases.jsonl', jsonl(echo('order'), echo('wrong')))
    await terminal.see(waiting)
    terminal.type('f')
    await terminal.see('No case is failing now')
    expect(await quit(terminal)).toBe(0)
  })

  it('q ends with 1 when a case of the last run failed', async () => {
    const terminal = openPseudoTerminal(command, { cwd: someFail() })
    await terminal.see(waiting)
    expect(await quit(terminal)).toBe(1)
  })

  it('t runs the cases that match a pattern, until it is cleared', async () => {
    const cwd = someFail()
    const terminal = openPseudoTerminal(command, { cwd })
    await terminal.see(waiting)
    terminal.type('t')
    await terminal.see('Filter: ')
    terminal.type('([\r')
    await terminal.see('✗ the pattern must be in RE2 syntax')
    await terminal.see('Filter: ')
    terminal.type('qx\u007f\u007fref.nd\r')
    expect(await terminal.see(waiting)).toContain('Watching · filter "ref.nd" · ')
    expect(ids(cwd)).toEqual(['refund'])
    write(cwd, 'agent.mjs', `${echoAgent}// changed\n`)
    await terminal.see(waiting)
    expect(ids(cwd)).toEqual(['refund'])
    write(cwd, 'cases.jsonl', jsonl(echo('order'), echo('wrong', 'something else')))
    expect(await terminal.see(waiting)).toContain('⚠ none of the 2 cases matches the filter')
    write(cwd, 'cases.jsonl', jsonl(echo('order'), echo('refund'), echo('wrong', 'something else')))
    await terminal.see(waiting)
    terminal.type('t')
    await terminal.see('Filter (instead of "ref.nd"): ')
    terminal.type('\r')
    await terminal.see(waiting)
    expect(ids(cwd)).toEqual(['order', 'refund', 'wrong'])
    await quit(terminal)
  })

  it('Ctrl-C ends the session while it waits, and while a pattern is typed', async () => {
    for (const keys of ['', 't']) {
      const terminal = openPseudoTerminal(`${command}; echo "exit $?"`, { cwd: someFail() })
      await terminal.see(waiting)
      terminal.type(keys)
      if (keys === 't') await terminal.see('Filter: ')
      terminal.type('\u0003')
      await terminal.see('exit 130')
    }
  })

  it('nobody is asked in a case that asks for a person: the keys are those of the session', async () => {
    const cwd = project({
      'agent.mjs': `export default () => ({ content: 'Go on?', awaiting_input: true })`,
      'cases.jsonl': jsonl({ id: 'a', turns: [{ input: 'x' }], interactive: { enabled: true } }),
    })
    const terminal = openPseudoTerminal('viva test cases.jsonl -n ./agent.mjs --watch', { cwd })
    expect(await terminal.see(waiting)).toContain('Skipped: 1')
    expect(await quit(terminal)).toBe(2)
  })
})

describe('the costs of --watch', () => {
  it('are those of all runs of the session', async () => {
    const cwd = project({
      'viva.config.json': JSON.stringify({ agent: './agent.mjs' }),
      'agent.mjs': `export default () => ({ content: 'a', usage: { input_tokens: 600, output_tokens: 17 } })`,
      'cases.jsonl': jsonl({ id: 'a', input: 'x' }, { id: 'b', input: 'x' }),
    })
    const terminal = openPseudoTerminal('viva test cases.jsonl --watch', { cwd })
    expect(await terminal.see(waiting)).toContain('Watching · 1,234 tokens in this session · ')
    terminal.type('\r')
    expect(await terminal.see(waiting)).toContain('Watching · 2,468 tokens in this session · ')
    await quit(terminal)
  })
})

describe('what --watch refuses', () => {
  const files = { 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(echo('a')) }

  it.each([
    [['cases.jsonl', '--interactive'], '✗ --watch cannot be combined with --interactive'],
    [['cases.jsonl', '--json'], '✗ --watch cannot be combined with --json'],
    [['cases.jsonl', '--list'], '✗ --watch cannot be combined with --list'],
    [['cases.jsonl', '--dry-run'], '✗ --watch cannot be combined with --dry-run'],
    [['cases.jsonl', '--resume', 'out.jsonl'], '✗ --watch cannot be combined with --resume'],
    [['cases.jsonl', '-r', 'report.html'], '✗ --watch cannot print a report on stdout after every run'],
    [['-i', '-'], '✗ --watch cannot read cases from stdin'],
    [['cases.jsonl'], '✗ --watch needs a terminal'],
  ])('%s', async (flags, message) => {
    const args = ['test', '-n', './agent.mjs', '--watch', ...flags]
    const { exitCode, stdout, stderr } = await viva(args, { cwd: project(files), env: { CI: '' } })
    expect(stderr).toContain(message)
    expect([exitCode, stdout]).toEqual([2, ''])
  })

  it.each([
    ['a message', '"hello there"', '✗ --watch cannot be combined with a message', {}],
    ['a file that is not there', 'missing.jsonl', '✗ no such file or folder: missing.jsonl', {}],
    ['a pipe instead of a terminal', 'cases.jsonl | cat; exit 2', '✗ --watch needs a terminal', {}],
    ['a run in CI', 'cases.jsonl', '✗ --watch waits for changes, and would never end in CI', { CI: 'true' }],
  ])('%s', async (_, flags, message, env) => {
    const command = `viva test -n ./agent.mjs --watch ${flags}`
    const terminal = openPseudoTerminal(command, { cwd: project(files), env })
    expect(await terminal.ended()).toBe(2)
    expect(terminal.shown()).toContain(message)
  })
})
