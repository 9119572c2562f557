import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Line, project, readJsonl, results, viva } from './support/viva.ts'

/** Answers no to "bad" and to every third "flaky". It counts in a file, which lasts across runs. */
const agent = `import { appendFileSync, readFileSync } from 'node:fs'
export default async function (message) {
  appendFileSync('asked', message + '\\n')
  const asked = readFileSync('asked', 'utf8').split('\\n').filter((line) => line === message).length
  const no = message === 'bad' || (message === 'flaky' && asked % 3 === 0)
  return { content: no ? 'no' : 'yes', usage: { input_tokens: 100, output_tokens: 20 } }
}`
const check = { type: 'contains', value: 'yes' }
const cases = (...ids: string[]) =>
  ids.map((id) => JSON.stringify({ id, input: id, assert: check })).join('\n')

async function play(ids: string[], ...flags: string[]) {
  const cwd = project({ 'agent.mjs': agent, 'c.jsonl': cases(...ids) })
  const ended = await viva(['test', '-i', 'c.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl', ...flags], {
    cwd,
  })
  return { ...ended, cwd }
}

const lines = (cwd: string, type: string): Line[] =>
  readJsonl(join(cwd, 'out.jsonl')).filter((line) => line.type === type)

describe('--runs: several runs of each case', () => {
  it('several runs are reported with intervals, kinds of failure, pass^k and pass@k', async () => {
    const { stdout, cwd, exitCode } = await play(['good', 'flaky', 'bad'], '--runs', '6')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('✗ bad    0/6 0% (0–39%), fails every time, 6 × assertion, consistency 1')
    expect(stdout).toContain('✗ flaky  4/6 66.7% (30–90.3%), unstable, 2 × assertion, consistency 0.67')
    expect(stdout).toContain('✓ good   6/6 100% (61–100%), stable, consistency 1')
    // pass^2 is (1 + C(4,2)/C(6,2) + 0)/3 = (1 + 6/15)/3.
    expect(stdout).toContain('pass^1 0.556  pass^2 0.467')
    expect(stdout).toContain('pass@1 0.556  pass@2 0.644')
    expect(
      lines(cwd, 'stability').map(({ id, passed, failed, pass_rate, failure_kinds }) => [
        id,
        passed,
        failed,
        pass_rate,
        failure_kinds,
      ]),
    ).toEqual([
      ['good', 6, 0, 100, undefined],
      ['flaky', 4, 2, 66.7, { assertion: 2 }],
      ['bad', 0, 6, 0, { assertion: 6 }],
    ])
    expect(lines(cwd, 'stability')[0]).toMatchObject({ tokens: 720, p50_duration_ms: expect.any(Number) })
  })

  it('consistency is 1 for the same wrong answer every time, and low for different ones', async () => {
    const cwd = project({
      'agent.mjs': `let n = 0\nexport default async (message) => message === 'same' ? 'no' : 'no ' + n++`,
      'c.jsonl': cases('same', 'different'),
    })
    await viva(['test', '-i', 'c.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl', '--runs', '10'], { cwd })
    expect(
      lines(cwd, 'stability').map(({ id, pass_rate, consistency }) => [id, pass_rate, consistency]),
    ).toEqual([
      ['same', 0, 1],
      ['different', 0, 0.1],
    ])
  })

  it('the JSON report of several runs has every documented field', async () => {
    const cwd = project({})
    const start = {
      type: 'start',
      schema_version: 1,
      viva_version: '0.1.0',
      timestamp: '2026-01-01T00:00:00Z',
      plan_hash: 'x',
      total_cases: 2,
      agent_id: 'a',
      variants: ['a'],
      runs: 3,
      environment: { user_id: 'u', team_id: 't', locale: 'en-us' },
    }
    const result = (id: string, run: number, ms: number, output: string, passed = true) => ({
      type: 'result',
      file: 'c.jsonl',
      id,
      line: 1,
      variant: 'a',
      run,
      attempt: 1,
      status: passed ? 'passed' : 'failed',
      ...(passed ? {} : { fault: 'agent', error_kind: 'assertion', error: 'no' }),
      termination: { reason: 'completed', detail: '' },
      mode: 'single_turn',
      input: 'hi',
      input_source: 'initial',
      output,
      response: output,
      awaiting_input: false,
      awaiting_reason: 'completed',
      total_turns: 1,
      session_id: '',
      case_hash: id,
      started_at: '2026-01-01T00:00:00Z',
      duration_ms: ms,
    })
    const runs = [
      result('T001', 1, 234, 'x'),
      result('T001', 2, 210, 'x'),
      result('T001', 3, 256, 'x'),
      result('T002', 1, 100, 'x'),
      result('T002', 2, 100, 'x'),
      result('T002', 3, 100, 'y', false),
    ]
    writeFileSync(join(cwd, 'r.jsonl'), [start, ...runs].map((line) => JSON.stringify(line)).join('\n'))
    const { stdout } = await viva(['report', 'r.jsonl', '-r', 'report.json'], { cwd })
    const report = JSON.parse(stdout)
    expect(report.summary).toMatchObject({
      total_cases: 2,
      total_runs: 6,
      runs_per_case: 3,
      overall_pass_rate: 83.3,
      stable_cases: 1,
      unstable_cases: 1,
      duration_ms: 1000,
    })
    expect(report.results[0]).toMatchObject({
      id: 'T001',
      runs: 3,
      passed: 3,
      failed: 0,
      pass_rate: 100,
      consistency: 1,
      stable: true,
      avg_duration_ms: 233,
      min_duration_ms: 210,
      max_duration_ms: 256,
      std_deviation_ms: 18.8,
    })
    expect(
      report.results[0].run_details.map(({ run, status, duration_ms, output }: Line) => ({
        run,
        status,
        duration_ms,
        output,
      })),
    ).toEqual([
      { run: 1, status: 'passed', duration_ms: 234, output: 'x' },
      { run: 2, status: 'passed', duration_ms: 210, output: 'x' },
      { run: 3, status: 'passed', duration_ms: 256, output: 'x' },
    ])
    expect(report.results[1]).toMatchObject({
      id: 'T002',
      runs: 3,
      passed: 2,
      failed: 1,
      pass_rate: 66.7,
      consistency: 0.67,
      stable: false,
      pass_rate_low: 20.8,
      pass_rate_high: 93.9,
    })
    expect(report.summary.pass_k).toEqual([
      { k: 1, 'pass^k': 0.8333, 'pass@k': 0.8333, cases: 2 },
      { k: 2, 'pass^k': 0.6667, 'pass@k': 1, cases: 2 },
      { k: 3, 'pass^k': 0.5, 'pass@k': 1, cases: 2 },
    ])
  })
})

