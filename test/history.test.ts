import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Ended,
  echoAgent,
  ended,
  jsonl,
  type Line,
  project,
  readJsonl,
  results,
  startViva,
  viva,
} from './support/viva.ts'

/** A case that passes when the agent repeats its id. */
function says(id: string, more: object = {}): object {
  return { id, input: id, assert: { type: 'contains', value: `you said: ${id}` }, ...more }
}

/** An agent that refuses to repeat what is in the file `mute`. */
const moodyAgent = `import { readFileSync } from 'node:fs'
export default (input) => readFileSync('mute', 'utf8').includes(input) ? 'no' : 'you said: ' + input
`

function moody(...cases: object[]): string {
  return project({ 'agent.mjs': moodyAgent, mute: '', 'cases.jsonl': jsonl(...cases) })
}

async function run(cwd: string, ...flags: string[]): Promise<Ended & { played: unknown[] }> {
  const { exitCode, stdout, stderr } = await viva(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', ...flags],
    { cwd },
  )
  const written = join(cwd, 'x.jsonl')
  const played = existsSync(written) ? results(written).map(({ id }) => id) : []
  return { exitCode, stdout, stderr, played }
}

function mute(cwd: string, ...ids: string[]): void {
  writeFileSync(join(cwd, 'mute'), ids.join(' '))
}

function readHistory(cwd: string): Line[] {
  return readJsonl(join(cwd, '.viva/history.jsonl'))
}

/** Writes a history by hand, so that a test can choose what is in it. */
function withHistory(cwd: string, ...lines: Line[]): void {
  mkdirSync(join(cwd, '.viva'), { recursive: true })
  const known = { schema_version: 1, file: 'cases.jsonl', variant: 'agent.mjs', case_hash: 'h', unjudged: 0 }
  const counts = { runs: 1, passed: 1, failed: 0, duration_ms: 1 }
  const whole = lines.map((line, index) => ({
    ...known,
    ...counts,
    run_id: `run-${index}`,
    time: `2026-01-01T00:00:${String(index).padStart(2, '0')}.000Z`,
    ...line,
  }))
  writeFileSync(join(cwd, '.viva/history.jsonl'), jsonl(...whole))
}

