import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPseudoTerminal } from './support/pseudo-terminal.ts'
import { demo, installViva, jsonl, project, viva } from './support/viva.ts'

/** Notes every call, so that a test can tell whether it was called. */
const agent = `import { appendFileSync } from 'node:fs'
export default (input) => {
  appendFileSync(new URL('calls.txt', import.meta.url), input + '\\n')
  if (input === 'order') return { content: 'I have ordered 3 cups for 12 euros.', tool_calls: [{ name: 'create_order', arguments: { drink: 'tea', cups: 3 } }] }
  return 'The shop opens at 9:30. Bring your own cup.'
}
`

const order = { id: 'order', input: 'order', assert: { type: 'contains', value: 'ordered' } }
const hours = { id: 'hours', input: 'hours', assert: { type: 'contains', value: 'opens' } }

/** A project whose cases were run, with results in results.jsonl. */
async function recorded(
  cases: readonly object[] = [order, hours],
  { files = {}, flags = ['-n', './agent.mjs'] }: { files?: Record<string, string>; flags?: string[] } = {},
): Promise<string> {
  const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl(...cases), ...files })
  await viva(['test', 'cases.jsonl', '-o', 'results.jsonl', ...flags], { cwd })
  return cwd
}

const mutate = (cwd: string, ...flags: string[]) =>
  viva(['mutate', 'results.jsonl', 'cases.jsonl', ...flags], { cwd })

interface Report {
  score: number
  killed: number
  survived: number
  judges: boolean
  with_proposals: { score: number }
  left_out: Record<string, number>
  cases: {
    id: string
    killed: number
    not_asked: number
    not_judged: { reason: string }[]
    beyond_limits: number
    survivors: {
      operator: string
      what: string
      difference: string[]
      turn?: number
      run: number
      proposal?: number
    }[]
    proposals: { at: string; assertion: { type: string }; kills: number }[]
  }[]
}

