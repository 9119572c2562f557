import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostile } from './support/hostile.ts'
import { project, readJsonl, viva } from './support/viva.ts'

const check = { type: 'contains', value: 'yes' }
const cases = (...ids: string[]) =>
  ids.map((id) => JSON.stringify({ id, input: id, assert: check })).join('\n')

/** An agent that answers the messages in `answers` with their values, and all others with yes. */
const agentSaying = (answers: Record<string, string>) =>
  `const answers = ${JSON.stringify(answers)}\nexport default async (message) => answers[message] ?? 'yes'`

/** A project with two agents, and the results of those named in `sides`. */
async function twoRuns(
  head: Record<string, string>,
  { ids = ['a', 'b', 'c'], runs = '5', base = {} as Record<string, string>, sides = ['base', 'head'] } = {},
) {
  const cwd = project({
    'c.jsonl': cases(...ids),
    'base.mjs': agentSaying(base),
    'head.mjs': agentSaying(head),
  })
  for (const side of sides)
    await viva(['test', '-i', 'c.jsonl', '-n', `./${side}.mjs`, '--runs', runs, '-o', `${side}.jsonl`], {
      cwd,
    })
  return {
    cwd,
    compare: (...flags: string[]) => viva(['compare', 'base.jsonl', 'head.jsonl', ...flags], { cwd }),
  }
}

