import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHttpAgent } from './support/http-agent.ts'
import { openPseudoTerminal } from './support/pseudo-terminal.ts'
import {
  demo,
  installViva,
  jsonl,
  type Line,
  type Played,
  play,
  project,
  readJsonl,
  results,
  viva,
} from './support/viva.ts'

/** Answers with what it was given, so that a reply shows its history. Asks when it is told to. */
const listener = `export default (input, { history = [] }) => {
  if (input === 'break') throw new Error('it broke')
  const heard = [...history.map(({ content }) => content), input].join(' | ')
  return { content: heard, awaiting_input: /ask/.test(input) }
}
`

const talk = {
  id: 'talk',
  name: 'A talk',
  turns: [
    { input: 'one', assert: { type: 'contains', value: 'one' } },
    { input: 'two', description: 'the second', assert: { type: 'contains', value: 'two' } },
    { input: 'three', assert: { type: 'contains', value: 'one' } },
  ],
}

/** A project whose \`results.jsonl\` has these cases. */
async function recorded(
  cases: readonly object[] = [talk],
  files: Record<string, string> = {},
): Promise<string> {
  const cwd = project({ 'agent.mjs': listener, ...files })
  await play(cwd, cases, ['-n', './agent.mjs'])
  return cwd
}

interface Branched extends Played {
  result: Line | undefined
}

async function branch(cwd: string, ...args: string[]): Promise<Branched> {
  const { exitCode, stdout, stderr } = await viva(['branch', 'results.jsonl', ...args], { cwd })
  const written = /^ {2}Results: (.+\.jsonl)$/m.exec(stdout)?.[1]
  const lines = written === undefined ? [] : results(join(cwd, written))
  return { exitCode, stdout, stderr, output: stdout + stderr, lines, result: lines[0] }
}

const turnsOf = (line: Line | undefined) => (line?.turns ?? []) as Line[]
const inputs = (line: Line | undefined) => turnsOf(line).map(({ input }) => input)
const replies = (line: Line | undefined) => turnsOf(line).map(({ response }) => response)

describe('the files of viva branch', () => {
  const files = {
    'agent.mjs': `export default (input, { history = [] }) => {
  const parts = [...history.map(({ content }) => content), input].flat()
  return parts.filter(({ source }) => source).map(({ source }) => Buffer.from(source.split(',')[1], 'base64').toString()).join(' ') || 'none'
}
`,
    'note.txt': 'the note',
    'private.txt': 'the private file',
    '.env': 'COLOUR=ultramarine',
  }
  const attaches = (name: string) => ({
    id: 'a',
    turns: [{ input: 'x', attachments: [{ type: 'file', source: `file://./${name}` }] }],
  })

  const answer = (line: Line | undefined) => line?.response ?? replies(line)[0]

  it('a file is sent again if the case in its file attaches it', async () => {
    const cwd = await recorded([attaches('note.txt')], files)
    const { result, stderr } = await branch(cwd, 'a', '--turn', '2', '--say', 'hi')
    expect(answer(result)).toBe('the note')
    expect(stderr).not.toContain('left out')
    expect(answer((await branch(cwd, 'a', '--turn', '1')).result)).toBe('the note')
  })

  it('a saved file is named from the new case file, so that it is found in another checkout', async () => {
    const cwd = project({ ...files, 'tests/note.txt': 'the note beside the cases' })
    writeFileSync(join(cwd, 'tests/cases.jsonl'), jsonl(attaches('note.txt')))
    await viva(['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl'], { cwd })
    await branch(cwd, 'a', '--turn', '1', '--save', 'saved/cases.jsonl')
    await branch(cwd, 'a', '--turn', '2', '--say', 'hi', '--save', 'saved/cases.jsonl')
    const elsewhere = project(files)
    for (const folder of ['tests', 'saved'])
      cpSync(join(cwd, folder), join(elsewhere, folder), { recursive: true })
    const flags = ['-i', 'saved/cases.jsonl', '-n', './agent.mjs', '-o', 'again.jsonl']
    expect((await viva(['test', ...flags], { cwd: elsewhere })).exitCode).toBe(0)
    expect(results(join(elsewhere, 'again.jsonl')).map(answer)).toEqual([
      'the note beside the cases',
      'the note beside the cases',
    ])
  })

  it.each(['private.txt', '.env'])('%s is not sent because an edited results file names it', async (name) => {
    const cwd = await recorded([attaches('note.txt')], files)
    const text = readFileSync(join(cwd, 'results.jsonl'), 'utf8')
    writeFileSync(join(cwd, 'results.jsonl'), text.replaceAll('note.txt', name))
    for (const flags of [
      ['--turn', '2', '--say', 'hi'],
      ['--turn', '1'],
    ]) {
      const { result, stderr } = await branch(cwd, 'a', ...flags)
      expect(answer(result)).toBe('none')
      expect(stderr).toMatch(new RegExp(`1 attached file is left out, .*${name.replace('.', '\\.')}`))
    }
  })

  it('a hidden file is never sent, and neither is one of a case that is code', async () => {
    const cwd = await recorded([attaches('.env')], files)
    expect(answer((await branch(cwd, 'a', '--turn', '1')).result)).toBe('none')
    const code = `import { writeFileSync } from 'node:fs'
writeFileSync('ran.txt', '')
export default [${JSON.stringify(attaches('private.txt'))}]\n`
    writeFileSync(join(cwd, 'cases.mjs'), code)
    const text = readFileSync(join(cwd, 'results.jsonl'), 'utf8').replaceAll('cases.jsonl', 'cases.mjs')
    writeFileSync(join(cwd, 'results.jsonl'), text.replaceAll('.env', 'private.txt'))
    expect(answer((await branch(cwd, 'a', '--turn', '1')).result)).toBe('none')
    expect(existsSync(join(cwd, 'ran.txt'))).toBe(false)
  })
})

