import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { GivenFlags } from '../src/cli/flags.ts'
import { TerminalFront } from '../src/cli/terminal.ts'
import { createStart } from '../src/cli/work/test.ts'
import type { RunOrigin } from '../src/results/summary.ts'
import { testRunSetup, testSetup } from '../src/setup/phase-lists.ts'
import { play } from '../src/setup/play.ts'
import { closeBrowserAfterAll, describeInBrowser, openFile } from './support/browser.ts'
import { readReportData } from './support/html-report.ts'
import { jsonl, type Line, project, readJsonl, results, viva } from './support/viva.ts'

const agent = `export default (input) => ({ content: input, usage: { input_tokens: 60, output_tokens: 40, cost: 0.1 } })\n`
const cases = jsonl(
  { id: 'refund', input: 'money back', assert: { type: 'contains', value: 'money' } },
  { id: 'greeting', input: 'hello', assert: { type: 'contains', value: 'goodbye' } },
)
const test = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs']
const replayed: RunOrigin = { kind: 'replayed', from: 'demo.recording.jsonl', live: ['model'] }
const graded: RunOrigin = { kind: 'graded', from: 'live.jsonl' }

/** A project with the results of a live run. */
async function playedProject(...flags: string[]): Promise<string> {
  const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases })
  await viva([...test, '-o', 'live.jsonl', ...flags], { cwd })
  return cwd
}

/** Writes the results of a live run as if they were made from something else. */
function markResults(cwd: string, name: string, origin: RunOrigin): void {
  const recorded = { replayed_calls: 1, replayed_tokens: 100, replayed_cost: 0.1 }
  const mark = (line: Line): Line => {
    if (line.type === 'start') return { ...line, origin }
    if (line.type !== 'result') return line
    const { agent } = line.usage as Record<string, object>
    const judge = { calls: 1, retries: 0, cost: 0.02 }
    return { ...line, origin: origin.kind, usage: { agent: { ...agent, ...recorded }, judge } }
  }
  writeFileSync(join(cwd, name), jsonl(...readJsonl(join(cwd, 'live.jsonl')).map(mark)))
}

/** Plays the cases of a project as a command does whose results have an origin. */
async function playWithOrigin(cwd: string, origin: RunOrigin, flags: GivenFlags = {}) {
  const given: GivenFlags = { input: ['cases.jsonl'], name: ['./agent.mjs'], output: ['out.jsonl'], ...flags }
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const shell = { cwd, env: {}, stdin, stdout, stderr, onSignal: () => () => {}, exit: () => {} }
  const front = new TerminalFront(given, shell)
  const { request, ...start } = createStart(given, shell, front, new AbortController().signal)
  const printed = text(stdout)
  try {
    const { outcome, history } = await testSetup.use(
      { ...start, request: { ...request, origin } },
      (opened) => testRunSetup.use(opened, (ready) => play(ready, 'viva')),
    )
    stdout.end()
    return { outcome, isRecorded: history.isRecorded(), stdout: await printed }
  } finally {
    stdout.end()
  }
}