async function report(cwd: string, ...flags: string[]): Promise<Report> {
  const { stdout, stderr } = await mutate(cwd, '--json', ...flags)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe('viva mutate', () => {
  it('prints the score, the survivors and checks that kill them, and asks neither the agent nor a model', async () => {
    const cwd = await recorded()
    const calls = readFileSync(join(cwd, 'calls.txt'), 'utf8')
    const { exitCode, stdout, stderr } = await mutate(cwd)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/✗ order \(cases\.jsonl:1\): \d+ of \d+ killed/)
    expect(stdout).toContain('tool_dropped: create_order was not called')
    expect(stdout).toContain('→ assert: {"type":"tool_order"')
    expect(stdout).toMatch(/Mutation score: [\d.]+% \(\d+ of \d+; 95% interval [\d.]+% to [\d.]+%\)/)
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe(calls)
    expect((await mutate(cwd)).stdout).toBe(stdout)
  })

  it('prints proposals as JSON, whatever characters are in the replies', async () => {
    const reply = 'The code is A7-\u202eB9\u2066. Keep it for your next visit.'
    const files = { 'agent.mjs': `export default () => ${JSON.stringify(reply)}\n` }
    const cwd = await recorded([{ ...hours, assert: { type: 'contains', value: 'code' } }], { files })
    const { stdout } = await mutate(cwd)
    const [, proposal = ''] = /→ assert: (\{"type":"contains_all".*\}) kills/.exec(stdout) ?? []
    const { value } = JSON.parse(proposal)
    expect(value.some((part: string) => part.includes('\u202e') && reply.includes(part))).toBe(true)
  })

  it('adds proposals that the cases pass with, and under which the survivors die', async () => {
    const cwd = await recorded()
    const before = await report(cwd)
    expect(before.score).toBeLessThan(0.6)
    const { exitCode, stdout } = await mutate(cwd, '--write', '--yes')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('checks added to cases.jsonl')
    const graded = await viva(['grade', 'results.jsonl', 'cases.jsonl'], { cwd })
    expect(graded.exitCode).toBe(0)
    const after = await report(cwd)
    expect(after.score).toBeCloseTo(before.with_proposals.score)
    expect(after.score).toBeGreaterThan(0.8)
    const live = await viva(['test', 'cases.jsonl', '-n', './agent.mjs', '-o', 'again.jsonl'], { cwd })
    expect(live.exitCode).toBe(0)
  })

  it('proposes nothing that one of several recorded runs would not pass', async () => {
    const cwd = await recorded([order], {
      files: {
        'agent.mjs': `let calls = 0
export default () => ({ content: 'I have ordered ' + (calls += 1) + ' of 70 cups.' })\n`,
      },
      flags: ['-n', './agent.mjs', '--runs', '3'],
    })
    const { cases } = await report(cwd)
    const proposed = JSON.stringify(cases[0]?.proposals)
    expect(proposed).toContain('70')
    expect(proposed).not.toMatch(/ordered [123]|[123] of/)
    expect(new Set(cases[0]?.survivors.map(({ run }) => run)).size).toBe(3)
  })

  it('puts a check at the turn that it is about, and at the end for a simulated user', async () => {
    const turns = { id: 'turns', turns: [{ input: 'hours' }, { input: 'order' }] }
    const simulated = { id: 'talk', input: 'hours', simulator: { use: 'scripts:user.Say' } }
    const final_assertions = [{ type: 'contains', value: 'e', scope: 'all' }]
    const cwd = await recorded(
      [turns, simulated].map((each) => ({ ...each, final_assertions })),
      { files: { 'user.ts': `export const Say = () => ({ message: 'order', goal_achieved: true })\n` } },
    )
    const { cases } = await report(cwd)
    const places = cases.map(({ proposals }) => new Set(proposals.map(({ at }) => at)))
    expect(places[0]).toEqual(new Set(['turns[0].assert', 'turns[1].assert', 'final_assertions']))
    expect(places[1]).toEqual(new Set(['final_assertions']))
  })

  it('brought the suites of the examples to 80 percent and more', async () => {
    for (const [app, tests] of [
      ['expense', 'assistants/expense/tests'],
      ...['barista', 'guide', 'relay', 'router', 'till'].map(
        (name) => ['cafe', `assistants/${name}/tests`] as const,
      ),
    ] as const) {
      const cwd = demo(app)
      await viva(['test', tests, '-o', 'results.jsonl'], { cwd })
      const { exitCode, stdout } = await viva(['mutate', 'results.jsonl', tests, '--min-score', '0.8'], {
        cwd,
      })
      expect(stdout).toContain('Mutation score')
      expect(exitCode).toBe(0)
    }
  })

  it('lets damages survive that a snapshot of another turn does not show', async () => {
    const turns = [{ input: 'hours', assert: { type: 'snapshot' } }, { input: 'order' }]
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl({ id: 'talk', turns }) })
    const args = ['test', 'cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl']
    // The first run writes the snapshot, and has checked nothing.
    for (const _ of [1, 2]) await viva(args, { cwd, env: { CI: '' } })
    const [talk] = (await report(cwd)).cases
    expect(talk?.killed).toBeGreaterThan(0)
    expect(new Set(talk?.survivors.map(({ turn }) => turn))).toEqual(new Set([2]))
  })

  it('damages at most as many replies as wanted, and says what it left out', async () => {
    const cwd = await recorded()
    const { cases } = await report(cwd, '--max-mutants', '3')
    expect(cases.map(({ killed, survivors }) => killed + survivors.length)).toEqual([3, 3])
    expect(cases.every(({ beyond_limits }) => beyond_limits > 0)).toBe(true)
  })

  it('counts damages that nobody can judge apart', async () => {
    const simulated = {
      id: 'talk',
      simulator: { use: 'scripts:user.Say' },
      checkpoints: [{ id: 'paid', assert: { type: 'contains', value: 'paid' } }],
    }
    const cwd = await recorded([simulated], {
      files: {
        'agent.mjs': `export default (input) => 'You paid 5 euros for ' + input\n`,
        'user.ts': `export const Say = () => ({ message: 'tea' })\n`,
      },
      flags: ['-n', './agent.mjs'],
    })
    const { cases } = await report(cwd)
    expect(cases[0]?.not_judged.map(({ reason }) => reason).join()).toContain('it would have gone on')
  })

  it('writes reports in three formats, in which text of agents is only text', async () => {
    const cwd = await recorded([{ ...order, assert: { type: 'contains', value: '<b>' } }], {
      files: {
        'agent.mjs': `export default () => '<b>bold</b> and <script>alert(1)</script> for 12 euros'\n`,
      },
    })
    const { exitCode } = await mutate(cwd, '-o', 'a.html', '-o', 'a.md', '-o', 'a.json')
    expect(exitCode).toBe(0)
    const html = readFileSync(join(cwd, 'a.html'), 'utf8')
    expect(html).toContain('By kind of damage')
    expect(html).not.toContain('<script')
    expect(html).toContain('&#60;script&#62;')
    expect(readFileSync(join(cwd, 'a.md'), 'utf8')).toMatch(/^# Mutation Score\n\n\*\*[\d.]+%/)
    expect(JSON.parse(readFileSync(join(cwd, 'a.json'), 'utf8'))).toMatchObject({ type: 'mutation' })
    expect((await mutate(cwd, '-o', 'a.html')).exitCode).toBe(0)
  })

  it('reads results that were masked, and proposes nothing that it cannot know', async () => {
    const cwd = await recorded([order], {
      files: {
        'agent.mjs': `export default () => ({ content: 'I have ordered it', output: { ordered: 'yes', email: 'ada@example.org' } })\n`,
      },
      flags: ['-n', './agent.mjs', '--mask', 'email'],
    })
    const { stdout } = await mutate(cwd, '--mask', 'email', '--json')
    expect(stdout).not.toContain('ada@')
    expect(JSON.stringify(JSON.parse(stdout).cases[0].proposals)).not.toContain('masked')
  })
})

