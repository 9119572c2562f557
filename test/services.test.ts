import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ended, ended, jsonl, type Line, project, results, startViva, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }

/** An agent whose memory is shared by all sessions until it is reset. It listens `DELAY` ms after its start. */
const server = `
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
const said = []
let healthChecks = 0
const log = (word) => appendFileSync('log', word + '\\n')
process.on('SIGTERM', () => { log('SIGTERM'); if (!process.env.STUBBORN) process.exit(0) })
log('pid ' + process.pid)
console.log('the server is starting')
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.url === '/health' && process.env.HANG && healthChecks++ > 0) return
  if (request.url === '/health') return response.writeHead(Number(process.env.HEALTH ?? 200)).end('ok')
  if (request.url === '/reset') {
    log(request.method + ' reset')
    if (process.env.RESET === 'hang') return
    said.length = 0
    return response.writeHead(Number(process.env.RESET ?? 204)).end()
  }
  const { input } = JSON.parse(body)
  if (input === 'die') { console.error('the server gave out'); process.exit(5) }
  said.push(input)
  response.end('hello ' + said.join(' '))
})
setTimeout(() => server.listen(Number(process.env.PORT), '127.0.0.1'), Number(process.env.DELAY ?? 0))
`

interface Options {
  service?: Record<string, unknown>
  env?: Record<string, string>
  cases?: unknown[]
  args?: string[]
  url?: string
}

async function prepare({ service = {}, env = {}, cases = [hello], url }: Options) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const config = {
    agent: `${base}/chat`,
    network: { retries: 0 },
    services: [
      {
        command: 'node server.mjs',
        url: url ?? `${base}/health`,
        env: { PORT: String(port), ...env },
        timeout: '20s',
        ...service,
      },
    ],
  }
  const text = JSON.stringify(config).replaceAll('BASE', base)
  const cwd = project({ 'server.mjs': server, 'viva.config.json': text, 'cases.jsonl': jsonl(...cases) })
  return { cwd, base }
}

async function play(options: Options): Promise<Ended & { played: Line[]; cwd: string; log: string }> {
  const { cwd } = await prepare(options)
  const output = ['-o', 'x.jsonl']
  const finished = await viva(['test', '-i', 'cases.jsonl', ...output, ...(options.args ?? [])], { cwd })
  const path = join(cwd, 'x.jsonl')
  return { ...finished, played: existsSync(path) ? results(path) : [], cwd, log: readLog(cwd) }
}

