import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Ended,
  jsonl,
  type Line,
  project,
  readJsonl,
  results,
  shared,
  spawnViva,
  viva,
} from './support/viva.ts'

/** Says no to "bad", and at every first attempt to "flaky". It counts in a file, which lasts across runs. */
const agent = `import { appendFileSync, readFileSync } from 'node:fs'
export default async (message) => {
  if (message !== 'flaky') return message === 'bad' ? 'no' : 'yes'
  appendFileSync('asked', 'x')
  return readFileSync('asked', 'utf8').length % 2 === 1 ? 'no' : 'yes'
}
`
const tests = `export function TestRight(t) { t.assert.Equal(1, 1) }
export function TestWrong(t) { t.assert.Equal(1, 2) }
`
const assert = { type: 'contains', value: 'yes' }
const ids = ['bad', 'flaky', ...Array.from({ length: 20 }, (_, number) => `good-${number}`)]
const cases = (names: readonly string[]) => jsonl(...names.map((id) => ({ id, input: id, assert })))

function suite(names: readonly string[] = ids): string {
  return project({ 'one.mjs': agent, 'two.mjs': agent, 'cases.jsonl': cases(names), 'own_test.ts': tests })
}

const inputs = ['-i', 'cases.jsonl', '-n', './one.mjs']

/** Runs the shards one after the other, and returns their exit codes. */
async function runShards(cwd: string, of: number, flags: readonly string[]): Promise<(number | null)[]> {
  const codes: (number | null)[] = []
  for (let index = 1; index <= of; index++) {
    const shard = ['--shard', `${index}/${of}`, '-o', `shards/${index}.jsonl`]
    codes.push((await viva(['test', ...flags, ...shard], { cwd })).exitCode)
  }
  return codes
}

function merge(cwd: string, ...args: string[]): Promise<Ended> {
  return viva(['merge', ...args], { cwd })
}

const shardFiles = (of: number) => Array.from({ length: of }, (_, place) => `shards/${place + 1}.jsonl`)

/** The lines of a type, in an order that does not depend on how they were run, without what differs from run to run. */
function comparable(path: string, type: string): string[] {
  const isDifferent = /^(session_id|started_at|duration_ms|reply_ms|\w+_duration_ms|std_deviation_ms)$/
  const text = (line: Line) =>
    JSON.stringify(line, (key, value: unknown) => (isDifferent.test(key) ? undefined : value))
  return readJsonl(path)
    .filter((line) => line.type === type)
    .map(text)
    .toSorted()
}

async function list(cwd: string, shard: string, ...flags: string[]): Promise<string[]> {
  const { stdout, exitCode } = await viva(['test', ...inputs, '--list', '--shard', shard, ...flags], { cwd })
  expect(exitCode).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
}

