import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostile as evil } from './support/hostile.ts'
import { jsonl, project, repository, viva } from './support/viva.ts'

/** A project with cases that pass, fail and are skipped, and one whose every part is hostile. */
function app(): string {
  const says = { type: 'equals', value: 'right' }
  return project({
    'agent.mjs': `export default (input) => {
      if (input === 'world') throw Object.assign(new Error('x'), { name: 'AI_APICallError', statusCode: 503, url: 'http://x', isRetryable: false })
      return input === 'good' ? 'right' : input
    }\n`,
    'cases.jsonl': jsonl(
      { id: 'good', input: 'good', assert: says },
      { id: 'bad', name: 'It fails', input: 'wrong', assert: says },
      { id: 'left', input: 'x', skip: true },
      {
        id: evil,
        name: evil,
        input: evil,
        assert: { type: 'equals', value: evil.toUpperCase(), message: evil },
      },
    ),
  })
}

async function report(...flags: string[]) {
  const cwd = app()
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', ...flags], { cwd })
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
  return { cwd, read, ...ended }
}

describe('report files', () => {
  it('the format of a report follows from its extension or its name, and there may be several', async () => {
    const files = ['a.md', 'a.xml', 'a.txt', 'a.json', 'a.jsonl']
    const { cwd, read, exitCode } = await report(...files.flatMap((file) => ['-o', file]))
    for (const file of files) expect(existsSync(join(cwd, file))).toBe(true)
    expect(exitCode).toBe(1)
    const named = await report(
      '-r',
      'report.markdown',
      '-r',
      'junit',
      '-o',
      'x.out',
      '-o',
      'y.out',
      '-o',
      'z.json',
    )
    const withoutTimes = (text: string) => text.replace(/[\d.]+(?:m?s)\b|time="[^"]*"|timestamp="[^"]*"/g, '')
    expect(withoutTimes(named.read('x.out'))).toBe(withoutTimes(read('a.md')))
    expect(withoutTimes(named.read('y.out'))).toBe(withoutTimes(read('a.xml')))
  })

  it('-r report.summary without -o prints the summary on stdout', async () => {
    const printed = await report('-r', 'report.summary')
    expect(printed.stdout).toMatch(/^viva: agent\.mjs: 1 of 4 passed \(33\.3% of 3 that could be judged\)\n/)
  })

  it('a report never overwrites a file that viva did not write', async () => {
    for (const name of ['a.md', 'a.xml', 'a.json']) {
      const cwd = app()
      writeFileSync(join(cwd, name), 'mine')
      const { exitCode, stderr } = await viva(
        ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', name],
        { cwd },
      )
      expect(stderr).toContain('the file already exists and was not written by viva')
      expect(exitCode).toBe(2)
    }
  })

  it('the Markdown report lists failures first, and escapes all markup', async () => {
    const { read } = await report('-o', 'a.md')
    const text = read('a.md')
    expect(text).toMatch(
      /^# Agent Test Report\n\n## Summary\n\n\| Metric \| Value \|\n\| --- \| --- \|\n\| Agent \| agent\.mjs \|/,
    )
    expect(text).toContain('| Passed | 1 |\n| Failed | 2 |\n| Skipped | 1 |\n')
    expect(text).toContain('### ❌ bad: It fails - Failed')
    expect(text.indexOf('### ❌')).toBeLessThan(text.indexOf('### ✅ good - Passed'))
    const fences = [...text.matchAll(/^(`{3,})(?:text|diff)\n(.*?)\n\1$/gms)]
    expect(fences).toHaveLength(3)
    const outside = text
      .replace(/^(`{3,})(?:text|diff)\n(.*?)\n\1$/gms, '')
      .replace(/<\/?(?:details|summary)>/g, '')
    expect(outside).not.toMatch(/[<>@`]|:\/\/|www\.|\]\(|\u001b|\u202e/)
    expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202e]/)
  })

  it('the Markdown report fits into a comment: further failures are shortened, and omissions are counted', async () => {
    const cwd = app()
    const cases = Array.from({ length: 40 }, (_, index) => ({
      id: `c${index}`,
      input: 'x'.repeat(5000),
      assert: { type: 'equals', value: 'y' },
    }))
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(...cases))
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'a.md'], { cwd })
    const text = readFileSync(join(cwd, 'a.md'), 'utf8')
    expect(text.length).toBeLessThan(65_536)
    expect(text.match(/^### ❌/gm)).toHaveLength(40)
    expect(text.match(/<details>/g)?.length).toBeGreaterThan(5)
  })

  it('the JUnit report is well-formed XML with one test case per case', async () => {
    const { read } = await report('-o', 'a.xml')
    const xml = read('a.xml')
    expect(xml).toContain('<testsuites name="viva" tests="4" failures="2" errors="0" time="')
    expect([...xml.matchAll(/<testcase /g)]).toHaveLength(4)
    expect(xml).toContain('name="bad: It fails"')
    expect(xml).toMatch(/<failure message="[^"]*wrong[^"]*" type="assertion">/)
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
    expect(() => parseXml(xml)).not.toThrow()
  })

  it('GitHub annotations go to stderr when a report is on stdout', async () => {
    const env = { GITHUB_ACTIONS: 'true' }
    for (const name of ['report.json', 'junit', 'report.markdown', 'report.summary']) {
      const { stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-r', name], {
        cwd: app(),
        env,
      })
      expect(stdout).not.toMatch(/^\s*::|##\[/m)
      expect(stderr).toMatch(/^::error file=cases\.jsonl,line=2,title=bad::/m)
      if (name === 'report.json') expect(JSON.parse(stdout).results).toHaveLength(4)
      if (name === 'junit') parseXml(stdout)
    }
  })

  it('names of files and cases are no commands of GitHub Actions, also in the history and in messages', async () => {
    const env = { GITHUB_ACTIONS: 'true' }
    const failing = { id: '##[group]x', input: 'hi', assert: { type: 'equals', value: 'ho' } }
    const cwd = project({
      'agent.mjs': 'export default (input) => input\n',
      'a\u001b[2J##[group].jsonl': jsonl(failing),
      'wrong.jsonl': jsonl({ ...failing, asserts: [] }),
    })
    const run = (...args: string[]) => viva(args, { cwd, env })
    const played = await run('test', '-i', 'a\u001b[2J##[group].jsonl', '-n', './agent.mjs')
    expect(played.stdout).toContain('::error file=a\\x1b[2J')
    expect(played.stdout).not.toContain('\u001b')
    const histories = [await run('history'), await run('history', '--json')].map(({ stdout }) => stdout)
    const { stderr } = await run('test', '-i', 'wrong.jsonl', '-n', './agent.mjs')
    for (const text of [...histories, stderr]) {
      expect(text).toContain('[group]x')
      expect(text).not.toMatch(/##\[|\u001b/)
    }
  })

  it('GitHub Actions gets annotations and a job summary, and no text becomes a command', async () => {
    const cwd = app()
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd, env })
    const commands = stdout.split('\n').filter((line) => /^\s*::|##\[/.test(line))
    expect(commands).toHaveLength(2)
    expect(commands[0]).toMatch(/^::error file=cases\.jsonl,line=2,title=bad::/)
    for (const command of commands) expect(command.match(/::/g)?.length).toBeGreaterThanOrEqual(2)
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^# Agent Test Report/)
  })
})

describe('reports of several runs and variants', () => {
  /** Plays an agent whose every second answer is wrong, and one that is always right. */
  async function repeated(...flags: string[]) {
    const cwd = project({
      'turns.mjs': `let count = 0
export default () => (count++ % 2 === 0 ? 'right' : 'wrong')
`,
      'steady.mjs': `export default () => 'right'\n`,
      'cases.jsonl': jsonl({ id: 'T1', input: 'x', assert: { type: 'equals', value: 'right' } }),
      'sum_test.ts': `export function TestSum(t: any) { t.assert.Equal(2, 2) }\n`,
    })
    const ended = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './turns.mjs', '-n', './steady.mjs', '--runs', '4', ...flags],
      { cwd },
    )
    return { ...ended, read: (name: string) => readFileSync(join(cwd, name), 'utf8') }
  }

  it('the JSON report has one row per case, with its runs', async () => {
    const { read } = await repeated('-o', 'a.json')
    const { summary, results } = JSON.parse(read('a.json'))
    expect(summary).toMatchObject({
      total: 8,
      runs_per_case: 4,
      total_cases: 2,
      total_runs: 8,
      stable_cases: 1,
      unstable_cases: 1,
      overall_pass_rate: 75,
    })
    expect(results).toHaveLength(2)
    expect(results[0]).toMatchObject({
      id: 'T1',
      variant: 'turns.mjs',
      runs: 4,
      passed: 2,
      failed: 2,
      pass_rate: 50,
      consistency: 0.5,
      stable: false,
      stability: 'unstable',
    })
    for (const field of ['avg', 'min', 'max']) expect(results[0][`${field}_duration_ms`]).toBeTypeOf('number')
    expect(results[0].std_deviation_ms).toBeTypeOf('number')
    expect(
      results[0].run_details.map(({ run, output }: { run: number; output: string }) => [run, output]),
    ).toEqual([
      [1, 'right'],
      [2, 'wrong'],
      [3, 'right'],
      [4, 'wrong'],
    ])
    expect(results[1]).toMatchObject({ variant: 'steady.mjs', pass_rate: 100, stable: true })
  })

  it('the Markdown report has tables of variants and stability, and every report names each run', async () => {
    const { read } = await repeated('-o', 'a.md', '-o', 'a.txt', '-o', 'a.xml')
    expect(read('a.md')).toContain(
      '| turns.mjs | 2 | 2 | 50% | unknown |\n| steady.mjs | 4 | 0 | 100% | unknown |',
    )
    expect(read('a.md')).toMatch(
      /## Stability\n\n.*\n.*\n\| T1 &#40;turns\.mjs&#41; \| 4 \| 2 \| 50% &#40;15–85%&#41; \| unstable \|/,
    )
    expect(read('a.md')).toContain('### ❌ T1 &#40;turns.mjs, run 2&#41; - Failed')
    expect(read('a.txt')).toContain('stable over 4 runs: 1 of 2 cases\n')
    expect(read('a.txt')).toContain('- T1 (turns.mjs, run 4): failed: ')
    expect(read('a.xml')).toContain('<property name="stable_cases" value="1"/>')
    expect(read('a.xml')).toContain('classname="cases.jsonl · turns.mjs" name="T1 (run 1)"')
  })

  it('script tests are in reports of several runs', async () => {
    const { read } = await repeated('-i', 'sum_test.ts', '-o', 'a.json', '-o', 'a.md', '-o', 'a.xml')
    const { results } = JSON.parse(read('a.json'))
    expect(results).toHaveLength(3)
    expect(results[2]).toMatchObject({ id: 'TestSum', runs: 4, pass_rate: 100, consistency: null })
    expect(read('a.md')).toContain('| TestSum &#40;scripts&#41; | 4 | 4 | 100% &#40;51–100%&#41; | stable |')
    expect(read('a.xml')).toContain('classname="sum_test.ts · scripts" name="TestSum (run 4)"')
  })
})

describe('viva report and viva extract', () => {
  it('viva report gives the same reports as the run did', async () => {
    const { cwd, read } = await report(
      '-o',
      'out.jsonl',
      '-o',
      'a.md',
      '-o',
      'a.xml',
      '-o',
      'a.txt',
      '-o',
      'a.json',
    )
    const { exitCode } = await viva(
      ['report', 'out.jsonl', '-o', 'b.md', '-o', 'b.xml', '-o', 'b.txt', '-o', 'b.json'],
      { cwd },
    )
    for (const kind of ['md', 'xml', 'txt']) expect(read(`b.${kind}`)).toBe(read(`a.${kind}`))
    const withoutEnd = (text: string) => text.replace(/"completed_at": ".*?"/, '')
    expect(withoutEnd(read('b.json'))).toBe(withoutEnd(read('a.json')))
    expect(exitCode).toBe(0)
    const { stdout } = await viva(['report', 'out.jsonl'], { cwd })
    expect(stdout).toBe(read('a.txt'))
    const { stdout: named } = await viva(['report', 'out.jsonl', '-r', 'report.markdown'], { cwd })
    expect(named).toBe(read('a.md'))
  })

  it('viva report of a run that was cut off counts what was not played', async () => {
    const { cwd, read } = await report('-o', 'out.jsonl')
    const lines = read('out.jsonl').split('\n')
    writeFileSync(join(cwd, 'cut.jsonl'), `${lines.slice(0, 3).join('\n')}\n{"type":"resu`)
    const { stdout } = await viva(['report', 'cut.jsonl'], { cwd })
    expect(stdout).toMatch(/^viva: agent\.mjs: 1 of 4 passed .*\n.*, not run 2, /)
  })

  it.each([
    ['lost results', (lines: string[]) => lines.toSpliced(2, 1), ''],
    [
      'damaged results',
      (lines: string[]) => lines.with(2, '{"type":"result","id":'),
      '1 line cannot be read',
    ],
    [
      'invalid results',
      (lines: string[]) =>
        lines.with(
          2,
          (lines[2] ?? '').replace('"tags"', '"turns":5,"tags"').replace('"status"', '"turns":5,"status"'),
        ),
      '1 line cannot be read',
    ],
    [
      'a resumed run that was killed',
      (lines: string[]) => [...lines.slice(0, 3), lines.at(-2) ?? '', lines[0] ?? '', ''],
      '',
    ],
  ])('a report of a file with %s never looks complete', async (_, damage, warning) => {
    const cwd = app()
    writeFileSync(
      join(cwd, 'cases.jsonl'),
      jsonl(
        ...['a', 'b', 'c'].map((id) => ({ id, input: 'good', assert: { type: 'equals', value: 'right' } })),
      ),
    )
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl'], { cwd })
    const lines = readFileSync(join(cwd, 'out.jsonl'), 'utf8').split('\n')
    writeFileSync(join(cwd, 'out.jsonl'), damage(lines).join('\n'))
    const { stdout, stderr } = await viva(['report', 'out.jsonl'], { cwd })
    expect(stdout).toMatch(/^viva: agent\.mjs: 2 of 3 passed .*\n.*, not run 1, /)
    expect(stderr).toContain(warning)
    await viva(['report', 'out.jsonl', '-o', 'a.xml'], { cwd })
    const xml = readFileSync(join(cwd, 'a.xml'), 'utf8')
    expect(xml).toContain('tests="3" failures="0" errors="1"')
    expect(xml.match(/<testcase /g)).toHaveLength(3)
    expect(xml.match(/<error /g)).toHaveLength(1)
  })

  it('viva report refuses results of a newer version', async () => {
    const { cwd, read } = await report('-o', 'out.jsonl')
    const newer = read('out.jsonl').replace('"schema_version":2', '"schema_version":99,"more":true')
    writeFileSync(join(cwd, 'out.jsonl'), newer.replace(/"viva_version":"[^"]*"/, '"viva_version":"9.0.0"'))
    const { stderr, exitCode } = await viva(['report', 'out.jsonl'], { cwd })
    expect(stderr).toContain('out.jsonl was written by viva 9.0.0, which is newer than this one')
    expect(exitCode).toBe(2)
  })

  it('a target that cannot be written is an error, but not a bug of viva', async () => {
    const { cwd } = await report('-o', 'out.jsonl')
    for (const target of ['agent.mjs/a.md', '/dev/full/a.md', '/dev/null']) {
      const { stderr, exitCode } = await viva(
        ['report', 'out.jsonl', '-r', 'report.markdown', '-o', target],
        { cwd },
      )
      expect(stderr).toContain('cannot be written')
      expect(stderr).not.toContain('bug in viva')
      expect(exitCode).not.toBe(0)
    }
  })

  it('viva report exits with 0 when its reader closes the pipe', async () => {
    const { cwd } = await report('-o', 'out.jsonl')
    const bin = join(repository, 'bin/viva.js')
    const command = `"${process.execPath}" "${bin}" report out.jsonl -r report.json | head -c 1; exit \${PIPESTATUS[0]}`
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  it('first attempts of flaky cases are not counted in reports', async () => {
    const cwd = project({
      'agent.mjs': "let asked = 0\nexport default () => (asked++ === 0 ? 'wrong' : 'right')\n",
      'cases.jsonl': jsonl({ id: 'a', input: 'x', assert: { type: 'equals', value: 'right' } }),
    })
    const flags = [
      '--retries',
      '1',
      '-o',
      'a.md',
      '-o',
      'a.xml',
      '-o',
      'a.json',
      '-o',
      'a.html',
      '-o',
      'a.txt',
    ]
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', ...flags], { cwd })
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
    expect(read('a.md').match(/^### /gm)).toHaveLength(1)
    expect(read('a.xml').match(/<testcase /g)).toHaveLength(1)
    expect(JSON.parse(read('a.json')).results).toHaveLength(1)
    expect(read('a.txt')).toMatch(/^viva: agent\.mjs: 1 of 1 passed \(100%\)\n.*flaky 1/)
  })

  it('viva extract does not overwrite other files, or write through links', async () => {
    const { cwd } = await report('-o', 'out.jsonl')
    mkdirSync(join(cwd, 'mine'))
    writeFileSync(join(cwd, 'mine/good.md'), '# mine')
    const extract = () => viva(['extract', 'out.jsonl', '-o', 'mine'], { cwd })
    const refused = await extract()
    expect(refused.stderr).toContain('good.md already exists, and was not extracted by viva')
    expect(refused.exitCode).toBe(2)
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['good.md'])
    rmSync(join(cwd, 'mine/good.md'))
    symlinkSync(join(cwd, 'agent.mjs'), join(cwd, 'mine/good.md'))
    expect((await extract()).exitCode).toBe(2)
    rmSync(join(cwd, 'mine/good.md'))
    expect((await extract()).exitCode).toBe(0)
    expect((await extract()).stdout).toBe('4 files in mine\n')
  })

  it('viva extract writes one file per case, inside the folder', async () => {
    const { cwd } = await report('-o', 'out.jsonl')
    const { stdout } = await viva(['extract', 'out.jsonl', '-o', 'each'], { cwd })
    expect(stdout).toBe('4 files in each\n')
    const names = readdirSync(join(cwd, 'each'))
    expect(names).toHaveLength(4)
    for (const name of names) expect(name).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*\.md$/u)
    expect(readFileSync(join(cwd, 'each/good.md'), 'utf8')).toContain('user: good')
    await viva(['extract', 'out.jsonl', '-o', 'data', '--format', 'json'], { cwd })
    expect(JSON.parse(readFileSync(join(cwd, 'data/bad.json'), 'utf8'))).toMatchObject({
      id: 'bad',
      status: 'failed',
    })
  })

  it.each([
    [['report', 'nope.jsonl'], 'no such file: nope.jsonl'],
    [['report', 'cases.jsonl'], 'cases.jsonl is not a results file of viva'],
    [['report', '.'], '. is no file'],
    [['extract', 'cases.jsonl'], 'cases.jsonl is not a results file of viva'],
    [['extract', 'cases.jsonl', '--format', 'pdf'], '--format pdf: must be markdown or json'],
    [['report', 'cases.jsonl', '-o', 'x.pdf'], 'x.pdf: unknown format ".pdf"'],
    [['report', 'cases.jsonl', '-o', 'x.md', '-o', './x.md'], 'x.md is given twice'],
    [['report', 'cases.jsonl', '-o', 'x.jsonl'], 'makes reports, no .jsonl'],
    [['report', 'cases.jsonl', '-r', 'junit', '-o', 'x.jsonl'], 'junit writes no JSONL'],
    [['report', 'cases.jsonl', '-r', 'junti'], '-r junti: there is no such report (did you mean junit?)'],
    [['report', 'cases.jsonl', '-r', 'beautiful'], '-r beautiful: there is no such report'],
    [
      ['report', 'cases.jsonl', '-o', 'agent.mjs', '-r', 'junit'],
      'the file already exists and was not written by viva',
    ],
  ])('viva %j is refused', async (args, message) => {
    const { exitCode, stderr } = await viva(args, { cwd: app() })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})

/** Parses just enough to see that elements are closed in order and that text contains no markup. */
function parseXml(xml: string): void {
  const open: string[] = []
  for (const [, close, name = '', rest = ''] of xml
    .replace(/^<\?xml.*?\?>/, '')
    .matchAll(/<(\/?)(\w[\w-]*)([^<>]*)>/g)) {
    if (close === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`)
    } else if (!rest.endsWith('/')) open.push(name)
    if (!/^(?:\s+[\w-]+="[^"<&]*(?:&(?:amp|lt|gt|quot|apos|#10|#35|#58);[^"<&]*)*")*\s*\/?$/.test(rest))
      throw new Error(`<${name}${rest}>`)
  }
  if (open.length > 0) throw new Error(`${open.join()} is never closed`)
  if (/&(?!amp;|lt;|gt;|quot;|apos;|#10;|#35;|#58;)/.test(xml)) throw new Error('an & that begins no entity')
}
