import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAllReportData } from './support/html-report.ts'
import { jsonl, project, results, viva } from './support/viva.ts'

/** Answers with the contents of a file, which a test can change between runs. */
const agent = `import { readFileSync } from 'node:fs'
export default (input) => ({
  content: readFileSync(new URL('reply.txt', import.meta.url), 'utf8').trim() + ' ' + input,
  tool_calls: [{ name: 'look_up', arguments: { input } }],
})
`
const greeting = { id: 'greeting', input: 'you', assert: { type: 'snapshot', normalize: ['dates'] } }
const tools = { id: 'tools', input: 'me', assert: { type: 'snapshot', of: 'tool_calls' } }

function folder(...cases: object[]): string {
  return project({
    'agent.mjs': agent,
    'reply.txt': 'On 2026-11-18 I say hello to',
    'cases.jsonl': jsonl(...(cases.length === 0 ? [greeting, tools] : cases)),
  })
}

async function run(cwd: string, flags: string[] = [], env: Record<string, string> = {}) {
  rmSync(join(cwd, 'results.jsonl'), { force: true })
  const args = ['test', 'cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl', ...flags]
  const { exitCode, stdout, stderr } = await viva(args, { cwd, env: { CI: '', ...env } })
  const written = join(cwd, 'results.jsonl')
  return { exitCode, output: stdout + stderr, lines: existsSync(written) ? results(written) : [] }
}

const say = (cwd: string, text: string) => writeFileSync(join(cwd, 'reply.txt'), text)
const kept = (cwd: string) => readFileSync(join(cwd, 'cases.jsonl.snap'), 'utf8')
const statuses = (lines: { id?: unknown; status?: unknown }[]) =>
  Object.fromEntries(lines.map(({ id, status }) => [id, status]))