describe('eight shards that are merged', () => {
  const flags = [...inputs, '-n', './two.mjs', '-i', 'own_test.ts']
  const repeated = ['--runs', '3', '--retries', '1', '--gate', '0.6', '--gate-stable', '--seed', '5']
  const both = shared(async () => {
    const [whole, parts] = [suite(), suite()]
    const args = ['test', ...flags, ...repeated, '--gate-suite', '0.5', '-o', 'all.jsonl']
    const one = await viva(args, { cwd: whole })
    const codes = await runShards(parts, 8, [...flags, ...repeated])
    const merged = await merge(parts, ...shardFiles(8).toReversed(), '-o', 'all.jsonl', '--gate-suite', '0.5')
    const read = (type: string) =>
      [whole, parts].map((cwd) => comparable(join(cwd, 'all.jsonl'), type)) as [string[], string[]]
    const files = readdirSync(parts)
    const history = [whole, parts].map((cwd) => readJsonl(join(cwd, '.viva/history.jsonl')))
    const lines = { results: read('result'), stability: read('stability'), summary: read('summary') }
    const starts = [whole, parts].map((cwd) => readJsonl(join(cwd, 'all.jsonl'))[0])
    return { one, codes, merged, lines, starts, files, history }
  })

  it('have the results of one run, with all attempts', async () => {
    const { lines } = await both()
    const [one, merged] = lines.results
    // 22 cases with two variants and two tests, three times, and the first attempts of what failed.
    expect(one).toHaveLength((22 * 2 + 2) * 3 + 2 * 3 + 2 * 3 + 3)
    expect(merged).toEqual(one)
  })

  it('have the stability, the gates and the summary of one run', async () => {
    const { lines } = await both()
    expect(lines.stability[0]).toHaveLength(22 * 2 + 2)
    expect(lines.stability[1]).toEqual(lines.stability[0])
    expect(lines.summary[0]).toHaveLength(1)
    expect(lines.summary[1]).toEqual(lines.summary[0])
    expect(JSON.parse(lines.summary[1][0] ?? '')).toMatchObject({
      flaky: 6,
      gates: [
        { gate: 'case', status: 'missed', missed: 3 },
        { gate: 'suite', variant: 'one.mjs', status: 'reached' },
        { gate: 'suite', variant: 'two.mjs', status: 'reached' },
        { gate: 'suite', variant: 'scripts', status: 'reached' },
        { gate: 'stable', status: 'missed' },
      ],
    })
  })

  it('have the exit code and the start of one run', async () => {
    const { one, merged, starts } = await both()
    expect([one.exitCode, merged.exitCode]).toEqual([1, 1])
    const [ofOne, ofMerged] = starts.map((start) => ({ ...start, timestamp: '', command: '' }))
    expect(ofMerged).toEqual(ofOne)
  })

  it('print what one run prints at its end', async () => {
    const { one, merged } = await both()
    const rows = ({ stdout }: Ended) =>
      (stdout.split('  Summary\n')[1]?.match(/^ {2}\w+: .*$/gm) ?? [])
        .filter((line) => !/^ {2}(Time|Results):/.test(line))
        .toSorted()
    expect(rows(one)).toContain('  Rate:    93.5% (129 of 138)')
    expect(rows(merged)).toEqual(rows(one))
    expect(merged.stdout).toContain('Run what failed again:\n    viva test -i cases.jsonl')
    expect(merged.stdout).toContain("--run '^(TestWrong|bad)$'")
  })

  it('are in the history as one run, however often they are merged', async () => {
    const { history } = await both()
    const [one, merged] = history.map((lines) =>
      lines.map(({ time: _, run_id: __, duration_ms: ___, ...line }) => JSON.stringify(line)).toSorted(),
    )
    expect(merged).toEqual(one)
  })

  it('have judged their own gates, and leave nothing else behind', async () => {
    const { codes, files } = await both()
    expect(codes.filter((code) => code === 1).length).toBeGreaterThanOrEqual(1)
    expect(codes.every((code) => code === 0 || code === 1)).toBe(true)
    expect(files.toSorted()).toEqual(
      [
        '.viva',
        'all.jsonl',
        'asked',
        'cases.jsonl',
        'one.mjs',
        'own_test.ts',
        'shards',
        'two.mjs',
      ].toSorted(),
    )
  })
})