const judged = `import { appendFileSync, readFileSync } from 'node:fs'
const asked = new URL('asked.txt', import.meta.url)
export default ({ messages }) => {
  appendFileSync(asked, 'x')
  const text = JSON.stringify(messages)
  const reply = { reason: 'so it is', verdict: text.includes('12 euros') ? 'pass' : 'fail' }
  return { reply, usage: { input_tokens: 10, output_tokens: 5 } }
}
`
const judge = { type: 'judge', criteria: 'It names the price' }
const withJudge = {
  'judge.mjs': judged,
  'viva.config.json': JSON.stringify({
    connectors: { judge: { type: 'scripted', options: { module: 'judge.mjs' } } },
    helpers: { connector: 'judge' },
    prices: { judge: { input: 1000, output: 1000 } },
  }),
}

describe('viva mutate and judges', () => {
  const both = [
    { ...order, id: 'only', assert: judge },
    { ...order, id: 'mixed', assert: [judge, order.assert] },
  ]

  it('asks none, and counts cases apart that only they check', async () => {
    const cwd = await recorded(both, { files: withJudge })
    const asked = readFileSync(join(cwd, 'asked.txt'), 'utf8')
    const { cases, left_out } = await report(cwd)
    expect(cases.map(({ id, not_asked }) => [id, not_asked])).toEqual([['mixed', 1]])
    expect(left_out).toEqual({ models: 1 })
    expect(readFileSync(join(cwd, 'asked.txt'), 'utf8')).toBe(asked)
  })

  it('damages no reply that a judge failed in the recorded run, and checks no proposal against it', async () => {
    const cwd = await recorded(both.slice(1), {
      files: {
        ...withJudge,
        'agent.mjs': `let calls = 0
export default () => 'I have ordered tea for ' + ((calls += 1) === 1 ? 12 : 13) + ' euros.'\n`,
      },
      flags: ['-n', './agent.mjs', '--runs', '2'],
    })
    const { cases } = await report(cwd)
    expect(new Set(cases[0]?.survivors.map(({ run }) => run))).toEqual(new Set([1]))
    expect(JSON.stringify(cases[0]?.proposals)).toContain('12')
    writeFileSync(join(cwd, 'wrong.mjs'), `export default () => 'I have ordered tea for 13 euros.'\n`)
    await viva(['test', 'cases.jsonl', '-o', 'results.jsonl', '-n', './wrong.mjs'], { cwd })
    const { exitCode, stderr } = await mutate(cwd)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('1 case without a recorded result that passes')
  })

  it('leaves out cases whose model checks were changed since, and says so', async () => {
    const cwd = await recorded(both.slice(1), { files: withJudge })
    const changed = { ...judge, criteria: 'It names the price in euros' }
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ ...order, id: 'mixed', assert: [changed, order.assert] }))
    const { exitCode, stderr } = await mutate(cwd)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('1 case with model checks that the recorded run did not have')
    expect(stderr).toContain('--judges')
    expect((await mutate(cwd, '--judges')).exitCode).toBe(0)
  })

  it('needs no model for that', async () => {
    const cwd = await recorded(both, { files: withJudge })
    writeFileSync(join(cwd, 'viva.config.json'), '{}')
    expect((await mutate(cwd)).exitCode).toBe(0)
  })

  it('asks them with --judges, and prints first what that costs', async () => {
    const cwd = await recorded(both, { files: withJudge })
    const { exitCode, stdout } = await mutate(cwd, '--judges')
    expect(exitCode).toBe(0)
    expect(stdout.split('\n')[0]).toMatch(
      /^ {2}Judges: up to \d+ calls, at most about \$[\d.]+ \(\$[\d.]+ each in the recorded run\)$/,
    )
    const asking = await viva(['mutate', 'results.jsonl', 'cases.jsonl', '--judges', '--json'], { cwd })
    const { cases, judges }: Report = JSON.parse(asking.stdout)
    expect(judges).toBe(true)
    expect(cases.map(({ id }) => id)).toEqual(['only', 'mixed'])
    expect(cases.flatMap(({ survivors }) => survivors.map(({ what }) => what)).join()).not.toContain(
      '12 became',
    )
  })

  it('asks them no more often than it prints before', async () => {
    const turns = [{ input: 'order' }, { input: 'hours', assert: { ...judge, samples: 3 } }]
    const talk = {
      id: 'talk',
      turns,
      checkpoints: [{ id: 'c', assert: judge, required: false }],
      terminate_when: [{ type: 'natural_language', prompt: 'Is it the end?' }],
      final_assertions: [
        { ...judge, gates: false },
        { type: 'contains', value: 'e' },
      ],
    }
    // Some answers are no verdicts, so that these are asked for again.
    const moody = judged.replace(
      '{ reason',
      `readFileSync(asked).length % 3 === 0 ? 'well' : { confidence: 0.1, reason`,
    )
    const cwd = await recorded([talk], { files: { ...withJudge, 'judge.mjs': moody } })
    const count = () => readFileSync(join(cwd, 'asked.txt'), 'utf8').length
    const before = count()
    const { stdout } = await mutate(cwd, '--judges')
    const printed = Number(/up to (\d+) calls/.exec(stdout)?.[1])
    expect(count() - before).toBeGreaterThan(20)
    expect(count() - before).toBeLessThanOrEqual(printed)
  })

  it('asks none any more when --max-cost is spent, and exits with 1', async () => {
    const cwd = await recorded(both, { files: withJudge })
    const count = () => readFileSync(join(cwd, 'asked.txt'), 'utf8').length
    const before = count()
    const flags = ['--judges', '--max-cost', '0.03', '--parallel', '1']
    const { exitCode, stdout } = await mutate(cwd, ...flags)
    expect(stdout).toContain('--max-cost $0.030 is reached: $0.030 spent')
    expect(stdout).toContain('could not be judged')
    expect(exitCode).toBe(1)
    // One call costs 1.5 cents.
    expect(count() - before).toBe(2)
    const data = JSON.parse((await mutate(cwd, ...flags, '--json')).stdout)
    expect(data.over_budget).toContain('--max-cost')
    expect((await mutate(cwd, '--judges', '--max-cost', '100')).exitCode).toBe(0)
  })

  it('does not let a script of a check ask a model either', async () => {
    const asks = { ...order, assert: { type: 'script', script: 'scripts.checks.Ask' } }
    const cwd = await recorded([asks, hours], {
      files: {
        ...withJudge,
        'checks.ts': `export function Ask(output, input, value, ctx) {
  return { pass: ctx.agent.Call('viva.validator', 'Does it say 12 euros?').content !== '' }
}\n`,
      },
    })
    const asked = readFileSync(join(cwd, 'asked.txt'), { encoding: 'utf8', flag: 'a+' })
    const { left_out, cases } = await report(cwd)
    expect(cases.map(({ id }) => id)).toEqual(['hours'])
    expect(Object.values(left_out)).toEqual([1])
    expect(readFileSync(join(cwd, 'asked.txt'), 'utf8')).toBe(asked)
  })
})