describe('viva compare', () => {
  it('a significant regression fails the comparison and names the case with its figures', async () => {
    const { cwd, compare } = await twoRuns({ b: 'no, and that is all that I am going to say about it today' })
    const { stdout, exitCode } = await compare('-o', 'c.md', '-o', 'c.json', '-o', 'c.html')
    expect(exitCode).toBe(1)
    expect(stdout).toContain(
      '✗ b: newly failing, changed output; 5/5 100% (56.6%–100%) → 0/5 0% (0%–43.4%); p = 0.0040',
    )
    expect(stdout).toContain('+ no, and that is all')
    expect(stdout).toContain('Regression: the pass rate of 1 case is lower, and not by chance (alpha 0.05)')
    expect(readFileSync(join(cwd, 'c.md'), 'utf8')).toContain('**❌ Regression')
    expect(readFileSync(join(cwd, 'c.html'), 'utf8')).toContain('<strong class="regressed">b</strong>')
    expect(JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))).toMatchObject({
      verdict: 'regression',
      compared: 3,
      changes: [
        {
          id: 'b',
          regressed: true,
          base: { passed: 5 },
          head: { passed: 0 },
          kinds: ['newly failing', 'changed output'],
        },
      ],
    })
  })

  it('a difference that may be chance does not fail, and the number of runs needed to decide is printed', async () => {
    const { compare } = await twoRuns({ b: 'no' }, { runs: '1' })
    const { stdout, exitCode } = await compare()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('? b: newly failing, changed output; passed → failed')
    expect(stdout).toContain('p = 1.0000 (exact McNemar)')
    expect(stdout).toContain(
      'Not enough runs to tell: something looks worse, but that may be chance; 4 runs of each case, before and after, would be enough',
    )
    expect((await compare('--alpha', '0.5')).exitCode).toBe(0)
  })

  it('an incomplete run cannot be compared, and a run with --runs auto is compared by its first runs', async () => {
    const { cwd, compare } = await twoRuns({})
    const path = join(cwd, 'head.jsonl')
    const head = readFileSync(path, 'utf8')
    writeFileSync(path, `${head.split('\n').slice(0, 8).join('\n')}\n`)
    const cut = await compare()
    expect([cut.exitCode, cut.stdout]).toEqual([
      3,
      expect.stringContaining('The new run is incomplete: 8 results are missing'),
    ])
    await viva(
      ['test', '-i', 'c.jsonl', '-n', './head.mjs', '--runs', 'auto', '--gate', '0.9', '-o', 'head.jsonl'],
      { cwd },
    )
    const auto = await compare('--json')
    expect(JSON.parse(auto.stdout)).toMatchObject({ verdict: 'no regression', compared: 3 })
    expect((await compare()).stdout).toContain('only the first 2 runs of each case are compared')
  })

  it('--json prints only JSON', async () => {
    const { compare } = await twoRuns({})
    const { stdout, exitCode } = await compare('--json')
    expect(JSON.parse(stdout)).toMatchObject({ type: 'comparison', verdict: 'no regression', changes: [] })
    expect(exitCode).toBe(0)
  })

  it('rewritten cases and cases of only one run are left out and listed', async () => {
    const { cwd } = await twoRuns({})
    writeFileSync(join(cwd, 'c.jsonl'), cases('a', 'd').replace('"value":"yes"', '"value":"ye"'))
    await viva(['test', '-i', 'c.jsonl', '-n', './head.mjs', '-o', 'head.jsonl', '--tag', 'none'], { cwd })
    await viva(['test', '-i', 'c.jsonl', '-n', './head.mjs', '-o', 'other.jsonl'], { cwd })
    const { stdout, exitCode } = await viva(['compare', 'base.jsonl', 'other.jsonl'], { cwd })
    expect(stdout).toContain('1 case was edited and is not compared: a')
    expect(stdout).toContain('2 cases only in the baseline: b, c')
    expect(stdout).toContain('1 case only in the new run: d')
    expect(stdout).toContain('Nothing could be compared')
    // A comparison of no case at all must not count as passed.
    expect(exitCode).toBe(3)
  })

  it('replies are printed as plain text, and not at all with --no-transcripts', async () => {
    const { cwd, compare } = await twoRuns({ b: hostile })
    const { stdout } = await compare('-o', 'c.html', '-o', 'c.md')
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    expect(readFileSync(join(cwd, 'c.html'), 'utf8')).not.toMatch(/<(?:script|img|svg|iframe)\b/i)
    const { stdout: quiet } = await compare('--no-transcripts')
    expect(quiet).not.toContain('+ ')
  })

  it('viva compare refuses files and flags that it cannot use', async () => {
    const refused: [string[], string][] = [
      [['none.jsonl', 'head.jsonl'], 'no such file: none.jsonl'],
      [['c.jsonl', 'head.jsonl'], 'c.jsonl is not a results file of viva'],
      [['head.jsonl'], "missing required argument 'head'"],
      [['base.jsonl', 'head.jsonl', '--alpha', '0'], '--alpha 0: must be a number above 0, at most 0.5'],
      [['base.jsonl', 'head.jsonl', '-o', 'x.xml'], 'no format of a comparison'],
      [['base.jsonl', 'head.jsonl', '-o', 'notes.md'], 'notes.md'],
      [['base.jsonl', 'newer.jsonl'], 'newer.jsonl was written by viva 99.0.0, which is newer than this one'],
      [
        ['base.jsonl', 'others.jsonl'],
        'the two runs have no case in common (compare runs of the same case files)',
      ],
    ]
    const { cwd } = await twoRuns({}, { ids: ['a'], runs: '1' })
    const head = readFileSync(join(cwd, 'head.jsonl'), 'utf8')
    writeFileSync(join(cwd, 'notes.md'), 'mine')
    writeFileSync(
      join(cwd, 'newer.jsonl'),
      head
        .replace('"schema_version":2', '"schema_version":99')
        .replace(/"viva_version":"[^"]*"/, '"viva_version":"99.0.0"'),
    )
    writeFileSync(join(cwd, 'others.jsonl'), head.replaceAll('"id":"a"', '"id":"z"'))
    for (const [args, message] of refused) {
      const { stderr, exitCode } = await viva(['compare', ...args], { cwd })
      expect(stderr).toContain(message)
      expect([args, exitCode]).toEqual([args, 2])
    }
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('mine')
  })
})