describe('viva branch', () => {
  it('the recorded messages are sent again from the turn on, with their checks and the turns before as history', async () => {
    const cwd = await recorded()
    const { exitCode, result, stdout } = await branch(cwd, 'talk', '--turn', '2')
    expect(exitCode).toBe(0)
    expect(inputs(result)).toEqual(['two', 'three'])
    expect(replies(result)[0]).toContain('two')
    expect(result).toMatchObject({ status: 'passed', history: [{ content: 'one' }, { role: 'assistant' }] })
    expect(turnsOf(result)[0]).toMatchObject({ description: 'the second', assertions: [{ value: 'two' }] })
    expect(stdout).toContain('History: 2 messages')
    expect(stdout).toContain('User:  "one"')
  })

  it('a branch at turn 1 plays the whole case, and a case is found by its name or its file too', async () => {
    const cwd = await recorded()
    for (const wanted of ['talk', 'A talk', 'cases.jsonl:talk']) {
      const { exitCode, result } = await branch(cwd, wanted, '--turn', '1')
      expect(exitCode).toBe(0)
      expect(inputs(result)).toEqual(['one', 'two', 'three'])
    }
  })

  it('a single-turn case stays one, with its check', async () => {
    const cwd = await recorded([{ id: 'one', input: 'hello', assert: { type: 'contains', value: 'bye' } }])
    const { exitCode, result } = await branch(cwd, 'one', '--turn', '1')
    expect(exitCode).toBe(1)
    expect(result).toMatchObject({ mode: 'single_turn', input: 'hello', status: 'failed' })
  })

  it('--say replaces the recorded messages, and their checks do not apply', async () => {
    const cwd = await recorded()
    const { exitCode, result, stdout } = await branch(
      cwd,
      'talk',
      '--turn',
      '3',
      '--say',
      'ask',
      '--say',
      'x',
    )
    expect(exitCode).toBe(0)
    expect(inputs(result)).toEqual(['ask', 'x'])
    expect(result).toMatchObject({
      status: 'passed',
      unchecked: true,
      name: expect.stringContaining('turn 3'),
    })
    expect(stdout).toContain('was not checked')
  })

  it('a conversation goes on after its end, and a question at the end does not skip it', async () => {
    const cwd = await recorded()
    const { exitCode, result } = await branch(cwd, 'talk', '--turn', '4', '--say', 'ask')
    expect(exitCode).toBe(0)
    expect(result).toMatchObject({ total_turns: 1, status: 'passed' })
    const failing = ['--turn', '4', '--say', 'ask', '--on-missing-input', 'fail']
    expect((await branch(cwd, 'talk', ...failing)).exitCode).toBe(1)
  })

  it('results are kept in .viva/branches or where -o says, and are not in the history', async () => {
    const cwd = await recorded()
    const before = (await viva(['history', 'talk'], { cwd })).stdout
    const { exitCode } = await branch(cwd, 'talk', '--turn', '2', '-o', 'out.jsonl', '-o', 'out.html')
    expect(exitCode).toBe(0)
    const [start] = readJsonl(join(cwd, 'out.jsonl'))
    expect(start?.command).toBe('viva branch results.jsonl talk --turn 2')
    expect(existsSync(join(cwd, '.viva/branches'))).toBe(false)
    expect(existsSync(join(cwd, 'out.html'))).toBe(true)
    expect((await viva(['history', 'talk'], { cwd })).stdout).toBe(before)
    const again = await viva(['branch', 'out.jsonl', 'talk', '--turn', '2', '--say', 'more'], { cwd })
    expect(again.exitCode).toBe(0)
  })

  it('the variant and the run are chosen, and several variants are an error that lists them', async () => {
    const cwd = project({ 'agent.mjs': listener, 'other.mjs': 'export default () => "other"' })
    await play(cwd, [talk], ['-n', './agent.mjs', '-n', './other.mjs', '--runs', '2'])
    const several = await branch(cwd, 'talk', '--turn', '2')
    expect(several.exitCode).toBe(2)
    expect(several.stderr).toContain('choose one with --variant: agent.mjs, other.mjs')
    const chosen = await branch(cwd, 'talk', '--turn', '1', '--variant', 'other.mjs', '--run-number', '2')
    expect(chosen.result).toMatchObject({ variant: 'other.mjs', status: 'failed' })
    const missing = await branch(cwd, 'talk', '--turn', '1', '--variant', 'other.mjs', '--run-number', '3')
    expect(missing.exitCode).toBe(2)
    expect(missing.stderr).toContain('choose one with --run-number: 1, 2')
  })

  it('the same id in two files is ambiguous without the file', async () => {
    const cwd = project({ 'agent.mjs': listener, 'a.jsonl': jsonl(talk), 'b.jsonl': jsonl(talk) })
    await viva(['test', 'a.jsonl', 'b.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl'], { cwd })
    const { exitCode, stderr } = await branch(cwd, 'talk', '--turn', '2')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('name one of a.jsonl:talk, b.jsonl:talk')
    expect((await branch(cwd, 'b.jsonl:talk', '--turn', '2')).exitCode).toBe(0)
  })
})