describe('.viva/history.jsonl', () => {
  it('the history has one line per case and variant of a run, and is ignored by git', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'other.mjs': 'export default () => "no"\n',
      'cases.jsonl': jsonl(says('a'), says('b')),
    })
    const { exitCode } = await run(cwd, '-n', './other.mjs', '--runs', '2')
    expect(exitCode).toBe(1)
    const lines = readHistory(cwd)
    expect(lines.map(({ id, variant, passed, failed }) => [id, variant, passed, failed])).toEqual([
      ['a', 'agent.mjs', 2, 0],
      ['a', 'other.mjs', 0, 2],
      ['b', 'agent.mjs', 2, 0],
      ['b', 'other.mjs', 0, 2],
    ])
    const [result] = results(join(cwd, 'x.jsonl'))
    expect(lines[0]).toMatchObject({ schema_version: 1, file: 'cases.jsonl', runs: 2, unjudged: 0 })
    expect(lines[0]?.case_hash).toBe(result?.case_hash)
    expect(new Set(lines.map(({ run_id }) => run_id)).size).toBe(1)
    expect(lines[0]).not.toHaveProperty('cost')
    expect(readFileSync(join(cwd, '.viva/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('messages, generated cases, audits, lists and dry runs are not in the history', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(says('a')),
      'make.mjs': `export const cases = () => ${JSON.stringify([says('made')])}\n`,
    })
    const agent = ['-n', './agent.mjs', '-o', 'x.jsonl']
    for (const args of [
      ['-i', 'hello there', ...agent],
      ['-i', 'scripts:make.cases', ...agent],
      ['-i', 'cases.jsonl', '-n', './agent.mjs', '--dry-run'],
      ['-i', 'cases.jsonl', '--list'],
    ])
      expect(await viva(['test', ...args], { cwd })).toMatchObject({ exitCode: 0 })
    await viva(['audit', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], { cwd })
    expect(existsSync(join(cwd, 'x.jsonl'))).toBe(true)
    expect(existsSync(join(cwd, '.viva'))).toBe(false)
  })

  it('secrets are redacted in the history as in the results', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'viva.config.json': JSON.stringify({ secrets: ['MY_SECRET'] }),
      'cases.jsonl': jsonl(says('tell-topsecret1')),
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl']
    await viva(args, { cwd, env: { MY_SECRET: 'topsecret1' } })
    expect(readHistory(cwd)).toMatchObject([{ id: 'tell-[redacted]' }])
  })

  it('the history of an interrupted run has only what finished, and --resume adds the rest', async () => {
    const hanging = `export default (input) =>
      input === 'hang' ? new Promise(() => setInterval(() => {}, 1000)) : 'you said: ' + input\n`
    const cwd = project({ 'agent.mjs': hanging, 'cases.jsonl': jsonl(says('a'), says('hang'), says('c')) })
    const child = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--json'], {
      cwd,
    })
    let printed = ''
    child.stdout?.on('data', (text: Buffer) => {
      printed += text
      // A second signal would end the run at once.
      if (!child.killed && /"type":"case_started"[^\n]*"hang"/.test(printed)) child.kill('SIGINT')
    })
    expect((await ended(child)).exitCode).toBe(130)
    expect(readHistory(cwd).map(({ id, passed }) => [id, passed])).toEqual([['a', 1]])

    // The first part of the run must not be counted twice.
    writeFileSync(join(cwd, 'agent.mjs'), echoAgent)
    expect(await run(cwd, '--resume', 'x.jsonl')).toMatchObject({ exitCode: 0 })
    expect(readHistory(cwd).map(({ id }) => id)).toEqual(['a', 'hang', 'c'])
  })

  it('the history and the journal are restored when .viva is deleted during the run', async () => {
    const agent = `import { rmSync } from 'node:fs'
      export default (input) => {
        if (input === 'b') rmSync('.viva', { recursive: true })
        return 'you said: ' + input
      }\n`
    const cwd = project({
      'agent.mjs': agent,
      'tests/one.jsonl': jsonl(says('a'), says('b')),
      'tests/two.jsonl': jsonl(says('c')),
    })
    const { exitCode, stderr } = await viva(['test', '-i', 'tests', '-n', './agent.mjs'], { cwd })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(readHistory(cwd).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(existsSync(join(cwd, '.viva/.gitignore'))).toBe(true)
    const [journal = ''] = readdirSync(join(cwd, '.viva/runs'))
    const lines = readJsonl(join(cwd, '.viva/runs', journal))
    expect(lines.map(({ type }) => type)).toEqual(['start', 'result', 'result', 'result', 'summary'])
  })

  it('a history that cannot be written is a warning and does not change the exit code', async () => {
    const agent = `import { writeFileSync } from 'node:fs'
      export default (input) => { writeFileSync('.viva', ''); return 'you said: ' + input }\n`
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl(says('a')) })
    const { exitCode, stderr, played } = await run(cwd)
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^⚠ \.viva\/history\.jsonl could not be written, so this run is not in the history: /,
      ),
    ])
    expect({ exitCode, played }).toEqual({ exitCode: 0, played: ['a'] })
  })

  it('a torn last line of the history is left out with one warning', async () => {
    const cwd = moody(says('a'), says('b'))
    await run(cwd)
    appendFileSync(join(cwd, '.viva/history.jsonl'), '{"schema_version":1,"time":"20')
    mute(cwd, 'b')
    expect(await run(cwd)).toMatchObject({ exitCode: 1, stderr: '' })
    const again = await run(cwd, '--last-failed')
    expect(again.played).toEqual(['b'])
    expect(again.stderr).toBe('⚠ .viva/history.jsonl: 1 line that cannot be read is left out\n')
    const { exitCode, stdout, stderr } = await viva(['history'], { cwd })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: again.stderr })
    expect(stdout).toContain('✗ b')
  })

  it('runs that end at the same time all write their lines', async () => {
    const cases = Array.from({ length: 40 }, (_, index) => says(`case-${index}`))
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(...cases) })
    const runs = [1, 2, 3].map((number) =>
      viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', `x-${number}.jsonl`], { cwd }),
    )
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    const lines = readHistory(cwd)
    expect(lines).toHaveLength(3 * 40)
    expect(new Set(lines.map(({ run_id }) => run_id)).size).toBe(3)
    expect(new Set(lines.map(({ run_id, id }) => `${run_id} ${id}`)).size).toBe(3 * 40)
  })
})