describe('--baseline', () => {
  it('--baseline fails a run that is worse, not one that fails where the baseline failed', async () => {
    const { cwd } = await twoRuns({ b: 'no' }, { base: { c: 'no' }, sides: ['base'] })
    const args = [
      'test',
      '-i',
      'c.jsonl',
      '--runs',
      '5',
      '--gate-suite',
      '0.1',
      '--baseline',
      'base.jsonl',
      '-o',
      'x.jsonl',
    ]
    const same = await viva([...args, '-n', './base.mjs'], { cwd })
    expect([same.exitCode, same.stdout]).toEqual([
      0,
      expect.stringContaining('No regression: no case passes less often'),
    ])
    const worse = await viva([...args, '-n', './head.mjs'], { cwd })
    expect([worse.exitCode, worse.stdout]).toEqual([1, expect.stringContaining('✗ b: newly failing')])
  })

  it('the comparison with the baseline is in the results, the reports and the exit code', async () => {
    const { cwd } = await twoRuns({ b: 'no' }, { sides: ['base'] })
    const flags = [
      '--runs',
      '5',
      '--gate-suite',
      '0.1',
      '--baseline',
      'base.jsonl',
      '-o',
      'x.jsonl',
      '-o',
      'x.md',
      '-o',
      'x.txt',
      '-o',
      'x.xml',
    ]
    const env = { GITHUB_ACTIONS: 'true' }
    const { stdout } = await viva(['test', '-i', 'c.jsonl', '-n', './head.mjs', ...flags], { cwd, env })
    expect(readJsonl(join(cwd, 'x.jsonl')).at(-1)).toMatchObject({
      type: 'summary',
      exit_code: 1,
      comparison: { baseline: 'base.jsonl', verdict: 'regression' },
    })
    for (const name of ['x.md', 'x.txt'])
      expect(readFileSync(join(cwd, name), 'utf8')).toContain('Regression')
    expect(stdout).toContain('::error title=comparison with base.jsonl::Regression')
    const xml = readFileSync(join(cwd, 'x.xml'), 'utf8')
    expect(xml).toContain('tests="17" failures="1" errors="0"')
    expect(xml).toContain('name="comparison with base.jsonl"')
  })

  it('--baseline shows no text that is masked or hidden, and does not report it as a change', async () => {
    const base = { a: 'yes, my name is Ada Lovelace and I am here' }
    const { cwd } = await twoRuns({}, { base, sides: ['base'] })
    const args = ['test', '-i', 'c.jsonl', '-n', './head.mjs', '--baseline', 'base.jsonl', '-o', 'x.jsonl']
    const { stdout } = await viva([...args, '--no-transcripts'], { cwd })
    expect(stdout).toContain('No regression')
    expect(stdout).not.toMatch(/Lovelace|changed output/)
    expect((await viva([...args, '--mask', '/Ada \\w+/'], { cwd })).stdout).not.toContain('Lovelace')
  })

  it('--baseline without a case in common is refused before anything runs', async () => {
    const { cwd } = await twoRuns({}, { ids: ['a'], runs: '1', sides: ['base'] })
    writeFileSync(join(cwd, 'd.jsonl'), cases('d'))
    const { stderr, exitCode } = await viva(
      ['test', '-i', 'd.jsonl', '-n', './head.mjs', '--baseline', 'base.jsonl', '-o', 'x.jsonl'],
      { cwd },
    )
    expect(stderr).toContain('--baseline base.jsonl has no case in common with this run')
    expect(exitCode).toBe(2)
    expect(existsSync(join(cwd, 'x.jsonl'))).toBe(false)
  })

  it('the file of --baseline is never overwritten', async () => {
    const { cwd } = await twoRuns({}, { ids: ['a'], runs: '1', sides: ['base'] })
    const before = readFileSync(join(cwd, 'base.jsonl'), 'utf8')
    const { stderr, exitCode } = await viva(
      ['test', '-i', 'c.jsonl', '-n', './head.mjs', '--baseline', 'base.jsonl', '-o', 'base.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is an input of the run')
    expect(readFileSync(join(cwd, 'base.jsonl'), 'utf8')).toBe(before)
  })
})