describe('reports of results that are not of a live run', () => {
  it('all name the origin, and none has a pass rate', async () => {
    const cwd = await playedProject()
    markResults(cwd, 'replayed.jsonl', replayed)
    const report = async (name: string) =>
      (await viva(['report', 'replayed.jsonl', '-r', name], { cwd })).stdout

    const note =
      'Replayed from demo.recording.jsonl (live: model): not a live run, so no pass rate is computed'
    const summary = await report('report.summary')
    expect(summary).toMatch(/^viva: agent.mjs: 1 of 2 passed\n/)
    expect(summary).toContain(note)
    expect(summary).toContain('$0.24, of which $0.20 was recorded')

    const markdown = await report('report.markdown')
    expect(markdown).toContain('> ⚠️ Replayed from demo.recording.jsonl')
    expect(markdown).toContain('| Pass Rate | not computed: the results are replayed, not of a live run |')
    expect(markdown).toContain('of which &#36;0.20 was recorded')

    const json = JSON.parse(await report('report.json'))
    expect(json.metadata.origin).toEqual(replayed)
    expect(json.summary).toMatchObject({ origin: 'replayed', overall_pass_rate: null, replayed_cost: 0.2 })
    expect(json.results.map(({ pass_rate }: Line) => pass_rate)).toEqual([null, null])

    const junit = await report('junit')
    expect(junit).toContain('<property name="origin" value="replayed"/>')
    expect(junit).toContain('<property name="origin_from" value="demo.recording.jsonl"/>')
    expect(junit).toContain('<property name="origin_live" value="model"/>')
    for (const each of [summary, markdown, junit]) expect(each).not.toMatch(/50\s?%/)
  })

  it('have no rates, no intervals and no pass^k of several runs', async () => {
    const cwd = await playedProject('--runs', '3')
    markResults(cwd, 'graded.jsonl', graded)
    const { stdout } = await viva(
      ['report', 'graded.jsonl', '-r', 'report.json', '-o', 'g.json', '-o', 'g.md'],
      { cwd },
    )
    const json = JSON.parse(readFileSync(join(cwd, 'g.json'), 'utf8'))
    expect(json.summary).toMatchObject({
      overall_pass_rate: null,
      stable_cases: null,
      unstable_cases: null,
      pass_k: [],
    })
    expect(json.summary).not.toHaveProperty('pass_rate_low')
    expect(json.results).toMatchObject([
      { id: 'refund', origin: 'graded', passed: 3, pass_rate: null, stability: null },
      { id: 'greeting', origin: 'graded', passed: 0, pass_rate: null, stability: null },
    ])
    const markdown = readFileSync(join(cwd, 'g.md'), 'utf8')
    expect(markdown).toContain('| refund | 3 | 3 | not computed |')
    expect(stdout + markdown).not.toMatch(/pass\^|100%/)
  })

  it('a result that is extracted says that it is not of a live run', async () => {
    const cwd = await playedProject()
    markResults(cwd, 'graded.jsonl', graded)
    await viva(['extract', 'graded.jsonl', '-o', 'out'], { cwd })
    expect(readFileSync(join(cwd, 'out/refund.md'), 'utf8')).toMatch(/^### ✅ refund - Passed \(.*, graded\)/)
  })

  it('a comparison says which of the two runs is not live', async () => {
    const cwd = await playedProject()
    markResults(cwd, 'graded.jsonl', graded)
    const { stdout } = await viva(['compare', 'live.jsonl', 'graded.jsonl', '-o', 'c.json', '-o', 'c.md'], {
      cwd,
    })
    expect(stdout).toContain('⚠ the new run is graded from live.jsonl, not a live run')
    expect(readFileSync(join(cwd, 'c.md'), 'utf8')).toContain('> the new run is graded from live.jsonl')
    expect(JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8')).origins).toEqual({ head: graded })
  })
})

describe('a run whose results are not of a live run', () => {
  it('is marked on the terminal and in the journal, has no rate, and is not in the history', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases })
    const { outcome, isRecorded, stdout } = await playWithOrigin(cwd, replayed)
    expect(stdout).toContain('ℹ Replayed from demo.recording.jsonl (live: model)\n')
    expect(stdout).toContain('Origin:  replayed from demo.recording.jsonl (live: model)\n')
    expect(stdout).toContain('Rate:    not computed: the results are replayed, not of a live run\n')
    expect(outcome.exitCode).toBe(1)
    expect(isRecorded).toBe(false)
    expect(existsSync(join(cwd, '.viva/history.jsonl'))).toBe(false)
    const journal = join(cwd, 'out.jsonl')
    expect(results(journal).map(({ origin }) => origin)).toEqual(['replayed', 'replayed'])
    expect(readJsonl(journal).at(-1)).toMatchObject({ type: 'summary', origin: 'replayed', pass_rate: null })
  })

  it('has counts instead of rates in its table of several runs', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases })
    const { stdout } = await playWithOrigin(cwd, graded, { runs: '2' })
    expect(stdout).toMatch(/✗ greeting {2}0\/2 passed, 2 × assertion/)
    expect(stdout).toMatch(/✓ refund {4}2\/2 passed, consistency 1/)
    expect(stdout).not.toMatch(/%|stable|pass\^/)
  })

  it('is marked in the log of a GitHub workflow', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases })
    const { stdout } = await playWithOrigin(cwd, graded, { reporter: ['github'] })
    expect(stdout).toContain(
      '::notice title=Graded from live.jsonl::not a live run, so no pass rate is computed',
    )
  })

  it('has its origin in the events of --json', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases })
    const { stdout } = await playWithOrigin(cwd, replayed, { json: true })
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const origins = (type: string) =>
      events.filter((event) => event.type === type).map(({ origin }) => origin)
    expect(origins('run_started')).toEqual([replayed])
    expect(origins('case_finished')).toEqual(['replayed', 'replayed'])
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', origin: 'replayed', pass_rate: null })
  })

  it('can have no gates', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases })
    await expect(playWithOrigin(cwd, replayed, { gate: '0.5' })).rejects.toThrow(
      'a run of replayed results has gates',
    )
  })

  it('cannot resume a live run, nor one of another origin', async () => {
    const cwd = await playedProject()
    markResults(cwd, 'replayed.jsonl', replayed)
    const resume = (name: string, origin: RunOrigin) =>
      playWithOrigin(cwd, origin, { output: [], resume: name })
    await expect(resume('live.jsonl', replayed)).rejects.toThrow(
      'its results are of a live run, not replayed from demo.recording.jsonl (live: model)',
    )
    await expect(resume('replayed.jsonl', { ...replayed, live: [] })).rejects.toThrow(
      'its results are replayed from demo.recording.jsonl (live: model), not replayed from demo.recording.jsonl',
    )
    expect((await resume('replayed.jsonl', replayed)).stdout).toContain('Resumed: 2 results already exist')
  })
})