describe('snapshots', () => {
  it('the first run writes them and counts as unchecked, the second compares', async () => {
    const cwd = folder()
    const first = await run(cwd)
    expect(first.exitCode).toBe(0)
    expect(first.output).toContain('Snapshots: 2 written')
    expect(first.lines.map(({ unchecked }) => unchecked)).toEqual([true, true])
    expect(kept(cwd)).toContain(
      'case: greeting\npart: turn 1, output\nagent: agent.mjs\n    On <date> I say hello to you\n',
    )
    expect(kept(cwd)).toContain('    look_up {"input":"me"}\n')
    const second = await run(cwd)
    expect(second.lines.map(({ unchecked }) => unchecked)).toEqual([undefined, undefined])
    expect(second.exitCode).toBe(0)
  })

  it('control characters of a reply are escaped in the file, and compared as they are', async () => {
    const cwd = folder(greeting)
    say(cwd, 'a\u0000b \u001b[31mred\u001b[0m \\u001b')
    expect((await run(cwd)).output).toContain('Snapshots: 1 written')
    expect(kept(cwd)).toContain(
      'agent: agent.mjs\ntext: escaped\n    a\\u0000b \\u001b[31mred\\u001b[0m \\\\u001b you\n',
    )
    expect((await run(cwd)).lines).toMatchObject([{ status: 'passed' }])
    say(cwd, 'a\u0000b \u001b[32mred\u001b[0m \\u001b')
    expect((await run(cwd)).lines).toMatchObject([{ status: 'failed' }])
  })

  it('what may differ is normalised; any other change fails, with the difference in every report', async () => {
    const cwd = folder()
    await run(cwd)
    say(cwd, 'On 2027-01-01 I say hello to')
    expect((await run(cwd)).exitCode).toBe(0)

    say(cwd, 'On 2027-01-01 I say goodbye to')
    const files = ['r.md', 'r.xml', 'r.json', 'r.txt', 'r.html']
    const flags = ['-r', 'github', ...files.flatMap((file) => ['-o', file])]
    const { exitCode, output, lines } = await run(cwd, flags, { GITHUB_STEP_SUMMARY: join(cwd, 'step.md') })
    expect(statuses(lines)).toEqual({ greeting: 'failed', tools: 'passed' })
    expect(exitCode).toBe(1)
    expect(output).toContain(
      'it is "On <date> I say goodbye to you", the snapshot has "On <date> I say hello',
    )
    expect(output).toMatch(
      /^::error file=cases\.jsonl,line=1,title=greeting::it is "On <date> I say goodbye/m,
    )
    for (const file of ['r.md', 'r.xml', 'r.json', 'r.txt', 'r.html', 'step.md']) {
      const report =
        file === 'r.html' ? readAllReportData(join(cwd, file)) : readFileSync(join(cwd, file), 'utf8')
      expect(report).toContain('say goodbye')
      expect(report).toContain('say hello')
    }
    expect(kept(cwd)).toContain('say hello')
  })

  it('parts of the output, and whole conversations, are compared with rules of the project', async () => {
    const cwd = folder(
      { id: 'path', input: 'x', assert: { type: 'snapshot', path: 'total' } },
      {
        id: 'talk',
        turns: [{ input: 'one' }, { input: 'two' }],
        final_assertions: [
          { type: 'contains', value: 'total' },
          {
            type: 'snapshot',
            of: 'conversation',
            normalize: ['ids', 'dates', 'numbers', { pattern: 'ref [a-z]+', as: 'ref …' }],
          },
        ],
      },
    )
    const reply = (total: number, at: string, note: string) =>
      writeFileSync(
        join(cwd, 'agent.mjs'),
        `export default () => ({ output: ${JSON.stringify({ total, at, note })}, tool_calls: [{ name: 'sum', arguments: { total: ${total} } }] })\n`,
      )
    reply(5, '2026-11-18', 'ref abc')
    expect((await run(cwd)).lines.map(({ unchecked }) => unchecked)).toEqual([true, undefined])
    expect(kept(cwd)).toContain('case: path\npart: turn 1, total\nagent: agent.mjs\n    5\n')
    expect(kept(cwd)).toContain(
      '    User: one\n    Tool: sum {"total":<number>}\n    Agent: {"at":"<date>","note":"ref …","total":<number>}\n    User: two\n',
    )
    reply(5, '2027-01-01', 'ref xyz')
    expect((await run(cwd)).exitCode).toBe(0)
    reply(6, '2027-01-01', 'ref xyz')
    expect(statuses((await run(cwd)).lines)).toEqual({ path: 'failed', talk: 'passed' })
    reply(6, '2027-01-01', 'see xyz')
    expect(statuses((await run(cwd)).lines)).toEqual({ path: 'failed', talk: 'failed' })
  })

  it('a long difference is shown line by line', async () => {
    const cwd = folder(greeting)
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
    say(cwd, lines.join('\n'))
    await run(cwd)
    say(cwd, lines.with(9, 'another line').join('\n'))
    const { output } = await run(cwd, ['-o', 'r.md', '-o', 'r.xml'])
    for (const text of [
      output,
      readFileSync(join(cwd, 'r.md'), 'utf8'),
      readFileSync(join(cwd, 'r.xml'), 'utf8'),
    ]) {
      expect(text).toContain('- line 9')
      expect(text).toContain('+ another line')
    }
  })

  it('in CI nothing is written, and a missing snapshot fails', async () => {
    const cwd = folder()
    const { exitCode, output } = await run(cwd, [], { CI: 'true' })
    expect(output).toContain('there is no snapshot of turn 1, output; run the case outside of CI')
    expect(existsSync(join(cwd, 'cases.jsonl.snap'))).toBe(false)
    expect(exitCode).toBe(1)
  })

  it.each([
    ['--update-snapshots', { changed: true, isNew: true }],
    ['--update-snapshots=all', { changed: true, isNew: true }],
    ['--update-snapshots=changed', { changed: true, isNew: false }],
    ['--update-snapshots=new', { changed: false, isNew: true }],
  ])('%s accepts what it names', async (flag, { changed, isNew }) => {
    const cwd = folder(greeting)
    await run(cwd)
    say(cwd, 'I say goodbye to')
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(greeting, tools))
    const { lines } = await run(cwd, [flag])
    expect(kept(cwd).includes('say goodbye')).toBe(changed)
    expect(kept(cwd).includes('look_up')).toBe(isNew)
    expect(statuses(lines)).toEqual({
      greeting: changed ? 'passed' : 'failed',
      tools: isNew ? 'passed' : 'failed',
    })
    const accepted = lines.filter(({ unchecked }) => unchecked === true).map(({ id }) => id)
    expect(accepted).toEqual([...(changed ? ['greeting'] : []), ...(isNew ? ['tools'] : [])])
  })

  it('unused snapshots are listed, and removed when all are accepted', async () => {
    const cwd = folder()
    await run(cwd)
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(greeting))
    expect((await run(cwd, ['--run', 'greeting'])).output).not.toContain('unused')
    const listed = await run(cwd)
    expect(listed.output).toContain('1 snapshot unused; --update-snapshots removes them:')
    expect(listed.output).toContain('cases.jsonl.snap: tools, turn 1, tool calls (agent.mjs)')
    expect(kept(cwd)).toContain('case: tools')
    await run(cwd, ['--update-snapshots'])
    expect(kept(cwd)).not.toContain('case: tools')
  })

  it('each variant has its own, and all runs of a case are compared with the first', async () => {
    const cwd = folder(greeting)
    writeFileSync(join(cwd, 'other.mjs'), 'let calls = 0\nexport default () => `call ${++calls}`\n')
    const { lines, exitCode } = await run(cwd, ['-n', './other.mjs', '--runs', '2'])
    expect(kept(cwd)).toContain('agent: agent.mjs')
    expect(kept(cwd)).toContain('agent: other.mjs\n    call 1\n')
    expect(lines.filter(({ status }) => status === 'failed')).toMatchObject([
      { variant: 'other.mjs', run: 2 },
    ])
    expect(exitCode).toBe(1)
  })

  it('secrets are not written', async () => {
    const cwd = folder(greeting)
    say(cwd, 'The key is very-secret-0123456789 for')
    await run(cwd, [], { MY_API_KEY: 'very-secret-0123456789' })
    expect(kept(cwd)).not.toContain('very-secret')
    expect((await run(cwd, [], { MY_API_KEY: 'very-secret-0123456789' })).exitCode).toBe(0)
  })

  it('a secret that a rule would replace in part is not written either', async () => {
    const cwd = folder({ id: 'a', input: 'x', assert: { type: 'snapshot', normalize: ['ids'] } })
    say(cwd, 'It is tok-1234567890-ABCDEFGHSECRETTAIL for')
    const env = { SERVICE_TOKEN: 'tok-1234567890-ABCDEFGHSECRETTAIL' }
    await run(cwd, [], env)
    say(cwd, 'Now it is tok-1234567890-ABCDEFGHSECRETTAIL for')
    const { output } = await run(cwd, [], env)
    const journal = readFileSync(join(cwd, 'results.jsonl'), 'utf8')
    for (const text of [kept(cwd), output, journal]) expect(text).not.toContain('SECRETTAIL')
  })

  it('the reply of an attempt that failed does not become the snapshot', async () => {
    const cwd = folder({
      id: 'retried',
      input: 'x',
      retries: 1,
      assert: [{ type: 'contains', value: 'good' }, { type: 'snapshot' }],
    })
    writeFileSync(
      join(cwd, 'agent.mjs'),
      "let calls = 0\nexport default () => (++calls === 1 ? 'bad' : 'good')\n",
    )
    const { lines, exitCode } = await run(cwd)
    expect(lines.at(-1)).toMatchObject({ status: 'passed', flaky: true })
    expect(exitCode).toBe(0)
    expect(kept(cwd)).toContain('    good\n')
    writeFileSync(
      join(cwd, 'cases.jsonl'),
      jsonl({ ...greeting, assert: [{ type: 'contains', value: 'zzz' }, greeting.assert] }),
    )
    await run(cwd)
    expect(kept(cwd)).not.toContain('case: greeting')
  })

  it('an empty reply is not kept, and with --require-checks none is written', async () => {
    const cwd = folder(greeting)
    writeFileSync(join(cwd, 'agent.mjs'), "export default () => ({ content: '', tool_calls: [] })\n")
    for (const flags of [[], ['--update-snapshots']]) expect((await run(cwd, flags)).exitCode).toBe(1)
    expect(existsSync(join(cwd, 'cases.jsonl.snap'))).toBe(false)
    writeFileSync(join(cwd, 'agent.mjs'), "export default () => 'hi'\n")
    const { exitCode, output } = await run(cwd, ['--require-checks'])
    expect(output).toContain('run it without --require-checks to write it')
    expect(exitCode).toBe(1)
  })

  it('snapshots of cases that were not played to their end are kept', async () => {
    const cwd = folder()
    await run(cwd)
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(greeting, { ...tools, skip: true }))
    const { output } = await run(cwd, ['--update-snapshots'])
    expect(output).not.toContain('removed')
    expect(kept(cwd)).toContain('case: tools')
    await run(cwd, ['--no-transcripts', '--update-snapshots'])
    expect(kept(cwd)).toContain('case: tools')
  })

  it('two snapshots of the same place need a name', async () => {
    const cwd = folder({
      id: 'two',
      input: 'x',
      assert: [{ type: 'snapshot' }, { type: 'snapshot', normalize: ['ids'] }],
    })
    const { output, exitCode } = await run(cwd)
    expect(output).toContain('two snapshots of turn 1, output in one case: give one of them a "name"')
    expect(exitCode).toBe(1)
  })

  it('a rule whose replacement matches itself still compares', async () => {
    const rule = { pattern: 'v\\d+', as: 'v1 or v2' }
    const cwd = folder({ id: 'a', input: 'v7', assert: { type: 'snapshot', normalize: [rule] } })
    await run(cwd)
    expect((await run(cwd)).exitCode).toBe(0)
  })

  it('a text that another run of the case is about to write counts as unchecked, and not as the same', async () => {
    const cwd = folder(greeting)
    const flags = ['--runs', '3', '--parallel', '3']
    const first = await run(cwd, flags)
    expect(first.lines.map(({ unchecked }) => unchecked)).toEqual([true, true, true])
    expect(first.output).toContain('Snapshots: 1 written')
    const second = await run(cwd, flags)
    expect(second.lines.map(({ unchecked }) => unchecked)).toEqual([undefined, undefined, undefined])
  })

  it('a file that is a link stays one', async () => {
    const cwd = folder(greeting)
    await run(cwd)
    renameSync(join(cwd, 'cases.jsonl.snap'), join(cwd, 'elsewhere.snap'))
    symlinkSync('elsewhere.snap', join(cwd, 'cases.jsonl.snap'))
    say(cwd, 'Now I say')
    expect((await run(cwd, ['--update-snapshots=changed'])).exitCode).toBe(0)
    expect(lstatSync(join(cwd, 'cases.jsonl.snap')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(cwd, 'elsewhere.snap'), 'utf8')).toContain('Now I say you')
  })

  it('a file that is not UTF-8 is an error before anything runs, and stays as it is', async () => {
    const cwd = folder()
    const content = Buffer.from('case: other\npart: end, output\nagent: a\n  caf\xe9\n', 'latin1')
    writeFileSync(join(cwd, 'cases.jsonl.snap'), content)
    const { exitCode, output, lines } = await run(cwd, ['--update-snapshots'])
    expect(output).toContain('cases.jsonl.snap: the snapshots are not valid UTF-8')
    expect([exitCode, lines]).toEqual([2, []])
    expect(readFileSync(join(cwd, 'cases.jsonl.snap'))).toEqual(content)
  })

  it('two runs at once keep the snapshots of both', async () => {
    const cwd = folder()
    const [one, two] = ['greeting', 'tools'].map((id) =>
      viva(['test', 'cases.jsonl', '-n', './agent.mjs', '--run', id, '-o', `${id}.jsonl`], {
        cwd,
        env: { CI: '' },
      }),
    )
    await Promise.all([one, two])
    expect(kept(cwd)).toContain('case: greeting')
    expect(kept(cwd)).toContain('case: tools')
  })

  it('conversations that are not recorded are not written', async () => {
    const cwd = folder(greeting)
    const { exitCode } = await run(cwd, ['--no-transcripts'])
    expect(existsSync(join(cwd, 'cases.jsonl.snap'))).toBe(false)
    expect(exitCode).toBe(1)
  })

  it.each([
    ['merge conflict markers', '<<<<<<< HEAD\n', 'cases.jsonl.snap:1: a merge conflict is not resolved'],
    [
      'a line without its indentation',
      'case: a\npart: b\nagent: c\nHello\n',
      'cases.jsonl.snap:4: expected "case: …"',
    ],
  ])('%s are an error before anything runs', async (_, content, message) => {
    const cwd = folder()
    writeFileSync(join(cwd, 'cases.jsonl.snap'), content)
    const { exitCode, output, lines } = await run(cwd)
    expect(output).toContain(message)
    expect(lines).toEqual([])
    expect(exitCode).toBe(2)
    expect(kept(cwd)).toBe(content)
  })

  it('a text that was edited by hand is compared as it is', async () => {
    const cwd = folder(greeting)
    await run(cwd)
    writeFileSync(join(cwd, 'cases.jsonl.snap'), kept(cwd).replace('hello', 'good morning'))
    const { exitCode, output } = await run(cwd)
    expect(output).toContain('the snapshot has "On <date> I say good morning to you" (--update-snapshots')
    expect(exitCode).toBe(1)
  })

  it('a bad value of the flag is refused', async () => {
    const cwd = folder()
    const { exitCode, output } = await run(cwd, ['--update-snapshots=old'])
    expect(output).toContain('--update-snapshots old: must be one of new, changed, all')
    expect(exitCode).toBe(2)
  })

  it('viva audit writes none, and no trivial agent passes', async () => {
    const cwd = folder()
    await run(cwd)
    const before = kept(cwd)
    const { exitCode } = await viva(['audit', 'cases.jsonl'], { cwd })
    expect(exitCode).toBe(0)
    expect(kept(cwd)).toBe(before)
  })

  it('a file that cannot be read is an error before anything runs', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'cases.jsonl.snap'))
    const { exitCode, output, lines } = await run(cwd)
    expect(output).toContain('cases.jsonl.snap: the snapshots cannot be read')
    expect(lines).toEqual([])
    expect(exitCode).toBe(2)
  })

  it('a file that cannot be written is reported, and the results are kept', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, `cases.jsonl.snap.${process.pid}.part`))
    const { exitCode, output, lines } = await run(cwd)
    expect(output).toContain('cases.jsonl.snap could not be written')
    expect(output).not.toContain('Snapshots:')
    expect(lines).toHaveLength(2)
    expect(exitCode).toBe(3)
  })
})