describe('--last-failed', () => {
  it('--last-failed plays what did not pass last time, until nothing is left', async () => {
    const cwd = moody(says('a'), says('b'), says('c'), says('s', { skip: 'not today' }))
    expect(await run(cwd, '--last-failed')).toMatchObject({
      exitCode: 2,
      stderr: '✗ --last-failed: there is no history of runs yet (run them once without --last-failed)\n',
    })
    mute(cwd, 'a', 'c')
    await run(cwd)
    mute(cwd, 'c')
    expect(await run(cwd, '--last-failed')).toMatchObject({ exitCode: 1, played: ['a', 'c'] })
    mute(cwd)
    expect(await run(cwd, '--last-failed')).toMatchObject({ exitCode: 0, played: ['c'] })
    expect(await run(cwd, '--last-failed')).toMatchObject({
      exitCode: 2,
      stderr: '✗ nothing failed last time (leave out --last-failed to run all 4 cases)\n',
    })
  })

  it('--last-failed combines with --run, --tag, --list and --dry-run', async () => {
    const cwd = moody(says('a', { tags: ['x'] }), says('b', { tags: ['x'] }), says('c'))
    mute(cwd, 'b', 'c')
    await run(cwd)
    expect(await run(cwd, '--last-failed', '--tag', 'x')).toMatchObject({ played: ['b'] })
    expect(await run(cwd, '--last-failed', '--run', 'c')).toMatchObject({ played: ['c'] })
    expect(await run(cwd, '--last-failed', '--run', 'a')).toMatchObject({
      exitCode: 2,
      stderr: '✗ nothing failed last time (leave out --last-failed to run the case)\n',
    })
    const list = await viva(['test', '-i', 'cases.jsonl', '--last-failed', '--list'], { cwd })
    expect(list.stdout).toBe('b [x]\nc\n')
    const dry = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--last-failed', '--dry-run']
    expect((await viva(dry, { cwd })).stdout).toContain('2 cases are valid')
  })

  it('--last-failed looks only at the variants that are played', async () => {
    const cwd = moody(says('a'), says('b'), says('c'))
    writeFileSync(join(cwd, 'other.mjs'), moodyAgent.replace("'mute'", "'mute-other'"))
    writeFileSync(join(cwd, 'mute-other'), 'b')
    mute(cwd, 'a')
    await run(cwd, '-n', './other.mjs')
    expect(await run(cwd, '-n', './other.mjs', '--last-failed')).toMatchObject({
      played: ['a', 'a', 'b', 'b'],
    })
    expect(await run(cwd, '--last-failed')).toMatchObject({ played: ['a'] })
    const other = ['test', '-i', 'cases.jsonl', '-n', './other.mjs', '-o', 'x.jsonl', '--last-failed']
    await viva(other, { cwd })
    expect(results(join(cwd, 'x.jsonl')).map(({ id }) => id)).toEqual(['b'])
  })

  it('--last-failed includes infrastructure errors and leaves out expected failures', async () => {
    const later = { expected_failure: { reason: 'later', until: '2999-12-31' } }
    const cwd = moody(says('a'), says('b'), says('known', later))
    withHistory(
      cwd,
      { id: 'a', passed: 0, unjudged: 1 },
      { id: 'b', passed: 0, unjudged: 1, skipped: 1 },
      { id: 'known', passed: 0, failed: 1, expected_failures: 1 },
    )
    expect(await run(cwd, '--last-failed')).toMatchObject({ played: ['a'] })
  })

  it('an interrupted --last-failed run is finished by the command it prints', async () => {
    const cwd = moody(says('a'), says('b'), says('c'))
    mute(cwd, 'b', 'c')
    await run(cwd)
    const stopped = await run(cwd, '--last-failed', '--fail-fast')
    expect(stopped.stdout).toContain('--last-failed --fail-fast -o x.jsonl --resume x.jsonl')
    mute(cwd)
    await run(cwd, '--last-failed', '--resume', 'x.jsonl')
    const summary = readJsonl(join(cwd, 'x.jsonl')).at(-1)
    expect(summary).toMatchObject({ type: 'summary', total: 2, passed: 1, failed: 1, not_run: 0 })
  })
})

