import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostile as evil } from './support/hostile.ts'
import { jsonl, project, viva } from './support/viva.ts'

/** A run with a pass, a failure, a skip, a failure of the world, and one whose every part is hostile. */
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

describe('reports', () => {
  it('are made by extension or by name, any number at once', async () => {
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
    const steady = (text: string) => text.replace(/[\d.]+(?:m?s)\b|time="[^"]*"|timestamp="[^"]*"/g, '')
    expect(steady(named.read('x.out'))).toBe(steady(read('a.md')))
    expect(steady(named.read('y.out'))).toBe(steady(read('a.xml')))
    const printed = await report('-r', 'report.summary')
    expect(printed.stdout).toMatch(/^viva: agent\.mjs: 1 of 4 passed \(33\.3%\)\n/)
  })

  it('are not written over what is none of theirs', async () => {
    for (const name of ['a.md', 'a.xml', 'a.json']) {
      const cwd = app()
      writeFileSync(join(cwd, name), 'mine')
      const { exitCode, stderr } = await viva(
        ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', name],
        { cwd },
      )
      expect(stderr).toContain('the file is there already and holds no results of viva')
      expect(exitCode).toBe(2)
    }
  })

  it('as Markdown have what failed first, and nothing in them is markup', async () => {
    const { read } = await report('-o', 'a.md')
    const text = read('a.md')
    expect(text).toMatch(
      /^# Agent Test Report\n\n## Summary\n\n\| Metric \| Value \|\n\| --- \| --- \|\n\| Agent \| agent\.mjs \|/,
    )
    expect(text).toContain('| Passed | 1 |\n| Failed | 2 |\n| Skipped | 1 |\n')
    expect(text).toContain('### ❌ bad: It fails - Failed')
    expect(text.indexOf('### ❌')).toBeLessThan(text.indexOf('### ✅ good - Passed'))
    const fences = [...text.matchAll(/^(`{3,})text\n(.*?)\n\1$/gms)]
    expect(fences).toHaveLength(2)
    const outside = text.replace(/^(`{3,})text\n(.*?)\n\1$/gms, '').replace(/<\/?(?:details|summary)>/g, '')
    expect(outside).not.toMatch(/[<>@`]|:\/\/|www\.|\]\(|\u001b|\u202e/)
    expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202e]/)
  })

  it('as Markdown fit into a comment, and say what is left out', async () => {
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
    expect(text).toMatch(/…and \d+ more, for which there is no room here\.\n$/)
  })

  it('as JUnit XML are well-formed, a test case a case', async () => {
    const { read } = await report('-o', 'a.xml')
    const xml = read('a.xml')
    expect(xml).toContain('<testsuites name="viva" tests="4" failures="2" errors="0" time="')
    expect([...xml.matchAll(/<testcase /g)]).toHaveLength(4)
    expect(xml).toContain('name="bad: It fails"')
    expect(xml).toMatch(/<failure message="[^"]*wrong[^"]*" type="assertion">/)
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
    expect(() => parseXml(xml)).not.toThrow()
  })

  it('in GitHub Actions are annotations and the summary of the job, and no text is a command', async () => {
    const cwd = app()
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd, env })
    const commands = stdout.split('\n').filter((line) => line.startsWith('::'))
    expect(commands).toHaveLength(2)
    expect(commands[0]).toMatch(/^::error file=cases\.jsonl,line=2,title=bad::/)
    for (const command of commands) expect(command.match(/::/g)?.length).toBeGreaterThanOrEqual(2)
    expect(stdout).not.toMatch(/^::(?:set-output|error file=a)/m)
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^# Agent Test Report/)
  })
})

describe('reports of several runs and variants', () => {
  /** An agent whose every second answer is wrong, and one that is always right. */
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

  it('have a row a case in JSON, with its runs', async () => {
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

  it('have tables of them in Markdown, and name each run', async () => {
    const { read } = await repeated('-o', 'a.md', '-o', 'a.txt', '-o', 'a.xml')
    expect(read('a.md')).toContain(
      '| turns.mjs | 2 | 2 | 50% | unknown |\n| steady.mjs | 4 | 0 | 100% | unknown |',
    )
    expect(read('a.md')).toMatch(
      /## Stability\n\n.*\n.*\n\| T1 &#40;turns\.mjs&#41; \| 4 \| 2 \| 50% \| unstable \|/,
    )
    expect(read('a.md')).toContain('### ❌ T1 &#40;turns.mjs, run 2&#41; - Failed')
    expect(read('a.txt')).toContain('stable over 4 runs: 1 of 2 cases\n')
    expect(read('a.txt')).toContain('- T1 (turns.mjs, run 4): failed: ')
    expect(read('a.xml')).toContain('<property name="stable_cases" value="1"/>')
    expect(read('a.xml')).toContain('classname="cases.jsonl · turns.mjs" name="T1 (run 1)"')
  })

  it('hold script tests too', async () => {
    const { read } = await repeated('-i', 'sum_test.ts', '-o', 'a.json', '-o', 'a.md', '-o', 'a.xml')
    const { results } = JSON.parse(read('a.json'))
    expect(results).toHaveLength(3)
    expect(results[2]).toMatchObject({ id: 'TestSum', runs: 4, pass_rate: 100, consistency: null })
    expect(read('a.md')).toContain('| TestSum &#40;scripts&#41; | 4 | 4 | 100% | stable |')
    expect(read('a.xml')).toContain('classname="sum_test.ts · scripts" name="TestSum (run 4)"')
  })
})

describe('saved results', () => {
  it('give the same reports as the run did', async () => {
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

  it('of a run that was cut off are reported as far as they go', async () => {
    const { cwd, read } = await report('-o', 'out.jsonl')
    const lines = read('out.jsonl').split('\n')
    writeFileSync(join(cwd, 'cut.jsonl'), `${lines.slice(0, 3).join('\n')}\n{"type":"resu`)
    const { stdout } = await viva(['report', 'cut.jsonl'], { cwd })
    expect(stdout).toMatch(/^viva: agent\.mjs: 1 of 4 passed .*\n.*, not played 2\n/)
  })

  it('are extracted to a file each, inside of the folder', async () => {
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
    [['report', 'cases.jsonl'], 'cases.jsonl holds no results of viva'],
    [['report', '.'], 'no such file: .'],
    [['extract', 'cases.jsonl'], 'cases.jsonl holds no results of viva'],
    [['extract', 'cases.jsonl', '--format', 'pdf'], '--format pdf: must be markdown or json'],
    [['report', 'cases.jsonl', '-o', 'x.pdf'], '-o x.pdf: unknown format'],
    [['report', 'cases.jsonl', '-r', 'beautiful'], '-r beautiful: there is no such report'],
    [['report', 'cases.jsonl', '-o', 'agent.mjs', '-r', 'junit'], 'the file is there already'],
  ])('%j is refused', async (args, message) => {
    const { exitCode, stderr } = await viva(args, { cwd: app() })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})

/** Just enough of a parser to see that elements are closed in order, and that text holds no markup. */
function parseXml(xml: string): void {
  const open: string[] = []
  for (const [, close, name = '', rest = ''] of xml
    .replace(/^<\?xml.*?\?>/, '')
    .matchAll(/<(\/?)(\w[\w-]*)([^<>]*)>/g)) {
    if (close === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`)
    } else if (!rest.endsWith('/')) open.push(name)
    if (!/^(?:\s+[\w-]+="[^"<&]*(?:&(?:amp|lt|gt|quot|apos|#10);[^"<&]*)*")*\s*\/?$/.test(rest))
      throw new Error(`<${name}${rest}>`)
  }
  if (open.length > 0) throw new Error(`${open.join()} is never closed`)
  if (/&(?!amp;|lt;|gt;|quot;|apos;|#10;)/.test(xml)) throw new Error('an & that begins no entity')
}