describe('viva branch --save', () => {
  it('the branch is added to a case file, which keeps its bytes and can be run', async () => {
    const cwd = await recorded()
    const before = '// my cases\n{"id": "talk",\n  "input": "hi"}'
    writeFileSync(join(cwd, 'kept.jsonl'), before)
    for (const flags of [
      ['--turn', '2'],
      ['--turn', '2', '--say', 'no'],
    ]) {
      const { exitCode, stdout } = await branch(cwd, 'talk', ...flags, '--save', 'kept.jsonl')
      expect(exitCode).toBe(0)
      expect(stdout).toContain('Saved: talk-')
    }
    const text = readFileSync(join(cwd, 'kept.jsonl'), 'utf8')
    expect(text.startsWith(`${before}\n{"id":"talk-2"`)).toBe(true)
    const saved = text
      .trimEnd()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line))
    expect(saved).toMatchObject([
      {
        id: 'talk-2',
        name: 'A talk (branched from results.jsonl, case talk, turn 2)',
        messages: [{ content: 'one' }, { role: 'assistant' }],
        turns: [{ input: 'two', assert: [{ type: 'contains' }] }, { input: 'three' }],
      },
      { id: 'talk-3', turns: [{ input: 'no' }] },
    ])
    const run = await viva(['test', '-i', 'kept.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl'], { cwd })
    expect(run.exitCode).toBe(0)
    expect(results(join(cwd, 'out.jsonl')).map(({ id, total_turns }) => [id, total_turns])).toEqual([
      ['talk', 1],
      ['talk-2', 2],
      ['talk-3', 1],
    ])
  })

  it('a branch that fails is saved with the checks of turns that were not reached', async () => {
    const turns = [
      { input: 'one' },
      { input: 'two' },
      { input: 'three', assert: { type: 'contains', value: 'x' } },
    ]
    const cwd = await recorded([{ id: 'talk', turns }])
    writeFileSync(join(cwd, 'agent.mjs'), 'export default () => { throw new Error("down") }')
    const { exitCode } = await branch(cwd, 'talk', '--turn', '2', '--save', 'new/kept.jsonl')
    expect(exitCode).toBe(1)
    const [saved] = readJsonl(join(cwd, 'new/kept.jsonl'))
    expect(saved?.turns).toEqual([
      { input: 'two' },
      { input: 'three', assert: [{ type: 'contains', value: 'x' }] },
    ])
  })

  it.each([
    ['cases.yaml', 'cases are added to a .jsonl file'],
    ['results.jsonl', 'results are read from it'],
    ['old.jsonl', 'it is a results file'],
    ['torn.jsonl', 'line 2: '],
    ['latin.jsonl', 'not valid UTF-8'],
    ['folder.jsonl', 'it is a folder'],
  ])('%s is refused before anything is said', async (file, message) => {
    const cwd = await recorded()
    writeFileSync(join(cwd, 'old.jsonl'), readFileSync(join(cwd, 'results.jsonl')))
    writeFileSync(join(cwd, 'torn.jsonl'), '{"id": "a", "input": "x"}\n{"id": "b", "in')
    writeFileSync(join(cwd, 'latin.jsonl'), Buffer.from('{"id": "\xe4"}\n', 'latin1'))
    mkdirSync(join(cwd, 'folder.jsonl'))
    const { exitCode, stderr } = await branch(cwd, 'talk', '--turn', '2', '--save', file)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(file === 'folder.jsonl' ? 3 : 2)
    expect(existsSync(join(cwd, '.viva/branches'))).toBe(false)
  })

  it('private data is not saved, and a secret is not either', async () => {
    const cwd = await recorded()
    for (const flag of [['--no-transcripts'], ['--mask', 'email']]) {
      const { exitCode, stderr } = await branch(cwd, 'talk', '--turn', '2', '--save', 'x.jsonl', ...flag)
      expect(exitCode).toBe(2)
      expect(stderr).toContain('private data is not recorded here')
    }
    const env = { MY_TOKEN: 'abcdefgh12345' }
    const said = ['--turn', '2', '--say', 'It is abcdefgh12345', '--save', 'x.jsonl']
    const { exitCode, stderr } = await viva(['branch', 'results.jsonl', 'talk', ...said], { cwd, env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('the case holds a secret')
    expect(existsSync(join(cwd, 'x.jsonl'))).toBe(false)
  })
})