describe('--order', () => {
  const ids = ['a', 'b', 'c', 'd']

  it('--order puts new and failed cases first, or slow ones', async () => {
    const cwd = moody(...ids.map((id) => says(id)))
    const lines = [
      { id: 'a', duration_ms: 10 },
      { id: 'b', duration_ms: 30 },
      { id: 'c', duration_ms: 20, passed: 0, failed: 1 },
    ]
    withHistory(cwd, ...lines)
    expect(await run(cwd, '--order', 'failed-first')).toMatchObject({ played: ['d', 'c', 'a', 'b'] })
    withHistory(cwd, ...lines)
    expect(await run(cwd, '--order', 'slow-first')).toMatchObject({ played: ['d', 'b', 'c', 'a'] })
  })

  it('--order does not change the plan hash', async () => {
    const cwd = moody(...ids.map((id) => says(id)))
    await run(cwd)
    const planHash = () => readJsonl(join(cwd, 'x.jsonl'))[0]?.plan_hash
    const asWritten = planHash()
    await run(cwd, '--order', 'random', '--seed', '3')
    expect(planHash()).toBe(asWritten)
  })

  it('--order random prints its seed, and the same seed gives the same order', async () => {
    const cwd = moody(...Array.from({ length: 12 }, (_, index) => says(`case-${index}`)))
    const first = await run(cwd, '--order', 'random')
    const [, seed = ''] = /Order: random \(--seed (\d+) gives it again\)/.exec(first.stdout) ?? []
    const again = await run(cwd, '--order', 'random', '--seed', seed)
    expect(again.played).toEqual(first.played)
    expect(again.stdout).toContain(`--seed ${seed}`)
    const one = await run(cwd, '--order', 'random', '--seed', '1')
    const two = await run(cwd, '--order', 'random', '--seed', '2')
    expect(one.played).not.toEqual(two.played)
  })

  it('an unknown order is refused with the nearest known one', async () => {
    const cwd = moody(says('a'))
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--order', 'fail-first'],
      { cwd },
    )
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      '✗ --order fail-first: must be one of failed-first, slow-first, random (did you mean "failed-first"?)\n',
    )
  })
})