describe('--gate, --gate-suite and --gate-stable', () => {
  it('--gate decides how many runs of a case may fail', async () => {
    const low = await play(['good', 'flaky'], '--runs', '6', '--gate', '0.6')
    expect(low.exitCode).toBe(0)
    expect(low.stdout).toContain('Gate:    case 60%: reached by 2 of 2 cases')
    expect(low.stdout).toContain('✓ flaky  4/6 66.7% (30–90.3%), gate 60%: reached')
    const high = await play(['good', 'flaky'], '--runs', '6', '--gate', '0.9')
    expect(high.exitCode).toBe(1)
    expect(high.stdout).toContain('Gate:    case 90%: reached by 1 of 2 cases, missed by 1')
    expect(lines(high.cwd, 'summary')[0]).toMatchObject({
      exit_code: 1,
      gates: [{ gate: 'case', required: 0.9, status: 'missed', reached: 1, missed: 1, undecided: 0 }],
    })
  })

  it('failures that a gate allows are not errors in JUnit XML and GitHub annotations', async () => {
    const cwd = project({ 'agent.mjs': agent, 'c.jsonl': cases('good', 'flaky') })
    const played = async (gate: string) => {
      const flags = ['-n', './agent.mjs', '-o', 'out.jsonl', '-o', 'out.xml', '--runs', '6', '--gate', gate]
      const { stdout } = await viva(['test', '-i', 'c.jsonl', ...flags], {
        cwd,
        env: { GITHUB_ACTIONS: 'true' },
      })
      return { stdout, xml: readFileSync(join(cwd, 'out.xml'), 'utf8') }
    }
    const allowed = await played('0.6')
    expect(allowed.stdout).toMatch(/^::warning file=c.jsonl,line=2,/m)
    expect(allowed.stdout).not.toContain('::error')
    expect(allowed.xml).toContain('tests="13" failures="0" errors="0"')
    expect(allowed.xml).toContain('skipped="2"')
    expect(allowed.xml.match(/<skipped message="failed, but the gates allow it: /g)).toHaveLength(2)
    expect(allowed.xml).toContain('<testcase classname="viva" name="gate: case 60%" time="0.000">')
    const missed = await played('0.9')
    expect(missed.stdout).toMatch(/^::error file=c.jsonl,line=2,/m)
    expect(missed.stdout).toContain('::error title=gate%3A case 90%25::reached by 1 of 2 cases, missed by 1')
    expect(missed.xml).toContain('tests="13" failures="3" errors="0"')
    expect(missed.xml.match(/<failure /g)).toHaveLength(3)
    expect(missed.xml).toContain('<failure message="reached by 1 of 2 cases, missed by 1"')
  })

  it('--gate-suite compares the mean over all cases, and is reported with its interval', async () => {
    const reached = await play(['good', 'bad'], '--runs', '2', '--gate-suite', '0.5')
    expect(reached.exitCode).toBe(0)
    expect(reached.stdout).toMatch(/Gate: {4}suite 50%: 50% \([\d.]+–[\d.]+%\), reached/)
    expect((await play(['good', 'bad'], '--gate-suite', '0.51')).exitCode).toBe(1)
  })

  it('a case that passes only on retry misses --gate-stable', async () => {
    const cwd = project({
      'agent.mjs': `let n = 0\nexport default async () => (n++ === 0 ? 'no' : 'yes')`,
      'c.jsonl': cases('a'),
    })
    const args = ['test', '-i', 'c.jsonl', '-n', './agent.mjs', '--retries', '1']
    expect((await viva(args, { cwd })).exitCode).toBe(0)
    const strict = await viva([...args, '--gate-stable'], { cwd })
    expect(strict.exitCode).toBe(1)
    expect(strict.stdout).toContain('Gate:    stable: reached by 0 of 1 case, missed by 1')
    const stable = await play(['good', 'flaky'], '--gate-stable', '--runs', '3', '--retries', '1')
    expect(stable.exitCode).toBe(1)
    expect(stable.stdout).toContain('✗ flaky  3/3 100% (43.9–100%), gate stable: missed, ')
    expect(stable.stdout).toContain('✓ good   3/3 100% (43.9–100%), gate stable: reached, ')
    expect((await play(['good'], '--gate-suite', '0.5', '--gate-stable', '--runs', '3')).exitCode).toBe(0)
  })

  it('infrastructure errors do not count in the pass rate, and a case that was not judged misses its gate', async () => {
    const broken = {
      type: 'scripted',
      options: { rules: [{ error: { status: 400, message: 'out of order' } }] },
    }
    const judged = { type: 'judge', criteria: 'It is polite', options: { connector: 'critic' } }
    const cwd = project({
      'agent.mjs': `export default async () => 'yes'`,
      'viva.config.json': JSON.stringify({ connectors: { critic: broken } }),
      'c.jsonl': `${cases('a')}\n${JSON.stringify({ id: 'b', input: 'b', assert: judged })}`,
    })
    const args = [
      'test',
      '-i',
      'c.jsonl',
      '-n',
      './agent.mjs',
      '--gate',
      '0.5',
      '--runs',
      '2',
      '-o',
      'out.jsonl',
    ]
    const { stdout, exitCode } = await viva(args, { cwd })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('case 50%: reached by 1 of 2 cases, 1 not judged')
    expect(stdout).toContain('? b  nothing could be judged, 2 not judged')
    expect(lines(cwd, 'stability')[1]).toMatchObject({
      id: 'b',
      passed: 0,
      failed: 0,
      infrastructure_errors: 2,
      pass_rate: null,
    })
    const tolerant = await viva([...args, '--max-infrastructure-errors', '50%'], { cwd })
    expect(tolerant.exitCode).toBe(0)
  })
})

describe('gates in combination with other features', () => {
  const twoAgents = () =>
    project({
      'c.jsonl': cases('a', 'b', 'c'),
      'good.mjs': "export default async () => 'yes'",
      'seven.mjs': "const n = {}\nexport default async (m) => ((n[m] = (n[m] ?? 0) + 1) > 7 ? 'no' : 'yes')",
    })
  const tenRuns = ['test', '-i', 'c.jsonl', '--runs', '10', '-o', 'out.jsonl']

  it('a gate that is met exactly is not missed by a rounding error', async () => {
    const cwd = twoAgents()
    const seven = await viva([...tenRuns, '-n', './seven.mjs', '--gate-suite', '0.7'], { cwd })
    expect([seven.exitCode, seven.stdout]).toEqual([0, expect.stringContaining('suite 70%: 70% (')])
  })

  it('--gate-suite is judged for each variant', async () => {
    const cwd = twoAgents()
    const both = await viva([...tenRuns, '-n', './good.mjs', '-n', './seven.mjs', '--gate-suite', '0.8'], {
      cwd,
    })
    expect(both.exitCode).toBe(1)
    expect(both.stdout).toContain('suite 80% of good.mjs: 100%')
    expect(both.stdout).toMatch(/suite 80% of seven.mjs: 70% .* missed/)
  })

  it('skipped cases and expected failures do not count for gates', async () => {
    const cwd = project({
      'agent.mjs': agent,
      'c.jsonl': [
        cases('good'),
        JSON.stringify({ id: 'left', input: 'x', skip: true }),
        JSON.stringify({ id: 'bad', input: 'bad', assert: check, expected_failure: { reason: 'known' } }),
      ].join('\n'),
    })
    for (const flags of [
      ['--gate', '0.9', '--runs', '3'],
      ['--gate-stable', '--runs', '3'],
      ['--gate-suite', '0.9'],
      ['--runs', 'auto', '--gate', '0.9'],
    ]) {
      const args = ['test', '-i', 'c.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl', ...flags]
      const { exitCode, stdout } = await viva(args, { cwd })
      expect([flags, exitCode, stdout]).toEqual([flags, 0, expect.stringContaining('Gate:')])
    }
    expect(results(join(cwd, 'out.jsonl')).filter(({ id }) => id !== 'good')).toHaveLength(2)
  })

  it('viva report judges the gates of a run that was cut off', async () => {
    const { cwd } = await play(['good', 'bad'], '--gate', '0.9')
    const path = join(cwd, 'out.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, -2).join('\n'))
    const { stdout } = await viva(['report', 'out.jsonl'], { cwd })
    expect(stdout).toContain('gate missed: case 90%: reached by 1 of 2 cases, missed by 1')
  })

  it('gates apply to script tests', async () => {
    const cwd = project({
      'sum_test.ts':
        'function TestSum(t) { t.assert.Equal(1 + 1, 2) }\nfunction TestBad(t) { t.assert.Equal(1, 2) }',
    })
    const { stdout, exitCode } = await viva(['test', '-i', 'sum_test.ts', '--runs', '2', '--gate', '0.9'], {
      cwd,
    })
    expect(stdout).toContain('case 90%: reached by 1 of 2 cases, missed by 1')
    expect(stdout).toContain('✗ TestBad  0/2 0%')
    expect(exitCode).toBe(1)
  })

  it('a run with a gate exits with 1 when --fail-fast stopped it at a failure', async () => {
    expect((await play(['bad', 'good'], '--runs', 'auto', '--gate', '0.9', '--fail-fast')).exitCode).toBe(1)
  })

  it('consistency is unknown with --no-transcripts', async () => {
    const { cwd } = await play(['good'], '--runs', '2', '--no-transcripts')
    expect(lines(cwd, 'stability')[0]).toMatchObject({ passed: 2, consistency: null })
  })
})

describe('--runs auto', () => {
  it('--runs auto plays each case until its gate is decided, and reports the runs it spared', async () => {
    const { stdout, cwd, exitCode } = await play(
      ['good', 'bad'],
      '--runs',
      'auto',
      '--gate',
      '0.9',
      '--parallel',
      '3',
    )
    expect(exitCode).toBe(1)
    const runs = (id: string) => results(join(cwd, 'out.jsonl')).filter((line) => line.id === id).length
    expect([runs('good'), runs('bad')]).toEqual([19, 2])
    expect(stdout).toContain('Saved:   39 runs that were not needed, about 39 calls')
    expect(stdout).not.toContain('pass^')
    expect(stdout).toContain('✓ good  19/19 100% (83.2–100%), gate 90%: reached')
    expect(stdout).toContain('✗ bad   0/2 0% (0–65.8%), gate 90%: missed')
    const report = await viva(['report', 'out.jsonl'], { cwd })
    expect(report.stdout).toContain('stable over up to 30 runs: 1 of 2 cases')
    expect(report.stdout).not.toContain('not run')
  })

  it('a case that --runs auto cannot decide misses its gate', async () => {
    const { stdout, exitCode } = await play(['flaky'], '--runs', 'auto', '--gate', '0.6', '--max-runs', '12')
    expect(stdout).toContain('case 60%: reached by 0 of 1 case, undecided for 1, so the gate is not reached')
    expect(stdout).toContain('? flaky  8/12 66.7%')
    expect(exitCode).toBe(1)
  })

  it('--runs auto continues an interrupted run with --resume', async () => {
    const { cwd } = await play(['good'], '--runs', 'auto', '--gate', '0.9')
    const path = join(cwd, 'out.jsonl')
    const kept = readFileSync(path, 'utf8').split('\n').slice(0, 11)
    writeFileSync(path, `${kept.join('\n')}\n`)
    writeFileSync(join(cwd, 'asked'), '')
    const { exitCode } = await viva(
      [
        'test',
        '-i',
        'c.jsonl',
        '-n',
        './agent.mjs',
        '--runs',
        'auto',
        '--gate',
        '0.9',
        '--resume',
        'out.jsonl',
      ],
      { cwd },
    )
    expect(exitCode).toBe(0)
    expect(readFileSync(join(cwd, 'asked'), 'utf8').trim().split('\n')).toHaveLength(9)
  })
})

describe('--max-tokens and --max-cost', () => {
  it('--max-tokens starts no further case when it is spent, and the run fails', async () => {
    const { stdout, cwd, exitCode } = await play(['a', 'b', 'c', 'd'], '--max-tokens', '200')
    expect(exitCode).toBe(1)
    expect(results(join(cwd, 'out.jsonl')).map(({ status }) => status)).toEqual([
      'passed',
      'passed',
      'not_run',
      'not_run',
    ])
    expect(stdout).toContain('Budget:  --max-tokens 200 is reached: 240 used')
    expect(lines(cwd, 'summary')[0]).toMatchObject({ over_budget: expect.stringContaining('--max-tokens') })
  })

  it('--max-cost ends a run in which the cost of a call is unknown', async () => {
    const unknown = await play(['a', 'b'], '--max-cost', '5')
    expect(unknown.exitCode).toBe(1)
    expect(unknown.stdout).toContain('--max-cost: the cost of 1 call is unknown')
  })

  it('--max-cost starts no further case when it is spent, and the cost is printed by role', async () => {
    const config = { prices: { 'agent.mjs': { input: 1000, output: 1000 } } }
    const cwd = project({
      'agent.mjs': `export default async () => ({ content: 'yes', usage: { cost: 0.4 } })`,
      'viva.config.json': JSON.stringify(config),
      'c.jsonl': cases('a', 'b', 'c', 'd'),
    })
    const { stdout, exitCode } = await viva(
      ['test', '-i', 'c.jsonl', '-n', './agent.mjs', '--max-cost', '0.7'],
      { cwd },
    )
    expect(exitCode).toBe(1)
    expect(stdout).toContain('--max-cost $0.70 is reached: $0.80 spent')
    expect(stdout).toContain('Cost:    $0.80 (agent $0.80)')
    expect(stdout).toContain('Not run: 2')
  })

  it('--max-tokens ends a run in which the tokens of the agent are unknown', async () => {
    const cwd = project({ 'agent.mjs': "export default async () => 'yes'", 'c.jsonl': cases('a', 'b') })
    const silent = await viva(['test', '-i', 'c.jsonl', '-n', './agent.mjs', '--max-tokens', '9'], { cwd })
    expect([silent.exitCode, silent.stdout]).toEqual([
      1,
      expect.stringContaining('--max-tokens: it is unknown how many tokens the agent used'),
    ])
  })

  it('--max-tokens counts the tokens of an interrupted run after --resume', async () => {
    const spent = await play(['a', 'b', 'c', 'd'], '--max-tokens', '100')
    const args = [
      'test',
      '-i',
      'c.jsonl',
      '-n',
      './agent.mjs',
      '--resume',
      'out.jsonl',
      '--max-tokens',
      '200',
    ]
    const resumed = await viva(args, { cwd: spent.cwd })
    expect(resumed.stdout).toContain('--max-tokens 200 is reached: 240 used')
    expect(results(join(spent.cwd, 'out.jsonl')).filter(({ status }) => status === 'passed')).toHaveLength(2)
  })

  it('a budget that is not spent changes nothing', async () => {
    expect((await play(['a', 'b'], '--max-tokens', '100000')).exitCode).toBe(0)
  })
})

describe('mistakes in the flags of gates and budgets', () => {
  it.each([
    [['--gate', '1.5'], '--gate 1.5: must be a number above 0, at most 1, like 0.9'],
    [['--gate', '90%'], '--gate 90%: must be'],
    [['--gate-suite', '0'], '--gate-suite 0: must be'],
    [['--runs', '0'], '--runs 0: must be a whole number from 1 to 1000, or auto'],
    [['--runs', 'auto'], '--runs auto needs --gate'],
    [['--runs', 'auto', '--gate', '1'], 'no number of runs shows that a case always passes'],
    [['--runs', 'auto', '--gate', '0.99'], 'takes at least 181 runs, --max-runs is 30'],
    [['--confidence', '0.9'], '--confidence is for --runs auto'],
    [['--max-runs', '9'], '--max-runs is for --runs auto'],
    [['--runs', 'auto', '--gate', '0.9', '--confidence', '1'], '--confidence 1: must be'],
    [['--max-cost', 'much'], '--max-cost much: must be an amount of dollars'],
    [['--max-tokens', '0'], '--max-tokens 0: must be'],
    [['--alpha', '0.7'], '--alpha 0.7: must be'],
    [['--alpha', '0.1'], '--alpha is for --baseline'],
    [
      ['--runs', 'auto', '--gate', '0.9', '--gate-suite', '0.9'],
      '--gate-suite cannot be told with --runs auto',
    ],
    [['--runs', 'auto', '--gate', '0.999'], 'use a lower gate or confidence'],
    [['--baseline', 'none.jsonl'], 'no such file: none.jsonl'],
    [['--baseline', 'c.jsonl'], 'c.jsonl is not a results file of viva'],
  ])('a mistake in a flag is refused before anything is played: %j', async (flags, message) => {
    const { stderr, exitCode, cwd } = await play(['a'], ...flags)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
    expect(() => readFileSync(join(cwd, 'asked'))).toThrow()
  })
})