/** Every report of a run, and what else it prints. */
const reportFiles = ['r.html', 'r.md', 'r.xml', 'r.json', 'r.txt']
const everyReport = ['-r', 'github', '-o', 'out.jsonl', ...reportFiles.flatMap((file) => ['-o', file])]

describe.each(['replayed', 'graded'])('%s results', (kind) => {
  it('are marked in every report, in no history, and refused as a baseline', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases })
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'step.md') }
    await viva([...test, '-o', 'live.jsonl', '--record', 'calls.rec'], { cwd })
    const history = readFileSync(join(cwd, '.viva/history.jsonl'), 'utf8')
    const args =
      kind === 'replayed' ? [...test, '--replay', 'calls.rec'] : ['grade', 'live.jsonl', '-i', 'cases.jsonl']
    const from = kind === 'replayed' ? 'calls.rec' : 'live.jsonl'
    const { exitCode, stdout } = await viva([...args, ...everyReport], { cwd, env })
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`Origin:  ${kind} from ${from}`)
    expect(stdout).toMatch(new RegExp(`^::notice title=${kind} from ${from}`, 'im'))
    for (const file of [...reportFiles.slice(1), 'step.md'])
      expect(readFileSync(join(cwd, file), 'utf8').toLowerCase(), file).toContain(kind)
    expect(readReportData(join(cwd, 'r.html'), 'rows').map(({ origin }) => origin)).toEqual([kind, kind])
    expect(results(join(cwd, 'out.jsonl')).map(({ origin }) => origin)).toEqual([kind, kind])
    expect(readFileSync(join(cwd, '.viva/history.jsonl'), 'utf8')).toBe(history)
    const compared = await viva([...test, '--baseline', 'out.jsonl', '-o', 'new.jsonl'], { cwd })
    expect(compared.stderr).toContain(`its results are ${kind} from ${from}, not of a live run`)
    expect(compared.exitCode).toBe(2)
  })
})

describe('a live run', () => {
  it('refuses a baseline that is not of a live run', async () => {
    const cwd = await playedProject()
    markResults(cwd, 'graded.jsonl', graded)
    const { exitCode, stderr } = await viva([...test, '--baseline', 'graded.jsonl'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      '--baseline graded.jsonl: its results are graded from live.jsonl, not of a live run',
    )
  })

  it('does not go on with results that are not of a live run', async () => {
    const cwd = await playedProject()
    markResults(cwd, 'graded.jsonl', graded)
    const before = readFileSync(join(cwd, 'graded.jsonl'), 'utf8')
    const { exitCode, stderr } = await viva([...test, '--resume', 'graded.jsonl'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('its results are graded from live.jsonl, not of a live run')
    expect(readFileSync(join(cwd, 'graded.jsonl'), 'utf8')).toBe(before)
  })
})

closeBrowserAfterAll()
describeInBrowser('the HTML page of results that are not of a live run', () => {
  it('has a badge at the top, in the list and at each result, and no rate', async () => {
    const cwd = await playedProject('--runs', '2')
    markResults(cwd, 'replayed.jsonl', replayed)
    await viva(['report', 'replayed.jsonl', '-o', 'report.html'], { cwd })
    expect(readReportData(join(cwd, 'report.html'), 'rows')).toMatchObject([
      { origin: 'replayed' },
      { origin: 'replayed' },
      { origin: 'replayed' },
      { origin: 'replayed' },
    ])
    const { page } = await openFile(join(cwd, 'report.html'))
    expect(await page.title()).toBe('(replayed) 2 of 4 failed · agent.mjs · viva')
    expect(await page.locator('.summary .origin').innerText()).toBe(
      'Replayed from demo.recording.jsonl (live: model): not a live run, so no pass rate is computed',
    )
    const overview = await page.locator('.overview').innerText()
    expect(overview).toContain('$0.48, of which $0.40 was recorded')
    expect(overview).toContain('4 recorded calls')
    expect(overview).not.toMatch(/%|Pass rate|stable/)
    expect(await page.locator('tr .chip.origin').allInnerTexts()).toEqual(['replayed', 'replayed'])
    await page.locator('.open-case').first().click()
    expect(await page.locator('#case-title').innerText()).toContain('replayed')
    expect(await page.locator('.case-head').innerText()).not.toContain('%')
    expect(await page.locator('.case-facts').innerText()).toContain('$0.12, of which $0.10 was recorded')
  })
})
