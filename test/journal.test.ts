import type { ChildProcess } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeOpenAIServer, startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { ended, jsonl, type Line, project, readJsonl, results, startViva, viva } from './support/viva.ts'

const cases = Array.from({ length: 200 }, (_, index) => ({
  id: `case-${index}`,
  input: `hello ${index}`,
  assert: { type: 'contains', value: `hello ${index}` },
}))

let server: FakeOpenAIServer
beforeAll(async () => {
  server = await startFakeOpenAIServer({
    answer: async (request) => {
      await wait(3)
      return (request.messages as { content: string }[]).at(-1)?.content ?? ''
    },
  })
})
afterAll(() => server.close())

function command(): string[] {
  return ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`, '--parallel', '8', '--json']
}

/** Kills the run after this number of results, and returns the ids that were announced before. */
async function killAfter(child: ChildProcess, results: number): Promise<string[]> {
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.split('"type":"case_finished"').length > results) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.on('close', resolve))
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.type === 'case_finished')
    .map((line) => String(line.id))
}

describe('the journal and --resume', () => {
  it('no announced result is lost in fifty kills, and --resume plays only the rest', {
    timeout: 240_000,
  }, async () => {
    const cwd = project({ 'cases.jsonl': jsonl(...cases) })
    for (let round = 0; round < 50; round++) {
      const file = `x-${round}.jsonl`
      const announced = await killAfter(
        startViva([...command(), '-o', file], { cwd }),
        1 + ((round * 37) % 60),
      )
      const kept = new Set(wholeResults(join(cwd, file)))
      expect(announced.length).toBeGreaterThan(0)
      expect(announced.filter((id) => !kept.has(id))).toEqual([])
      if (round % 10 !== 0) continue

      const asked = server.requests.length
      const resumed = await viva([...command(), '--resume', file], { cwd })
      expect(resumed.exitCode).toBe(0)
      expect(server.requests.length - asked).toBe(cases.length - kept.size)
      expect(new Set(results(join(cwd, file)).map(({ id }) => id)).size).toBe(cases.length)
      expect(readJsonl(join(cwd, file)).at(-1)).toMatchObject({
        type: 'summary',
        total: 200,
        passed: 200,
        not_run: 0,
      })
    }
  })

  it('--resume cuts off a torn line and plays its case again', async () => {
    const cwd = project({ 'cases.jsonl': jsonl(...cases.slice(0, 3)) })
    await viva([...command(), '-o', 'x.jsonl'], { cwd })
    const lines = readFileSync(join(cwd, 'x.jsonl'), 'utf8').split('\n')
    writeFileSync(join(cwd, 'x.jsonl'), `${lines.slice(0, 3).join('\n')}\n`)
    appendFileSync(join(cwd, 'x.jsonl'), lines[3]?.slice(0, 120) ?? '')
    const asked = server.requests.length
    const { exitCode } = await viva([...command(), '--resume', 'x.jsonl', '-o', 'x.json'], { cwd })
    expect(exitCode).toBe(0)
    expect(server.requests.length - asked).toBe(1)
    const report = JSON.parse(readFileSync(join(cwd, 'x.json'), 'utf8')) as { results: Line[]; summary: Line }
    expect(report.results).toHaveLength(3)
    expect(report.summary).toMatchObject({ total: 3, passed: 3 })
  })

  it('--resume plays a case again that changed since', async () => {
    const cwd = project({ 'cases.jsonl': jsonl(...cases.slice(0, 3)) })
    await viva([...command(), '-o', 'x.jsonl'], { cwd })
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(cases[0], { ...cases[1], name: 'changed' }, cases[2]))
    const asked = server.requests.length
    const { exitCode } = await viva([...command(), '--resume', 'x.jsonl'], { cwd })
    expect(exitCode).toBe(0)
    expect(server.requests.length - asked).toBe(1)
  })

  it('results from before --resume count for the exit code', async () => {
    const failing = { id: 'fails', input: 'hello', assert: { type: 'contains', value: 'goodbye' } }
    const cwd = project({ 'cases.jsonl': jsonl(failing, ...cases.slice(0, 2)) })
    const first = await viva([...command(), '-o', 'x.jsonl', '--fail-fast', '--parallel', '1'], { cwd })
    expect(first.exitCode).toBe(1)
    expect(results(join(cwd, 'x.jsonl')).map(({ status }) => status)).toEqual([
      'failed',
      'not_run',
      'not_run',
    ])
    const second = await viva([...command(), '--resume', 'x.jsonl'], { cwd })
    expect(second.exitCode).toBe(1)
    expect(readJsonl(join(cwd, 'x.jsonl')).at(-1)).toMatchObject({ passed: 2, failed: 1, not_run: 0 })
  })

  it('--fail-fast stops a parallel run at the first failure and records what was not run', async () => {
    const failing = { id: 'fails', input: 'hello', assert: { type: 'contains', value: 'goodbye' } }
    const cwd = project({ 'cases.jsonl': jsonl(failing, ...cases) })
    const asked = server.requests.length
    const { exitCode } = await viva([...command(), '-o', 'x.jsonl', '--fail-fast'], { cwd })
    expect(exitCode).toBe(1)
    expect(server.requests.length - asked).toBeLessThan(40)
    const statuses = results(join(cwd, 'x.jsonl')).map(({ status }) => status)
    expect(statuses).toHaveLength(201)
    expect(statuses.filter((status) => status === 'not_run').length).toBeGreaterThan(150)
  })

  it('reports and summary of a resumed run include only the cases there are now', async () => {
    const failing = { id: 'fails', input: 'hello', assert: { type: 'contains', value: 'goodbye' } }
    const cwd = project({ 'cases.jsonl': jsonl(failing, cases[0]) })
    await viva([...command(), '-o', 'x.jsonl'], { cwd })
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(cases[0]))
    const { exitCode } = await viva([...command(), '--resume', 'x.jsonl', '-o', 'x.json'], { cwd })
    expect(exitCode).toBe(0)
    const report = JSON.parse(readFileSync(join(cwd, 'x.json'), 'utf8')) as { results: Line[]; summary: Line }
    expect(report.results.map(({ id }) => id)).toEqual(['case-0'])
    expect(report.summary).toMatchObject({ total: 1, failed: 0 })
  })

  it('--resume refuses results of another agent', async () => {
    const cwd = project({ 'cases.jsonl': jsonl(cases[0]), 'agent.mjs': 'export default (input) => input\n' })
    await viva([...command(), '-o', 'x.jsonl'], { cwd })
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--resume', 'x.jsonl'],
      { cwd },
    )
    expect(stderr).toContain('its results are of openai:')
    expect(exitCode).toBe(2)
  })

  it('--resume recognises an agent from every folder of the project', async () => {
    const cwd = project({
      'viva.config.json': '{}',
      'cases.jsonl': jsonl(cases[0]),
      'agent.mjs': 'export default (input) => input\n',
      'sub/x': '',
    })
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], { cwd })
    const args = ['test', '-i', '../cases.jsonl', '-n', '../agent.mjs', '--resume', '../x.jsonl']
    const { stdout } = await viva(args, { cwd: join(cwd, 'sub') })
    expect(stdout).toContain('Resumed: 1')
  })

  it('a resumed run counts only what is played now, also in a report made from its file', async () => {
    const says = (id: string, value: string) => ({ id, input: id, assert: { type: 'equals', value } })
    const cwd = project({
      'agent.mjs': 'export default (input) => input\n',
      'cases.jsonl': jsonl(says('stays', 'stays'), says('goes', 'x'), says('changes', 'x')),
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs']
    expect((await viva([...args, '-o', 'x.jsonl'], { cwd })).exitCode).toBe(1)
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(says('stays', 'stays'), says('changes', 'changes')))
    const { stdout, exitCode } = await viva([...args, '--resume', 'x.jsonl', '-o', 'live.xml'], { cwd })
    expect(stdout).toContain('Resumed: 1 result already exists')
    expect(stdout).toContain('Left out: 2 results of cases that were changed or are no longer selected')
    expect(exitCode).toBe(0)
    await viva(['report', 'x.jsonl', '-o', 'again.xml'], { cwd })
    const [live, again] = ['live.xml', 'again.xml'].map((name) => readFileSync(join(cwd, name), 'utf8'))
    expect(again).toBe(live)
    // When they are selected again, the results of the other cases are used again.
    await viva([...args, '--resume', 'x.jsonl', '--run', 'stays'], { cwd })
    const whole = await viva([...args, '--resume', 'x.jsonl'], { cwd })
    expect(whole.stdout).toContain('Resumed: 2 results already exist')
    expect(whole.stdout).toContain('Left out: 1 result of cases')
  })

  it('--resume refuses a file that does not exist', async () => {
    const cwd = project({ 'cases.jsonl': jsonl(...cases) })
    const { exitCode, stderr } = await ended(startViva([...command(), '--resume', 'none.jsonl'], { cwd }))
    expect(exitCode).toBe(2)
    expect(stderr).toContain('no such file')
    expect(existsSync(join(cwd, 'none.jsonl'))).toBe(false)
  })
})

/** The ids of results whose lines are complete; the last line may be torn. */
function wholeResults(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.type === 'result')
    .map((line) => String(line.id))
}