describe('what viva branch --save names', () => {
  const folders = {
    'agent.mjs': listener,
    'tests/checks.ts': 'export const ok = () => true\n',
    'tests/judge.mjs': "export default () => ({ passed: true, reason: 'fine' })\n",
    'tests/cases.jsonl': jsonl({
      id: 'named',
      turns: [
        {
          input: 'one',
          assert: [
            { type: 'script', script: 'checks.ok' },
            { type: 'all_of', assertions: [{ type: 'agent', use: './judge.mjs', value: 'x' }] },
          ],
        },
      ],
    }),
  }

  const saved = async (file: string) => {
    const cwd = project(folders)
    await viva(['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl'], { cwd })
    const { exitCode, stderr } = await branch(cwd, 'named', '--turn', '1', '--save', file)
    expect(exitCode).toBe(0)
    const again = await viva(['test', '-i', file, '-n', './agent.mjs'], { cwd })
    expect(again.exitCode).toBe(0)
    const [turn] = turnsOf(readJsonl(join(cwd, file))[0])
    return { checks: turn?.assert, stderr }
  }
  const byAgent = (use: string) => ({
    type: 'all_of',
    assertions: [{ type: 'agent', use, value: 'x' }],
  })

  it('keeps its names beside the case file', async () => {
    const { checks } = await saved('tests/more.jsonl')
    expect(checks).toEqual([{ type: 'script', script: 'checks.ok' }, byAgent('./judge.mjs')])
  })

  it('gets other names in a folder above', async () => {
    const { checks, stderr } = await saved('saved.jsonl')
    expect(checks).toEqual([{ type: 'script', script: 'tests.checks.ok' }, byAgent('./tests/judge.mjs')])
    expect(stderr).not.toContain('left out')
  })

  it('is left out where it has no name', async () => {
    const { checks, stderr } = await saved('other/saved.jsonl')
    expect(checks).toEqual([byAgent('../tests/judge.mjs')])
    expect(stderr).toContain('1 check is left out: script (checks.ok is only found beside its case file)')
  })
})

