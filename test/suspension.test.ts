import { type ChildProcess, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isAlive } from './support/processes.ts'
import { ended, installViva, jsonl, project, results, startViva, viva } from './support/viva.ts'

/** This is longer than any timeout here. */
const suspendedMs = 4000

const untilToldTo = `async function untilToldTo() {
  writeFileSync('started', '')
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20))
}
`
const waitingTest = `
async function TestWait(t) { await untilToldTo(); t.assert.True(true) }
function TestNext(t) { t.assert.True(true) }
`
const waitingSuite = `import { createEvalSuite } from 'vivavoce'
const agent = {
  name: 'waiting',
  async execute(input: string) {
    await untilToldTo()
    return input
  },
}
export default createEvalSuite<string, string>({ agent })
export const cases = ['TestWait', 'TestNext'].map((id) => ({ id, input: 'hello', expectedOutput: 'hello' }))
`

async function suspend(...processes: number[]): Promise<void> {
  for (const pid of processes) process.kill(pid, 'SIGSTOP')
  await pause(suspendedMs)
  for (const pid of processes) process.kill(pid, 'SIGCONT')
}

function getPid({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('viva did not start')
  return pid
}

function findChildren(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return all.flatMap(([child = 0, parent]) => (parent === pid && isAlive(child) ? [child] : []))
}

/** Starts a server that answers when it is told to. */
async function startServer() {
  let ask = (_response: ServerResponse) => {}
  const asked = new Promise<ServerResponse>((resolve) => {
    ask = resolve
  })
  const server = createServer((_request, response) => ask(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`, asked }
}

describe('a suspended command', () => {
  it.each(['while it is suspended', 'afterwards'])(
    'suspended time is not charged to the case, when the agent answers %s',
    async (when) => {
      const { url, asked } = await startServer()
      const cwd = project({
        'cases.jsonl': jsonl({ id: 'a', input: 'hello', assert: { type: 'latency', max: '2s' } }),
      })
      const child = startViva(['test', '-i', 'cases.jsonl', '-n', url, '-o', 'x.jsonl', '--timeout', '2s'], {
        cwd,
      })
      const end = ended(child)
      const response = await asked
      const suspended = suspend(getPid(child))
      if (when === 'afterwards') await suspended
      response.end('hello')
      await suspended
      const { exitCode } = await end
      expect(results(join(cwd, 'x.jsonl'))).toMatchObject([{ id: 'a', status: 'passed' }])
      expect(exitCode).toBe(0)
    },
  )

  it.each([
    ['script tests', 'alone', 'wait_test.ts', waitingTest],
    ['script tests', 'with the processes of its scripts', 'wait_test.ts', waitingTest],
    ['the cases of a suite', 'with the processes of its scripts', 'wait.suite.ts', waitingSuite],
  ])('suspended time is not charged to %s (%s)', async (_, which, file, source) => {
    const cwd = project({
      [file]: `import { existsSync, writeFileSync } from 'node:fs'\n${untilToldTo}${source}`,
    })
    installViva(cwd)
    const child = startViva(['test', '-i', file, '-o', 'x.jsonl', '--timeout', '2s'], { cwd })
    const end = ended(child)
    await vi.waitFor(() => expect(existsSync(join(cwd, 'started'))).toBe(true), 30_000)
    const pid = getPid(child)
    await suspend(pid, ...(which === 'alone' ? [] : findChildren(pid)))
    writeFileSync(join(cwd, 'go'), '')
    const { exitCode } = await end
    const lines = results(join(cwd, 'x.jsonl'))
    expect(lines.map(({ id, status, error }) => [id, status, error])).toEqual([
      ['TestWait', 'passed', undefined],
      ['TestNext', 'passed', undefined],
    ])
    expect(exitCode).toBe(0)
  })
})

describe('a suspended agent', () => {
  it('an agent that is suspended alone fails with a timeout', async () => {
    const agent = `import { createInterface } from 'node:readline'
      for await (const line of createInterface({ input: process.stdin })) process.kill(process.pid, 'SIGSTOP')`
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl({ id: 'a', input: 'hello' }) })
    const args = ['test', '-i', 'cases.jsonl', '-n', 'exec:node agent.mjs', '-o', 'x.jsonl']
    const { exitCode } = await viva([...args, '--timeout', '2s'], { cwd })
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([{ error_kind: 'timeout', fault: 'agent' }])
    expect(exitCode).toBe(1)
  })
})