function readLog(cwd: string): string {
  const path = join(cwd, 'log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function isAlive(cwd: string): boolean {
  const pid = Number(/pid (\d+)/.exec(readLog(cwd))?.[1])
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

describe('services', () => {
  it('a service is started, waited for, and stopped at the end', async () => {
    const { exitCode, stderr, log, cwd } = await play({ env: { DELAY: '400' } })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect(log).toMatch(/^pid \d+\nSIGTERM\n$/)
    expect(isAlive(cwd)).toBe(false)
  })

  it('a service with a reset is reset before each case, one case at a time', async () => {
    const cases = ['a', 'b', 'c'].map((id) => ({ id, input: id, expected: `hello ${id}` }))
    const { exitCode, stdout, log, played } = await play({
      service: { reset: 'BASE/reset' },
      cases,
      args: ['--parallel', '3'],
    })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('one case at a time')
    expect(log.match(/POST reset/g)).toHaveLength(3)
    expect(played[0]?.usage).toMatchObject({ service: { calls: 1 }, agent: { calls: 1 } })
  })

  it('the config may choose the method of the reset', async () => {
    const { exitCode, log } = await play({ service: { reset: { url: 'BASE/reset', method: 'DELETE' } } })
    expect(exitCode).toBe(0)
    expect(log).toContain('DELETE reset')
  })

  it.each([['--list'], ['--dry-run']])('a service is not started for %s', async (flag) => {
    const { exitCode, log } = await play({ args: [flag] })
    expect(exitCode).toBe(0)
    expect(log).toBe('')
  })

  it('a service is not started when a case is invalid', async () => {
    const { exitCode, log } = await play({ cases: [{ id: 'x', inputs: 'y' }] })
    expect(exitCode).toBe(2)
    expect(log).toBe('')
  })

  it.each([
    ['SIGINT', 130, 'killed because it ignores SIGTERM', { STUBBORN: '1' }],
    ['SIGTERM', 143, 'ends on SIGTERM', {}],
    ['SIGHUP', 129, 'ends on SIGTERM', {}],
  ] as const)('a service is stopped after %s (%i): %s', async (signal, code, _, env) => {
    const { cwd } = await prepare({ env: { HEALTH: '503', ...env } })
    const child = startViva(['test', '-i', 'cases.jsonl', '-o', 'x.jsonl'], { cwd })
    const end = ended(child)
    while (!readLog(cwd).includes('pid')) await wait(20)
    child.kill(signal)
    expect((await end).exitCode).toBe(code)
    expect(readLog(cwd)).toContain('SIGTERM')
    expect(isAlive(cwd)).toBe(false)
  })
})

describe('errors of services', () => {
  it('a service that is not ready in time is reported with its output, and the run exits with 3', async () => {
    const { exitCode, stderr, played, cwd } = await play({
      env: { HEALTH: '503' },
      service: { timeout: '4s' },
    })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('service `node server.mjs` was not ready within 4s')
    expect(stderr).toContain('/health answered 503. Its last lines:\nthe server is starting')
    expect(stderr).not.toContain('bug')
    expect(played).toEqual([])
    expect(isAlive(cwd)).toBe(false)
  })

  it('what a service answered last is reported, although it was silent in the rest of the time', async () => {
    const { exitCode, stderr } = await play({
      env: { HEALTH: '503', HANG: 'yes' },
      service: { timeout: '1900ms' },
    })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('was not ready within 1.9s: ')
    expect(stderr).toContain('/health answered 503')
  })

  it('a service that never listens is reported', async () => {
    const { exitCode, stderr } = await play({ env: { DELAY: '60000' }, service: { timeout: '500ms' } })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('was not ready within 500ms: no answer from 127.0.0.1')
  })

  it('a service that exits at its start is reported at once', async () => {
    const { exitCode, stderr } = await play({
      service: { command: `node -e "console.error('no database'); process.exit(7)"`, timeout: '1m' },
    })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('exited with code 7. Its last lines:\nno database')
  })

  it('a service that dies during the run makes the cases after it fail with its output', async () => {
    const others = Array.from({ length: 50 }, (_, index) => ({ ...hello, id: `later ${index}` }))
    // One at a time: a case beside the first one might be answered before the service dies.
    const { exitCode, stdout, played } = await play({
      cases: [{ id: 'dies', input: 'die' }, ...others],
      args: ['--parallel', '1'],
    })
    const kinds = new Set(played.map(({ fault, error_kind }) => `${fault} ${error_kind}`))
    expect([...kinds]).toEqual(['infrastructure connection'])
    expect(played.at(-1)?.error).toContain('service `node server.mjs` exited with code 5. Its last lines:')
    expect(stdout).toContain('✗ service `node server.mjs` exited with code 5')
    expect(stdout).toContain('the server gave out')
    expect(exitCode).toBe(3)
  })

  it('a case whose service dies is not the fault of an agent that reports the lost connection', async () => {
    const { cwd } = await prepare({ cases: [{ id: 'dies', input: 'die' }] })
    const { agent: url } = JSON.parse(readFileSync(join(cwd, 'viva.config.json'), 'utf8'))
    const body = "{ method: 'POST', body: JSON.stringify({ input }) }"
    const code = `export default async (input) => (await fetch('${url}', ${body})).text()`
    writeFileSync(join(cwd, 'agent.mjs'), code)
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl']
    const { exitCode } = await viva(args, { cwd })
    const [played] = results(join(cwd, 'x.jsonl'))
    expect(played).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'connection' })
    expect(played?.error).toContain('service `node server.mjs` exited with code 5')
    expect(played?.error).toContain('Then the case failed: agent error: fetch failed')
    expect(exitCode).toBe(3)
  })

  it.each([
    ['500', 'service `node server.mjs` could not be reset: '],
    ['hang', 'service `node server.mjs` could not be reset: timeout after 1s, waiting for service reset'],
  ])('a reset that fails (%s) is an infrastructure error of the case', async (reset, message) => {
    const { exitCode, played } = await play({
      env: { RESET: reset },
      service: { reset: 'BASE/reset' },
      args: ['--timeout', '1s'],
    })
    expect(played[0]).toMatchObject({ status: 'failed', fault: 'infrastructure' })
    expect(played[0]?.error).toContain(message)
    expect(exitCode).toBe(3)
  })

  it('a service is not started when something else already answers at its address', async () => {
    const other = createServer((_, response) => response.end('ok'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/health`
    const { exitCode, stderr, log } = await play({ url })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('something answers at')
    expect(log).toBe('')
  })

  it.each([
    [{ command: 'no-such-command x' }, 'services[0].command: command "no-such-command" not found'],
    [{ url: 'localhost:3000' }, 'services[0].url: must be an http:// or https:// URL'],
    [{ rest: 'http://x' }, 'unknown key "rest" in services[0] (did you mean "reset"?)'],
    [{ timeout: '10' }, 'services[0].timeout: bad duration "10": use Go'],
  ])('a mistake in the config of a service is refused: %j', async (service, message) => {
    const { exitCode, stderr, log } = await play({ service })
    expect(stderr).toContain(message)
    expect(log).toBe('')
    expect(exitCode).toBe(2)
  })
})