describe('viva history', () => {
  const failed = { passed: 0, failed: 1 }

  it('viva history shows how each case did, those played last first', async () => {
    const cwd = project({})
    withHistory(
      cwd,
      { id: 'old', file: 'old.jsonl', ...failed },
      { id: 'steady', duration_ms: 10, cost: 0.01 },
      { id: 'steady', duration_ms: 20, cost: 0.02 },
      { id: 'flips', duration_ms: 5 },
      { id: 'flips', duration_ms: 5, ...failed },
      { id: 'flips', duration_ms: 5 },
    )
    const { exitCode, stdout } = await viva(['history'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout.split('\n')).toEqual([
      '    case    passed        time        cost',
      'cases.jsonl',
      '  ✓ flips   █▁█     100%  ███   5ms                 flaky',
      '  ✓ steady  ██      100%  ▅█    20ms  ▅█    $0.020',
      'old.jsonl',
      '  ✗ old     ▁       0%    █     1ms',
      '',
    ])
    const limited = await viva(['history', '--limit', '1'], { cwd })
    expect(limited.stdout.split('\n').slice(-2)).toEqual(['  … and 2 more (--limit)', ''])
  })

  it('viva history with an id shows its runs, and which were before the case changed', async () => {
    const cwd = project({})
    withHistory(
      cwd,
      { id: 'a', case_hash: 'before', ...failed },
      { id: 'a', runs: 4, passed: 3, failed: 1, duration_ms: 1500, cost: 0.5 },
      { id: 'a', variant: 'other', passed: 0, unjudged: 1 },
    )
    const { stdout } = await viva(['history', 'a'], { cwd })
    expect(stdout.split('\n')).toEqual([
      'cases.jsonl',
      '  2026-01-01 00:00:02Z  ⚠ 0/1  –    1ms   –      other',
      '  2026-01-01 00:00:01Z  ✗ 3/4  75%  1.5s  $0.50  agent.mjs',
      '  2026-01-01 00:00:00Z  ✗ 0/1  0%   1ms   –      agent.mjs  the case was changed since',
      '',
    ])
  })

  it('viva history --json prints the same as JSON', async () => {
    const cwd = project({})
    withHistory(cwd, { id: 'a', ...failed }, { id: 'a', cost: 0.1 }, { id: 'b', passed: 0, unjudged: 1 })
    const json = async (...args: string[]) =>
      JSON.parse((await viva(['history', '--json', ...args], { cwd })).stdout) as unknown
    expect(await json()).toMatchObject({
      cases: [
        { id: 'b', last: 'unjudged', pass_rates: [null] },
        {
          id: 'a',
          last: 'passed',
          flaky: false,
          pass_rates: [0, 100],
          durations_ms: [1, 1],
          costs: [null, 0.1],
        },
      ],
    })
    expect(await json('a', '--limit', '1')).toMatchObject({
      id: 'a',
      runs: [{ outcome: 'passed', pass_rate: 100, changed_since: false, run_id: 'run-1' }],
    })
  })

  it('viva history without a history exits with 2', async () => {
    const cwd = project({})
    const none = await viva(['history'], { cwd })
    expect(none).toMatchObject({ exitCode: 2, stdout: '' })
    expect(none.stderr).toContain('there is no history of runs here yet')
  })

  it('viva history refuses an unknown case and names similar ones', async () => {
    const cwd = project({})
    withHistory(cwd, { id: 'refund-1' }, { id: 'refund-2' }, { id: 'greeting' })
    expect(await viva(['history', 'refund'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: '✗ no case "refund" in the history (did you mean refund-1, refund-2?)\n',
    })
  })

  it('viva history refuses --limit 0', async () => {
    const cwd = project({})
    withHistory(cwd, { id: 'refund-1' }, { id: 'refund-2' }, { id: 'greeting' })
    expect(await viva(['history', '--limit', '0'], { cwd })).toMatchObject({ exitCode: 2 })
  })

  it('viva history prints no control characters from names', async () => {
    const cwd = project({})
    const hostile = '\u001b[31mred\u0007\u202egnp.exe\r\nnext\u009b2J'
    withHistory(cwd, { id: hostile, variant: hostile, file: hostile }, { id: 'b' })
    for (const args of [[], [hostile], ['nothing like it']]) {
      const { stdout, stderr } = await viva(['history', ...args], { cwd })
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })
})

describe('the history of a resumed run', () => {
  it('a resumed run is one run in the history, with the failures of both parts', async () => {
    const cwd = moody(says('a'), says('b'))
    mute(cwd, 'a')
    await run(cwd, '--runs', '2')
    const path = join(cwd, 'x.jsonl')
    writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, 2).join('\n')}\n`)
    mute(cwd)
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--runs', '2', '--resume', 'x.jsonl'], {
      cwd,
    })
    expect(
      readHistory(cwd)
        .filter(({ id }) => id === 'a')
        .at(-1),
    ).toMatchObject({ runs: 2, passed: 1, failed: 1 })
    const { stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--last-failed', '--list'],
      { cwd },
    )
    expect(stdout.trim()).toBe('a')
  })

  it('--resume plays a retry that the interrupted run did not get to', async () => {
    const cwd = moody(says('a'))
    mute(cwd, 'a')
    await run(cwd, '--retries', '1')
    const path = join(cwd, 'x.jsonl')
    const [start, first] = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, `${start}\n${first}\n`)
    mute(cwd)
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--retries', '1', '--resume', 'x.jsonl']
    expect((await viva(args, { cwd })).exitCode).toBe(0)
  })
})