describe('viva mutate --write', () => {
  it('asks for each check at a terminal', async () => {
    const cwd = await recorded([hours])
    const terminal = openPseudoTerminal('viva mutate results.jsonl cases.jsonl --write; echo "exit $?"', {
      cwd,
    })
    await terminal.see('hours: add to assert')
    terminal.type('perhaps\r')
    await terminal.see('answer yes, no, all, quit')
    terminal.type('N\r')
    await terminal.see('"negate":true}? (yes, no, all, quit) [yes]')
    terminal.type('\r')
    await terminal.see('1 check added to cases.jsonl')
    await terminal.see('exit 0')
    const text = readFileSync(join(cwd, 'cases.jsonl'), 'utf8')
    expect(text).toContain('"negate"')
    expect(text).not.toContain('contains_all')
  })

  it('writes exactly what was verified, and no secret', async () => {
    const env = { SHOP_TOKEN: '8842719334' }
    const cwd = await recorded([order], {
      files: { 'agent.mjs': `export default () => 'I have ordered it: the token is 8842719334.'\n` },
    })
    const { exitCode, stdout } = await viva(['mutate', 'results.jsonl', 'cases.jsonl', '--write', '--yes'], {
      cwd,
      env,
    })
    expect(exitCode).toBe(0)
    const promised = /Mutation score with them: ([\d.]+)%/.exec(stdout)?.[1]
    expect(stdout).not.toContain('8842719334')
    expect(readFileSync(join(cwd, 'cases.jsonl'), 'utf8')).not.toMatch(/8842719334|redacted/)
    expect(100 * (await report(cwd)).score).toBeCloseTo(Number(promised), 0)
  })

  it('adds checks to a case whose id is shown redacted', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl({ ...order, id: 'order-8842719334' }) })
    const env = { SHOP_TOKEN: '8842719334' }
    await viva(['test', 'cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl'], { cwd, env })
    const flags = ['mutate', 'results.jsonl', 'cases.jsonl', '--write', '--yes']
    const { stdout } = await viva(flags, { cwd, env })
    expect(stdout).toContain('order-[redacted]')
    expect(stdout).toContain('added to cases.jsonl')
    expect(readFileSync(join(cwd, 'cases.jsonl'), 'utf8')).toContain('tool_order')
  })

  it('keeps links, and edits the file that they lead to', async () => {
    const cwd = project({ 'agent.mjs': agent, 'kept/real.jsonl': jsonl(order) })
    symlinkSync('kept/real.jsonl', join(cwd, 'cases.jsonl'))
    await viva(['test', 'cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl'], { cwd })
    expect((await mutate(cwd, '--write', '--yes')).stdout).toContain('added to kept/real.jsonl')
    expect(readFileSync(join(cwd, 'kept/real.jsonl'), 'utf8')).toContain('tool_order')
  })

  it('prints the whole new list of checks where a file is code', async () => {
    const cwd = project({
      'agent.mjs': agent,
      'all.cases.ts': `export default [${JSON.stringify(order)}]\n`,
    })
    await viva(['test', 'all.cases.ts', '-n', './agent.mjs', '-o', 'results.jsonl'], { cwd })
    const before = readFileSync(join(cwd, 'all.cases.ts'), 'utf8')
    const { exitCode, stdout } = await viva(['mutate', 'results.jsonl', 'all.cases.ts', '--write', '--yes'], {
      cwd,
    })
    expect(exitCode).toBe(0)
    const [, patch = ''] =
      /all\.cases\.ts is not edited\. In the case "order", write:\n +assert: ([\s\S]*?\n +\])\n/.exec(
        stdout,
      ) ?? []
    expect(stdout).not.toContain('Mutation score with them')
    expect(readFileSync(join(cwd, 'all.cases.ts'), 'utf8')).toBe(before)
    const checks: { type: string }[] = JSON.parse(patch)
    expect(checks.map(({ type }) => type)).toEqual(expect.arrayContaining(['contains', 'tool_order']))
    expect(checks[0]).toEqual(order.assert)
    const patched = `export default [${JSON.stringify({ ...order, assert: checks })}]\n`
    writeFileSync(join(cwd, 'all.cases.ts'), patched)
    const again = ['mutate', 'results.jsonl', 'all.cases.ts', '--min-score', '0.8']
    expect((await viva(again, { cwd })).exitCode).toBe(0)
  })
})