describe('--shard', () => {
  it('each case is in one shard, and a case that is added or moved in its file moves no other', async () => {
    const cwd = suite()
    const before = [await list(cwd, '1/3'), await list(cwd, '2/3'), await list(cwd, '3/3')]
    expect(before.flat().toSorted()).toEqual(ids.toSorted())
    expect(before.every((part) => part.length > 0)).toBe(true)
    writeFileSync(join(cwd, 'cases.jsonl'), cases(['new', ...ids.toReversed()]))
    for (const [place, part] of before.entries())
      expect((await list(cwd, `${place + 1}/3`)).filter((id) => id !== 'new').toSorted()).toEqual(
        part.toSorted(),
      )
  })

  it('a selected case stays in its shard', async () => {
    const cwd = suite()
    const [first] = await list(cwd, '2/3')
    expect(await list(cwd, '2/3', '--run', `^${first}$`)).toEqual([first])
    expect(await list(cwd, '1/3', '--run', `^${first}$`)).toEqual([])
  })

  it('an empty shard passes, and can be merged', async () => {
    const cwd = suite(['good'])
    const [empty, other] = (await list(cwd, '1/2')).length === 0 ? [1, 2] : [2, 1]
    const play = (index: number) =>
      viva(['test', ...inputs, '--gate', '0.9', '--shard', `${index}/2`, '-o', `${index}.jsonl`], { cwd })
    const { exitCode, stdout } = await play(empty)
    expect(stdout).toContain(`Shard ${empty}/2 is empty: 0 of 1 case\n`)
    expect(stdout).not.toContain('Nothing was judged')
    expect(exitCode).toBe(0)
    await play(other)
    expect((await merge(cwd, '1.jsonl', '2.jsonl', '-o', 'all.jsonl')).exitCode).toBe(0)
    expect(results(join(cwd, 'all.jsonl')).map(({ id }) => id)).toEqual(['good'])
  })

  it('an empty shard starts no service, and calls nothing around the run', async () => {
    const around = `import { writeFileSync } from 'node:fs'
      export function Before() { writeFileSync('called', '') }
      export function After() { writeFileSync('called', '') }\n`
    const services = [{ command: 'node -e process.exit(1)', url: 'http://127.0.0.1:9/', timeout: '1s' }]
    const cwd = suite(['good'])
    const [empty, other] = (await list(cwd, '1/2')).length === 0 ? ['1/2', '2/2'] : ['2/2', '1/2']
    writeFileSync(join(cwd, 'around.ts'), around)
    writeFileSync(join(cwd, 'viva.config.json'), JSON.stringify({ services }))
    const args = [
      'test',
      ...inputs,
      '--before-all',
      'around.Before',
      '--after-all',
      'around.After',
      '--shard',
    ]
    expect((await viva([...args, empty], { cwd })).exitCode).toBe(0)
    expect(existsSync(join(cwd, 'called'))).toBe(false)
    expect((await viva([...args, other], { cwd })).exitCode).toBe(3)
  })

  it('--dry-run validates all cases and counts those of the shard', async () => {
    const { stdout, exitCode } = await viva(['test', ...inputs, '--shard', '1/3', '--dry-run'], {
      cwd: suite(),
    })
    expect(stdout).toMatch(/22 cases are valid; no agent was called\n {2}Shard 1\/3: \d+ of 22 cases\n/)
    expect(exitCode).toBe(0)
  })

  it('a shard that was stopped is finished by --resume, which refuses other shards', async () => {
    const cwd = suite()
    await runShards(cwd, 2, inputs)
    const path = join(cwd, 'shards/1.jsonl')
    const whole = comparable(path, 'result')
    const kept = readFileSync(path, 'utf8').split('\n').slice(0, 4).join('\n')
    writeFileSync(path, `${kept}\n{"type":"resu`)
    const unfinished = await merge(cwd, ...shardFiles(2), '-o', 'all.jsonl')
    expect(unfinished.stderr).toContain(
      '✗ shards/1.jsonl: shard 1/2 did not finish (finish it: give the same command --resume shards/1.jsonl)',
    )
    const resume = ['test', ...inputs, '--resume', 'shards/1.jsonl']
    const wrong = await viva([...resume, '--shard', '2/2'], { cwd })
    expect(wrong.stderr).toContain('its results are of shard 1/2, not of shard 2/2 (use --shard 1/2)')
    expect((await viva(resume, { cwd })).stderr).toContain('of shard 1/2, not of a whole run')
    await viva([...resume, '--shard', '1/2'], { cwd })
    expect(comparable(path, 'result')).toEqual(whole)
    expect((await merge(cwd, ...shardFiles(2), '-o', 'all.jsonl')).exitCode).toBe(1)
    expect(results(join(cwd, 'all.jsonl'))).toHaveLength(22)
  })

  const wrong: [string[], string][] = [
    ...['0/4', '5/4', 'a/b', '1/0', '1', '1/2/3', '1/1001'].map((value): [string[], string] => [
      ['cases.jsonl', '--shard', value],
      `--shard ${value}: must be i/n, where i is from 1 to n and n at most 1000, like 2/8`,
    ]),
    [['hello', '--shard', '1/2'], '--shard: a message cannot be divided'],
    [['--interactive', '--shard', '1/2'], '--shard: a message cannot be divided'],
    [['agents:workers.generator', '--shard', '1/2'], '--dry-run -o cases.jsonl'],
    [['cases.jsonl', '--shard-by', 'time'], '--shard-by is for --shard'],
    [['cases.jsonl', '--shard', '1/2', '--shard-by', 'size'], 'must be one of hash, time'],
    [['cases.jsonl', '--shard', '1/2', '--gate-suite', '0.9'], '--gate-suite is about all cases together'],
    [['cases.jsonl', '--shard', '1/2', '--baseline', 'b.jsonl'], '(give it to viva merge)'],
    [['cases.jsonl', '--shard', '1/2', '--max-infrastructure-errors', '5%'], '(give it to viva merge)'],
    [['cases.jsonl', '--shard', '1/2', '--watch'], '--watch cannot be combined with --shard'],
  ]
  it.each(wrong)('refuses %j', async (args, message) => {
    const { exitCode, stderr } = await viva(['test', '-n', './one.mjs', ...args], { cwd: suite(['good']) })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})

describe('--shard-by time', () => {
  /** A history in which one case takes as long as all others together. */
  function history(slow: string): string {
    const line = (id: string, duration_ms: number) => ({
      ...{ schema_version: 1, time: '2026-01-01T00:00:00.000Z', run_id: 'r', file: 'cases.jsonl', id },
      ...{ variant: 'one.mjs', case_hash: 'x', runs: 1, passed: 1, failed: 0, unjudged: 0, duration_ms },
    })
    return jsonl(...ids.map((id) => line(id, id === slow ? 21_000 : 1000)))
  }

  function remember(cwd: string, slow: string): string {
    mkdirSync(join(cwd, '.viva'), { recursive: true })
    writeFileSync(join(cwd, '.viva/history.jsonl'), history(slow))
    return cwd
  }

  const byTime = ['--shard-by', 'time']

  it('all shards take about as long', async () => {
    const cwd = remember(suite(), 'good-7')
    expect(await list(cwd, '1/2', ...byTime)).toEqual(['good-7'])
    expect(await list(cwd, '2/2', ...byTime)).toEqual(ids.filter((id) => id !== 'good-7'))
  })

  it('without a history, all shards have as many cases', async () => {
    const cwd = suite()
    const parts = [await list(cwd, '1/2', ...byTime), await list(cwd, '2/2', ...byTime)]
    expect(parts.map(({ length }) => length)).toEqual([11, 11])
    expect(parts.flat().toSorted()).toEqual(ids.toSorted())
  })

  it('the shards are not in the history, so that they all have the same', async () => {
    const cwd = remember(suite(), 'good-7')
    await runShards(cwd, 2, [...inputs, ...byTime])
    expect(readFileSync(join(cwd, '.viva/history.jsonl'), 'utf8')).toBe(history('good-7'))
    expect((await merge(cwd, ...shardFiles(2), '-o', 'all.jsonl')).exitCode).toBe(1)
    expect(results(join(cwd, 'all.jsonl'))).toHaveLength(22)
  })

  it('shards with other histories cannot be merged', async () => {
    const cwd = remember(suite(), 'good-7')
    await viva(['test', ...inputs, '--shard', '1/2', ...byTime, '-o', '1.jsonl'], { cwd })
    remember(cwd, 'good-8')
    await viva(['test', ...inputs, '--shard', '2/2', ...byTime, '-o', '2.jsonl'], { cwd })
    const { exitCode, stderr } = await merge(cwd, '1.jsonl', '2.jsonl', '-o', 'all.jsonl')
    expect(stderr).toContain(
      '✗ 2.jsonl and 1.jsonl are not of one run: they differ in which case is in which shard (with --shard-by time, all shards need the same history)',
    )
    expect(exitCode).toBe(2)
  })
})

describe('viva merge', () => {
  const mixed = ['good-0', 'good-1', 'good-2', 'bad', 'good-3']

  async function shards(...flags: string[]): Promise<string> {
    const cwd = suite(mixed)
    await runShards(cwd, 3, [...inputs, ...flags])
    return cwd
  }

  function change(cwd: string, file: string, how: (text: string) => string): void {
    const path = join(cwd, file)
    writeFileSync(path, how(readFileSync(path, 'utf8')))
  }

  it('lists everything that is wrong at once, and writes nothing', async () => {
    const cwd = await shards()
    await viva(['test', ...inputs, '-o', 'whole.jsonl'], { cwd })
    writeFileSync(join(cwd, 'torn.jsonl'), readFileSync(join(cwd, 'shards/2.jsonl'), 'utf8').slice(0, -40))
    copyFileSync(join(cwd, 'shards/1.jsonl'), join(cwd, 'old.jsonl'))
    change(cwd, 'old.jsonl', (text) => text.replace(/"viva_version":"[^"]*"/, '"viva_version":"0.0.1"'))
    const before = readdirSync(cwd)
    const files = ['shards/1.jsonl', 'shards/1.jsonl', 'torn.jsonl', 'old.jsonl']
    const others = ['whole.jsonl', 'cases.jsonl', 'nowhere.jsonl']
    const { exitCode, stderr } = await merge(
      cwd,
      ...files,
      ...others,
      '-o',
      'new/all.jsonl',
      '-o',
      'report.html',
    )
    expect(stderr.split('\n')).toEqual([
      '✗ torn.jsonl: shard 2/3 did not finish (finish it: give the same command --resume torn.jsonl)',
      expect.stringMatching(
        /^✗ old\.jsonl was written by viva 0\.0\.1, and this is \S+ \(merge with the version/,
      ),
      '✗ whole.jsonl is no shard, but a whole run',
      '✗ cases.jsonl is not a results file of viva (use the -o of viva test --shard)',
      '✗ no such file: nowhere.jsonl',
      '✗ shard 1/3 is there 2 times: shards/1.jsonl, shards/1.jsonl',
      '✗ shard 3/3 is missing',
      '7 errors. Nothing was run.',
      '',
    ])
    expect(exitCode).toBe(2)
    expect(readdirSync(cwd)).toEqual(before)
  })

  it('refuses files from which lines are missing, or that have those of another shard', async () => {
    const cwd = await shards('--runs', '2')
    const [first, second] = shardFiles(2).map((file) => readFileSync(join(cwd, file), 'utf8').split('\n'))
    change(cwd, 'shards/1.jsonl', () => first?.toSpliced(1, 1).join('\n') ?? '')
    const [own, foreign] = [second?.[1] ?? '', first?.[1] ?? '']
    change(cwd, 'shards/2.jsonl', (text) => text.replace(own, foreign))
    const { stderr } = await merge(cwd, ...shardFiles(3), '-o', 'all.jsonl')
    expect(stderr).toMatch(/shards\/1\.jsonl is damaged: it has \d+ of \d+ results/)
    change(cwd, 'shards/1.jsonl', () => first?.join('\n') ?? '')
    expect((await merge(cwd, ...shardFiles(3), '-o', 'all.jsonl')).stderr).toMatch(
      /✗ shards\/2\.jsonl has results that another shard has too, such as those of \S+\n/,
    )
    expect(existsSync(join(cwd, 'all.jsonl'))).toBe(false)
  })

  const other: [string, string[], string][] = [
    ['runs', ['--runs', '2'], 'the number of runs (--runs): 2 and 1'],
    ['a seed', ['--seed', '3'], 'the seed (--seed): 3 and none'],
    ['gates', ['--gate', '0.5'], 'the gates'],
    ['agents', ['-n', './two.mjs'], 'the agents'],
    ['cases', ['--run', 'good'], 'the cases (run all shards with the same files and the same flags)'],
    ['a user', ['-u', 'ada'], 'the user, team or locale'],
  ]
  it.each(other)('refuses shards with other %s', async (_, flags, what) => {
    const cwd = await shards()
    await viva(['test', ...inputs, '--shard', '2/3', '-o', 'shards/2.jsonl', ...flags], { cwd })
    const { exitCode, stderr } = await merge(cwd, ...shardFiles(3), '-o', 'all.jsonl')
    expect(stderr).toBe(`✗ shards/2.jsonl and shards/1.jsonl are not of one run: they differ in ${what}\n`)
    expect(exitCode).toBe(2)
  })

  it('names flags that are not the same in all shards', async () => {
    const cwd = await shards()
    await viva(['test', ...inputs, '--shard', '2/3', '-o', 'shards/2.jsonl', '--timeout', '1m'], { cwd })
    const { stderr } = await merge(cwd, ...shardFiles(3), '-o', 'all.jsonl')
    expect(stderr).toContain('the shards were run with different flags: shards/')
    expect(stderr).toContain('shards/2.jsonl: viva test -i cases.jsonl -n ./one.mjs --timeout 1m')
  })

  it('refuses shards of another number of shards', async () => {
    const cwd = await shards()
    await viva(['test', ...inputs, '--shard', '2/4', '-o', 'shards/2.jsonl'], { cwd })
    const { stderr } = await merge(cwd, ...shardFiles(3), '-o', 'all.jsonl')
    expect(stderr).toContain('they differ in the number of shards: 4 and 3\n')
  })

  it('never overwrites a shard, or a file that viva did not write', async () => {
    const cwd = await shards()
    for (const [output, message] of [
      ['shards/1.jsonl', 'is an input of the run'],
      ['cases.jsonl', 'was not written by viva'],
      ['all.pdf', 'unknown format ".pdf"'],
      ['report.html', 'viva merge needs a file for the merged results (give it -o results.jsonl)'],
    ] as const) {
      const { exitCode, stderr } = await merge(cwd, ...shardFiles(3), '-o', output)
      expect(stderr).toContain(message)
      expect(exitCode).toBe(2)
    }
    expect(existsSync(join(cwd, 'report.html'))).toBe(false)
  })

  it('writes every report, and compares with a baseline', async () => {
    const cwd = await shards()
    const names = ['all.jsonl', 'copy.jsonl', 'r.html', 'r.md', 'r.json', 'r.xml', 'r.txt']
    const outputs = names.flatMap((name) => ['-o', name])
    const { exitCode, stdout } = await merge(cwd, ...shardFiles(3), ...outputs)
    expect(exitCode).toBe(1)
    for (const name of names) expect(stdout).toContain(`Results: ${name}\n`)
    const journal = readFileSync(join(cwd, 'all.jsonl'), 'utf8')
    expect(readFileSync(join(cwd, 'copy.jsonl'), 'utf8')).toBe(journal)
    expect(readFileSync(join(cwd, 'r.txt'), 'utf8')).toContain('4 of 5 passed (80%)')
    for (const name of ['r.md', 'r.json', 'r.xml', 'r.txt']) {
      await viva(['report', 'all.jsonl', '-o', `again-${name}`], { cwd })
      const read = (file: string) => readFileSync(join(cwd, file), 'utf8').replace(/\d{4}-[\dT:.-]+Z?/g, '')
      expect(read(`again-${name}`)).toBe(read(name))
    }
    const compared = await merge(cwd, ...shardFiles(3), '-o', 'next.jsonl', '--baseline', 'all.jsonl')
    expect(compared.stdout).toContain('Compared: No regression: no case passes less often')
    expect(readJsonl(join(cwd, 'next.jsonl')).at(-1)).toMatchObject({
      comparison: { baseline: 'all.jsonl', verdict: 'no regression' },
    })
  })

  it('judges the gates that only the whole run can reach', async () => {
    const cwd = await shards('--gate', '0.5')
    const files = [...shardFiles(3), '-o', 'all.jsonl']
    const gates = async (...flags: string[]) => {
      const { exitCode } = await merge(cwd, ...files, ...flags)
      const summary = readJsonl(join(cwd, 'all.jsonl')).at(-1) as {
        gates: { gate: string; status: string }[]
      }
      return [exitCode, ...summary.gates.map(({ gate, status }) => `${gate} ${status}`)]
    }
    expect(await gates()).toEqual([1, 'case missed'])
    expect(await gates('--gate-suite', '0.7')).toEqual([1, 'case missed', 'suite reached'])
    const whole = await shards()
    expect((await merge(whole, ...files, '--gate-suite', '0.7')).exitCode).toBe(0)
    expect((await merge(whole, ...files, '--gate-suite', '0.9')).exitCode).toBe(1)
  })

  it('tolerates a share of infrastructure errors of the whole run', async () => {
    const cwd = suite(mixed)
    writeFileSync(
      join(cwd, 'down.ts'),
      `export function Before() { throw new Error('the database is down') }\n`,
    )
    const down = { id: 'bad', input: 'good', assert, before: 'down.Before' }
    writeFileSync(join(cwd, 'cases.jsonl'), cases(mixed.filter((id) => id !== 'bad')) + jsonl(down))
    const codes = await runShards(cwd, 3, inputs)
    expect(codes.toSorted()).toEqual([0, 0, 3])
    const files = [...shardFiles(3), '-o', 'all.jsonl']
    expect((await merge(cwd, ...files)).exitCode).toBe(3)
    expect((await merge(cwd, ...files, '--max-infrastructure-errors', '20%')).exitCode).toBe(0)
  })

  it('takes shards that a budget has ended, and exits as the whole run would', async () => {
    const cwd = await shards('--fail-fast')
    const { exitCode, stdout } = await merge(cwd, ...shardFiles(3), '-o', 'all.jsonl')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Total:   5 tests')
  })

  it('works as the binary, with files in any order', async () => {
    const cwd = await shards()
    const files = shardFiles(3).toReversed()
    const { exitCode, stderr } = await spawnViva(['merge', ...files, '-o', 'out/all.jsonl'], { cwd })
    expect([exitCode, stderr]).toEqual([1, ''])
    expect(readdirSync(join(cwd, 'out'))).toEqual(['all.jsonl'])
  })
})