describe('viva branch with bad input', () => {
  it.each<[string, string[], string]>([
    [
      'a turn that is not there',
      ['talk', '--turn', '5'],
      '--turn 5: talk has 3 turns (give --turn 1 to 3, or 4 with',
    ],
    ['the end without a message', ['talk', '--turn', '4'], '--turn 4: talk has 3 turns'],
    ['a turn far after the end', ['talk', '--turn', '9', '--say', 'x'], 'give --turn 1 to 4)'],
    ['turn 0', ['talk', '--turn', '0'], '--turn 0: must be a whole number'],
    ['a negative turn', ['talk', '--turn', '-1'], '--turn -1: must be a whole number'],
    ['no number', ['talk', '--turn', 'two'], '--turn two: must be a whole number'],
    ['--say without --turn', ['talk', '--say', 'x'], '--turn is missing: talk has 3 turns'],
    ['an empty message', ['talk', '--turn', '2', '--say', ' '], '--say: the message is empty'],
    ['an unknown case', ['tlak', '--turn', '2'], 'no result of a case "tlak" (did you mean talk?)'],
    ['an unknown run', ['talk', '--turn', '2', '--run-number', '2'], 'talk has no result of run 2'],
    ['an unknown variant', ['talk', '--turn', '2', '--variant', 'x'], 'there is agent.mjs'],
    ['several agents', ['talk', '--turn', '2', '-n', 'a', '-n', 'b'], '--name: one agent goes on'],
    ['an unknown agent', ['talk', '--turn', '2', '-n', 'a'], 'unknown agent "a"'],
    ['nobody at the terminal', ['talk', '--turn', '2', '--interactive'], 'because this is not a terminal'],
    ['its own results as output', ['talk', '--turn', '2', '-o', 'results.jsonl'], 'is an input of the run'],
    ['a flag of viva test', ['talk', '--turn', '2', '--runs', '3'], "unknown option '--runs'"],
  ])('%s is an error', async (_, args, message) => {
    const { exitCode, stderr } = await branch(await recorded(), ...args)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it.each<[string, string, string]>([
    ['no results file', '{"id": "talk", "input": "hi"}\n', 'is not a results file of viva'],
    ['an empty file', '', 'is not a results file of viva'],
    [
      'a newer version',
      '{"type":"start","schema_version":99,"viva_version":"9.0.0"}\n',
      'newer than this one',
    ],
  ])('%s is an error', async (_, text, message) => {
    const cwd = project({ 'agent.mjs': listener, 'results.jsonl': text })
    const { exitCode, stderr } = await branch(cwd, 'talk', '--turn', '1')
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('a missing file, and a folder, are errors', async () => {
    const cwd = project({ 'agent.mjs': listener })
    expect((await branch(cwd, 'talk', '--turn', '1')).stderr).toContain('no such file: results.jsonl')
    mkdirSync(join(cwd, 'results.jsonl'))
    expect((await branch(cwd, 'talk', '--turn', '1')).stderr).toContain('is no file')
  })

  it('a torn file has the cases that are whole', async () => {
    const cwd = await recorded([talk, { ...talk, id: 'other' }])
    const path = join(cwd, 'results.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    const torn = lines.findIndex((line) => line.includes('"id":"other"'))
    writeFileSync(path, `${lines.slice(0, torn).join('\n')}\n${lines[torn]?.slice(0, 200)}`)
    expect((await branch(cwd, 'talk', '--turn', '2')).exitCode).toBe(0)
    const { exitCode, stderr } = await branch(cwd, 'other', '--turn', '2')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('no result of a case "other" (its cases are talk)')
    appendFileSync(path, '\nnot json\n')
    expect((await branch(cwd, 'talk', '--turn', '2')).stderr).toContain('2 lines cannot be read')
  })

  it('a conversation that was not recorded cannot be gone on with', async () => {
    const cwd = project({ 'agent.mjs': listener })
    await play(
      cwd,
      [talk, { id: 'skipped', input: 'x', skip: true }],
      ['-n', './agent.mjs', '--no-transcripts'],
    )
    const { exitCode, stderr } = await branch(cwd, 'talk', '--turn', '2')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk was recorded without its conversation (--no-transcripts)')
    const skipped = await branch(cwd, 'skipped', '--turn', '1')
    expect(skipped.exitCode).toBe(2)
    expect(skipped.stderr).toContain('skipped has no conversation to go on with: it is skipped')
  })

  it('what was masked is sent in its masked form, which is said', async () => {
    const cwd = project({ 'agent.mjs': listener })
    await play(cwd, [talk], ['-n', './agent.mjs', '--mask', '/one/'])
    const { result, stderr } = await branch(cwd, 'talk', '--turn', '2', '--say', 'x')
    expect(stderr).toContain('the agent is sent [masked] in their place')
    expect(replies(result)).toEqual(['[masked] | [masked] | x'])
  })

  it('with --no-transcripts nothing of the branch is printed or kept', async () => {
    const cwd = await recorded()
    const args = ['talk', '--turn', '2', '--say', 'a private thing', '--no-transcripts', '-o', 'out.jsonl']
    const { exitCode, output } = await branch(cwd, ...args)
    expect(exitCode).toBe(0)
    expect(output + readFileSync(join(cwd, 'out.jsonl'), 'utf8')).not.toMatch(/private|"one/)
  })

  it('a case that was not run has no conversation', async () => {
    const cwd = project({ 'agent.mjs': listener })
    const failing = { id: 'first', input: 'x', assert: { type: 'contains', value: 'never' } }
    await play(cwd, [failing, talk], ['-n', './agent.mjs', '--fail-fast'])
    const { exitCode, stderr } = await branch(cwd, 'talk', '--turn', '1')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk has no conversation to go on with: it is not run')
  })

  it('a script test has no conversation', async () => {
    const cwd = demo()
    await viva(['test', '-i', 'scripts.expense.setup', '-o', 'results.jsonl'], { cwd })
    const id = String(results(join(cwd, 'results.jsonl'))[0]?.id)
    const { exitCode, stderr } = await branch(cwd, id, '--turn', '1')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${id} is a script test, which has no conversation`)
  })

  it('a message that the agent did not answer is sent again, and nothing comes after it', async () => {
    const cwd = await recorded([{ id: 'talk', turns: [{ input: 'one' }, { input: 'break' }] }])
    const after = await branch(cwd, 'talk', '--turn', '3', '--say', 'x')
    expect(after.exitCode).toBe(2)
    expect(after.stderr).toContain('turn 2 was not answered, so nothing can come after it')
    expect((await branch(cwd, 'talk', '--turn', '2')).result).toMatchObject({ status: 'failed' })
  })
})

describe('a branch of a case that was not played to its end', () => {
  it('names the checks that the results file does not have', async () => {
    const turns = [{ input: 'one' }, { input: 'break', assert: { type: 'contains', value: 'x' } }]
    const cwd = await recorded([{ id: 'talk', turns }])
    const { stderr } = await branch(cwd, 'talk', '--turn', '2')
    expect(stderr).toContain('1 check was not evaluated in the recorded run')
  })
})

describe('the agent of a branch', () => {
  it('the recorded package and its connector are used in the demo app', async () => {
    const cwd = demo()
    const cases = 'assistants/expense/tests/conversations.jsonl'
    await viva(['test', '-i', cases, '-o', 'results.jsonl'], { cwd })
    const { exitCode, result, stderr } = await branch(cwd, 'dynamic', '--turn', '3')
    expect(exitCode).toBe(0)
    expect(result).toMatchObject({ variant: 'expense@scripted', status: 'passed', total_turns: 2 })
    expect(result?.history).toHaveLength(4)
    expect(stderr).toContain('checkpoints are not checked')
    const unknown = await branch(cwd, 'dynamic', '--turn', '3', '-c', 'nope')
    expect(unknown.exitCode).toBe(2)
  })

  it('another agent is named with -n', async () => {
    const cwd = await recorded([talk], { 'other.mjs': 'export default () => "I am the other, one two"' })
    const { result } = await branch(cwd, 'talk', '--turn', '2', '-n', './other.mjs')
    expect(result).toMatchObject({ variant: 'other.mjs', status: 'passed' })
  })

  it.each([
    'exec:touch started',
    'https://example.invalid/chat',
    '../outside.mjs',
    'gone.mjs',
    'agent.mjs@x',
  ])('the recorded agent %s is not started from a results file', async (variant) => {
    const cwd = await recorded()
    const path = join(cwd, 'results.jsonl')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll('"variant":"agent.mjs"', `"variant":"${variant}"`),
    )
    const { exitCode, stderr } = await branch(cwd, 'talk', '--turn', '2')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is not started from a results file (name it with -n)')
    expect(existsSync(join(cwd, 'started'))).toBe(false)
  })

  it('a recorded check that asks an agent outside of the project is left out', async () => {
    const cwd = await recorded()
    const path = join(cwd, 'results.jsonl')
    const check =
      '{"type":"agent","use":"exec:touch started","value":"good","reason":"","passed":true,"status":"passed"}'
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"assertions":[', `"assertions":[${check},`))
    const { stderr } = await branch(cwd, 'talk', '--turn', '3')
    expect(stderr).toContain(
      '1 check is left out: agent (exec:touch started is not an agent of this project)',
    )
    expect(existsSync(join(cwd, 'started'))).toBe(false)
  })

  it('an agent that keeps its own session is sent the earlier messages again', async () => {
    const server = await startHttpAgent()
    onTestFinished(() => server.close())
    const cwd = project({ 'viva.config.json': JSON.stringify({ agents: server.agents }) })
    const turns = ['say hello', 'say bye', 'what did I say first?'].map((input) => ({ input }))
    const assert = { type: 'contains', value: 'hello' }
    await play(
      cwd,
      [{ id: 'talk', turns: [...turns.slice(0, 2), { ...turns[2], assert }] }],
      ['-n', 'stream'],
    )
    const { exitCode, result, stderr } = await branch(cwd, 'talk', '--turn', '3', '--save', 'kept.jsonl')
    expect(stderr).toContain(
      'stream keeps its own session: the 2 earlier messages are sent again, and it may answer them differently',
    )
    expect(exitCode).toBe(0)
    expect(inputs(result)).toEqual(['say hello', 'say bye', 'what did I say first?'])
    expect(turnsOf(result)[2]).toMatchObject({ response: 'say hello', status: 'passed' })
    expect((await viva(['test', '-i', 'kept.jsonl', '-n', 'stream'], { cwd })).exitCode).toBe(0)
  })

  it('tools of the café are called with the history, and those that were stubbed are stubbed again', async () => {
    const cwd = demo('cafe')
    const order = ['Hi', 'A large espresso', 'Yes, confirm'].map((input) => ({ input }))
    const placed = { type: 'tool_called', name: 'place', arguments: { size: 'large' } }
    const cases = [
      { id: 'real', turns: [...order.slice(0, 2), { ...order[2], assert: placed }] },
      {
        id: 'stubbed',
        turns: order,
        stubs: { place: { result: { order: 'not real' } } },
        final_assertions: placed,
      },
    ]
    await play(cwd, cases, ['-n', 'barista'])
    const real = await branch(cwd, 'real', '--turn', '3')
    expect(real.exitCode).toBe(0)
    expect(turnsOf(real.result)[0]?.tool_calls).toMatchObject([{ args: { drink: 'espresso' } }])
    expect(JSON.stringify(real.result)).not.toContain('"stubbed":true')
    const stubbed = await branch(cwd, 'stubbed', '--turn', '3', '--say', 'Yes, confirm')
    expect(stubbed.stderr).toContain('stubbed again, with what they returned then')
    expect(turnsOf(stubbed.result)[0]?.tool_calls).toMatchObject([
      { stubbed: true, result: { order: 'not real' } },
    ])
    const again = await branch(cwd, 'stubbed', '--turn', '3')
    expect(again.stderr).toContain('1 check is left out: tool_called (it looks at turns before turn 3)')
  })

  it('a case of a suite goes on with an agent that is named, without the checks that are code', async () => {
    const cwd = project({
      'a.suite.mjs': `import { afterTurns, createEvalSuite } from 'vivavoce'
export default createEvalSuite({ agent: { name: 'shout', execute: async ({ text }) => text.toUpperCase() } })
export const cases = [{ id: 'loud', input: { text: 'hi' }, expectedOutput: 'HO', multiTurn: { followUpInputs: [{ input: { text: 'ho' } }], terminateWhen: [afterTurns(2)] } }]
`,
      'agent.mjs': 'export default (input) => `heard ${JSON.stringify(input)}`',
    })
    installViva(cwd)
    await viva(['test', '-i', 'a.suite.mjs', '-o', 'results.jsonl'], { cwd })
    const unnamed = await branch(cwd, 'loud', '--turn', '2')
    expect(unnamed.exitCode).toBe(2)
    expect(unnamed.stderr).toContain('the recorded agent shout is not known here')
    const { exitCode, result, stderr } = await branch(cwd, 'loud', '--turn', '2', '-n', './agent.mjs')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('1 check is left out: equals (it is not a check of case files)')
    expect(replies(result)).toEqual(['heard {"text":"ho"}'])
  })
})

describe('viva branch --interactive', () => {
  const prompt = '  You: '

  it('a person goes on from the turn, and what they type is saved', async () => {
    const cwd = await recorded()
    const terminal = openPseudoTerminal(
      'viva branch results.jsonl talk --turn 2 --interactive --save kept.jsonl',
      { cwd },
    )
    expect(await terminal.see(prompt)).toContain('Agent: one')
    terminal.type('ask me\r')
    await terminal.see(prompt)
    terminal.type('that is all\r')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.shown()).toContain('Saved: talk in kept.jsonl')
    const [saved] = readJsonl(join(cwd, 'kept.jsonl'))
    expect(saved).toMatchObject({
      messages: [{ content: 'one' }, { role: 'assistant' }],
      turns: [{ input: 'ask me' }, { input: 'that is all' }],
    })
    expect((await viva(['test', '-i', 'kept.jsonl', '-n', './agent.mjs'], { cwd })).exitCode).toBe(0)
  })

  it('a person goes on after --say', async () => {
    const cwd = await recorded()
    const terminal = openPseudoTerminal(
      "viva branch results.jsonl talk --turn 4 --say 'ask' --interactive -o out.jsonl",
      { cwd },
    )
    await terminal.see(prompt)
    terminal.type('done\r')
    expect(await terminal.ended()).toBe(0)
    expect(
      turnsOf(results(join(cwd, 'out.jsonl'))[0]).map(({ input_source, input }) => [input_source, input]),
    ).toEqual([
      ['static', 'ask'],
      ['human', 'done'],
    ])
  })

  it('nothing is saved when the branch is interrupted', async () => {
    const cwd = await recorded()
    const terminal = openPseudoTerminal(
      'viva branch results.jsonl talk --turn 2 --interactive --save kept.jsonl',
      { cwd },
    )
    await terminal.see(prompt)
    terminal.type('\u0003')
    expect(await terminal.ended()).toBe(130)
    expect(existsSync(join(cwd, 'kept.jsonl'))).toBe(false)
  })
})