describe('viva mutate exits', () => {
  it('with 1 if the score is too low, and with 0 if it is not', async () => {
    const cwd = await recorded()
    const low = await mutate(cwd, '--min-score', '0.9')
    expect(low.exitCode).toBe(1)
    expect(low.stdout).toContain('The mutation score is below 0.9')
    expect((await mutate(cwd, '--min-score', '0.1')).exitCode).toBe(0)
    expect((await mutate(cwd, '--min-score', '0.9', '--write', '--yes')).exitCode).toBe(0)
  })

  it.each<[string[], string]>([
    [['--min-score', '80'], '--min-score 80: must be a number from 0 to 1, like 0.8'],
    [['--max-mutants', '0'], '--max-mutants 0: must be a whole number from 1 to 10000'],
    [['--yes'], '--yes is for --write (give both, or neither)'],
    [['--write'], '--write: nobody can be asked, because this is not a terminal (add --yes'],
    [['-o', 'a.xml'], 'a.xml: no format of a mutation report (use .html, .md, .json)'],
    [['-o', 'cases.md', '--run', 'nobody'], 'none of the 2 cases matches the filter'],
  ])('with 2 for %j', async (flags, message) => {
    const cwd = await recorded()
    const { exitCode, stdout, stderr } = await mutate(cwd, ...flags)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
  })

  it('with 3 if a report cannot be written, after the other reports and the checks', async () => {
    const cwd = await recorded()
    const long = join(cwd, `${'r'.repeat(243)}.html`)
    const { exitCode, stdout, stderr } = await mutate(cwd, '--write', '--yes', '-o', long, '-o', 'report.md')
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: '' })
    expect(stdout).toMatch(/✗ .*r\.html could not be written: ENAMETOOLONG/)
    expect(stdout).toMatch(/checks? added to cases\.jsonl/)
    expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toContain('order')
    expect(readFileSync(join(cwd, 'cases.jsonl'), 'utf8')).toContain('tool_order')
  })

  it('with 2 for a journal without transcripts', async () => {
    const cwd = await recorded([order], { flags: ['-n', './agent.mjs', '--no-transcripts'] })
    const { exitCode, stderr } = await mutate(cwd)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 })
    expect(stderr).toContain(
      'results.jsonl was written with --no-transcripts: there are no conversations in it\n',
    )
  })

  it('with 2 for cases whose messages changed since, and for results that were graded', async () => {
    const cwd = await recorded()
    await viva(['grade', 'results.jsonl', 'cases.jsonl', '-o', 'graded.jsonl'], { cwd })
    const graded = await viva(['mutate', 'graded.jsonl', 'cases.jsonl'], { cwd })
    expect([graded.exitCode, graded.stderr]).toEqual([
      2,
      '✗ graded.jsonl was itself made by viva grade (give results.jsonl)\n',
    ])
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ ...order, input: 'another' }, hours))
    const changed = await mutate(cwd)
    expect(changed.exitCode).toBe(2)
    expect(changed.stderr).toContain('the recorded conversation is not one of this case any more')
  })

  it('with 2 where no recorded result passes, or no case has checks', async () => {
    const failing = await recorded([{ ...order, assert: { type: 'contains', value: 'refused' } }])
    const { exitCode, stderr } = await mutate(failing)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('there is no reply to damage: 1 case without a recorded result that passes')
    const unchecked = await recorded([{ id: 'order', input: 'order' }])
    const smoke = await mutate(unchecked)
    expect(smoke.exitCode).toBe(2)
    expect(smoke.stderr).toContain('1 case without checks')
  })

  it('with a warning for a journal that is damaged, as far as it can be read', async () => {
    const cwd = await recorded()
    const [start = '', first = '', second = ''] = readFileSync(join(cwd, 'results.jsonl'), 'utf8').split('\n')
    writeFileSync(join(cwd, 'results.jsonl'), `${start}\n${first}\n${second.slice(0, 100)}\n`)
    const { exitCode, stderr } = await mutate(cwd)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('results.jsonl: cannot read line 3')
    writeFileSync(join(cwd, 'results.jsonl'), 'nonsense\n')
    expect((await mutate(cwd)).exitCode).toBe(2)
  })

  it('with 2 for a message, for an agent that writes cases, and without cases', async () => {
    const cwd = await recorded()
    for (const input of ['Hello there', 'agents:viva.generator'])
      expect((await viva(['mutate', 'results.jsonl', input], { cwd })).exitCode).toBe(2)
    expect((await viva(['mutate', 'results.jsonl'], { cwd })).exitCode).toBe(2)
    expect((await viva(['mutate', 'nothing.jsonl', 'cases.jsonl'], { cwd })).exitCode).toBe(2)
  })

  it('with 2 for suites, which are left out', async () => {
    const cwd = project({
      'shop.suite.ts': `import { createEvalSuite } from 'vivavoce'
export default createEvalSuite({ agent: { execute: () => 'It costs 12 euros' } })
export const cases = [{ id: 'price', input: 'What does it cost?', expectedOutput: 'It costs 12 euros' }]
`,
    })
    installViva(cwd)
    await viva(['test', 'shop.suite.ts', '-o', 'results.jsonl'], { cwd })
    const { exitCode, stderr } = await viva(['mutate', 'results.jsonl', 'shop.suite.ts'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('of suites')
  })
})
