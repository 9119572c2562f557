import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, installViva, type Line, project, results, startViva, viva } from './support/viva.ts'

const booking = `import { afterTurns, createEvalSuite, createJudge, createScriptedProvider, fieldEquals } from 'vivavoce'

interface Input { message: string }
interface Output { reply: string; booking: { status: 'pending' | 'confirmed' } }

const agent = {
  name: 'booking',
  async execute({ message }: Input): Promise<Output> {
    if (message === 'break') throw new Error('it broke')
    if (message === 'hang') await new Promise(() => {})
    const status = message.includes('confirm') ? 'confirmed' as const : 'pending' as const
    return { reply: 'You said ' + message, booking: { status } }
  },
}

export default createEvalSuite<Input, Output>({ agent })

const talk = (id: string, ...messages: string[]) => ({
  id,
  description: 'Says ' + messages.join(', '),
  tags: ['talk'],
  input: { message: 'hello' },
  multiTurn: {
    followUpInputs: messages.map((message) => ({ input: { message }, description: 'Says ' + message })),
    terminateWhen: [fieldEquals<Output, 'booking.status'>('booking.status', 'confirmed'), afterTurns(5)],
  },
})
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** A project with a suite that has viva among its dependencies. */
function suiteProject(cases: string, files: Record<string, string> = {}): string {
  const cwd = project({ 'booking.suite.ts': `${booking}\nexport const cases = ${cases}\n`, ...files })
  installViva(cwd)
  return cwd
}

async function test(cwd: string, ...flags: string[]) {
  const ended = await viva(['test', '-i', 'booking.suite.ts', '-o', 'out.jsonl', ...flags], { cwd })
  return { ...ended, lines: ended.exitCode === 2 ? [] : results(join(cwd, 'out.jsonl')) }
}

describe('suites as an input of viva test', () => {
  it('the cases of a suite are played by its own code, with results like any other', async () => {
    const cwd = suiteProject(
      "[talk('good', 'confirm'), talk('never', 'a', 'b'), { id: 'broken', input: { message: 'break' } }]",
    )
    const { stdout, exitCode, lines } = await test(cwd, '--parallel', '4')
    expect(exitCode).toBe(1)
    const byId = Object.fromEntries(lines.map((line) => [line.id, line]))
    expect(byId.good).toMatchObject({
      status: 'passed',
      name: 'Says confirm',
      file: 'booking.suite.ts',
      variant: 'booking',
      termination: { reason: 'condition_met' },
      tags: ['talk'],
      turns: [
        { input: { message: 'hello' }, output: { booking: { status: 'pending' } } },
        {
          input: { message: 'confirm' },
          description: 'Says confirm',
          output: { booking: { status: 'confirmed' } },
        },
      ],
    })
    expect(byId.never).toMatchObject({
      status: 'failed',
      fault: 'agent',
      termination: { reason: 'exhausted' },
    })
    expect(byId.broken).toMatchObject({ status: 'failed', fault: 'agent', error: 'agent error: it broke' })
    expect(stdout).toContain('  Agent Test (Multi-Turn)\n')
    expect(stdout).toContain('Agent: booking')
    expect(stdout).toMatch(/Turn 2: .*→ PASSED \(\S+\) - Says a\n/)
    expect(stdout).toMatch(/--run '\^\((?:never\|broken|broken\|never)\)\$'/)
  })

  it('turns of a suite are reported as they happen, with secrets redacted', async () => {
    const cwd = suiteProject("[talk('waits', 'secret-of-the-env', 'wait for go')]")
    const path = join(cwd, 'booking.suite.ts')
    const waiting = "while (message === 'wait for go' && !existsSync('go')) await setTimeout(20)"
    writeFileSync(
      path,
      `import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
${readFileSync(path, 'utf8').replace("if (message === 'hang')", `${waiting}\n    if (message === 'hang')`)}`,
    )
    const args = ['test', '-i', 'booking.suite.ts', '-o', 'out.jsonl', '--json']
    const child = startViva(args, { cwd, env: { BOOKING_TOKEN: 'secret-of-the-env' } })
    const end = ended(child)
    let printed = ''
    for await (const [text] of on(child.stdout as NodeJS.ReadableStream, 'data')) {
      printed += text
      if (printed.includes('"turn":2')) break
    }
    expect(printed).not.toContain('case_finished')
    writeFileSync(join(cwd, 'go'), '')
    const events = (await end).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    expect(events.map(({ type, turn, id }) => [type, turn, id])).toEqual([
      ['run_started', undefined, undefined],
      ['case_started', undefined, 'waits'],
      ['turn', 1, 'waits'],
      ['turn', 2, 'waits'],
      ['turn', 3, 'waits'],
      ['case_finished', undefined, 'waits'],
      ['run_finished', undefined, undefined],
    ])
    expect(events[3]).toMatchObject({
      file: 'booking.suite.ts',
      input: { message: '[redacted]' },
      output: { reply: 'You said [redacted]' },
    })
  })

  it('every turn is reported once, even when the process of the suite dies and is replaced', async () => {
    const cwd = suiteProject("[talk('dies', 'die', 'confirm'), talk('beside', 'a', 'confirm')]")
    const path = join(cwd, 'booking.suite.ts')
    const dying = `if (message === 'die' && !existsSync('died')) {
      writeFileSync('died', '')
      process.kill(process.pid, 'SIGKILL')
    }`
    writeFileSync(
      path,
      `import { existsSync, writeFileSync } from 'node:fs'
${readFileSync(path, 'utf8').replace("if (message === 'hang')", `${dying}\n    if (message === 'hang')`)}`,
    )
    const { stdout } = await test(cwd, '--json', '--parallel', '2')
    const turns = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
      .filter(({ type }) => type === 'turn')
    for (const id of ['dies', 'beside'])
      expect(turns.filter((turn) => turn.id === id).map(({ turn }) => turn)).toEqual([1, 2, 3])
  })

  const threeCases =
    "[talk('good', 'confirm'), talk('other', 'confirm'), { id: 'hangs', input: { message: 'hang' } }]"

  it('--run and --runs apply to the cases of a suite', async () => {
    const { lines, exitCode } = await test(
      suiteProject(threeCases),
      '--run',
      'good',
      '--runs',
      '3',
      '-o',
      'out.html',
      '-o',
      'out.xml',
    )
    expect(lines.map(({ id, run }) => [id, run]).sort()).toEqual([
      ['good', 1],
      ['good', 2],
      ['good', 3],
    ])
    expect(exitCode).toBe(0)
  })

  it('--timeout applies to the cases of a suite', async () => {
    const late = await viva(
      ['test', '-i', 'booking.suite.ts', '--run', 'hangs', '--timeout', '3s', '-o', 'late.jsonl'],
      { cwd: suiteProject(threeCases) },
    )
    expect(late.stdout).toContain('timeout after 3s')
    expect(late.exitCode).toBe(1)
  })

  it('--dry-run validates the cases of a suite', async () => {
    const cwd = suiteProject(threeCases)
    const listed = await viva(['test', '-i', 'booking.suite.ts', '--dry-run'], { cwd })
    expect(listed.stdout).toContain('3 cases are valid')
    expect(listed.exitCode).toBe(0)
  })

  it('a suite is found in a folder, beside cases of files', async () => {
    const cwd = suiteProject("[talk('good', 'confirm')]", {
      'agent.mjs': 'export default (input) => input\n',
      'more.jsonl': '{"id": "echo", "input": "x", "assert": {"type": "equals", "value": "x"}}\n',
    })
    const both = await viva(['test', '-i', '.', '-n', './agent.mjs', '-o', '../both.jsonl'], { cwd })
    expect(both.stdout).toMatch(/Passed: +2\n/)
    expect(both.exitCode).toBe(0)
  })

  it.each([
    [
      'export default 1\nexport const cases = []\n',
      'the default export must be a suite, made by createEvalSuite',
    ],
    [booking, 'it exports no `cases`'],
    [`${booking}export const cases = []\n`, 'there are no test cases to run'],
    [`${booking}export const cases = [{ id: 'a' }]\n`, 'a: input is missing'],
    [
      `${booking}export const cases = [{ id: 'a', inputs: 1 }]\n`,
      'unknown key "inputs" (did you mean "input"?)',
    ],
    [`${booking}throw new Error('no')\n`, 'no'],
  ])('a broken suite is refused with the reason: %#', async (text, message) => {
    const cwd = suiteProject('[]')
    writeFileSync(join(cwd, 'booking.suite.ts'), text)
    const { exitCode, stderr } = await test(cwd)
    expect(stderr).toContain(message)
    expect(stderr).toContain('booking.suite.ts')
    expect(exitCode).toBe(2)
  })

  it('-n is refused for a suite, which brings its own agent', async () => {
    const { exitCode, stderr } = await test(suiteProject("[talk('good', 'confirm')]"), '-n', './agent.mjs')
    expect(stderr).toContain('script tests and suites have no agent but their own')
    expect(exitCode).toBe(2)
  })
})

describe('suites and other features', () => {
  it('services are reset before each case of a suite', async () => {
    const service = `import { createServer } from 'node:http'
      import { appendFileSync } from 'node:fs'
      createServer((request, response) => {
        if (request.url === '/reset') appendFileSync('resets', 'x')
        response.end('ok')
      }).listen(process.argv[2], '127.0.0.1')`
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const config = { services: [{ command: `node service.mjs ${port}`, url, reset: `${url}/reset` }] }
    const cwd = suiteProject("[talk('one', 'confirm'), talk('two', 'confirm')]", {
      'viva.config.json': JSON.stringify(config),
      'service.mjs': service,
    })
    const { exitCode, stderr } = await test(cwd)
    expect([exitCode, stderr]).toEqual([0, expect.any(String)])
    expect(readFileSync(join(cwd, 'resets'), 'utf8')).toBe('xx')
  })

  it('the timeout of a case beats --timeout', async () => {
    const slow = `[{ id: 'slow', input: { message: 'wait' }, timeout: '20s', expectedOutput: { reply: 'You said wait', booking: { status: 'pending' } } }]`
    const cwd = suiteProject(slow)
    const path = join(cwd, 'booking.suite.ts')
    const waiting = "if (message === 'wait') await new Promise((resolve) => setTimeout(resolve, 5500))"
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(
        "if (message === 'hang')",
        `${waiting}\n    if (message === 'hang')`,
      ),
    )
    const { exitCode, lines } = await test(cwd, '--timeout', '3s')
    expect(lines[0]).toMatchObject({ status: 'passed' })
    expect(exitCode).toBe(0)
  })

  it('--resume plays a case again when its conditions changed', async () => {
    const cwd = suiteProject("[talk('one', 'confirm')]")
    expect((await test(cwd)).exitCode).toBe(0)
    const path = join(cwd, 'booking.suite.ts')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace("'booking.status', 'confirmed')", "'booking.status', 'pending')"),
    )
    const { stdout } = await viva(['test', '-i', 'booking.suite.ts', '--resume', 'out.jsonl'], { cwd })
    expect(stdout).toContain('✓ [one]')
  })

  it('code that exits, loops or leaves a rejection behind fails as the agent, not as viva', async () => {
    const cwd = suiteProject(
      "[talk('exit', 'exit'), { id: 'spin', input: { message: 'spin' } }, { id: 'stray', input: { message: 'stray' } }]",
    )
    const path = join(cwd, 'booking.suite.ts')
    const bad = `if (message === 'exit') process.exit(7)
    while (message === 'spin') {}
    if (message === 'stray') {
      Promise.reject(new Error('nobody looks at this'))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }`
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace("if (message === 'hang')", `${bad}\n    if (message === 'hang')`),
    )
    const { lines, exitCode } = await test(cwd, '--timeout', '2s')
    expect(lines.map(({ id, fault, error_kind }) => [id, fault, error_kind])).toEqual([
      ['exit', 'agent', 'agent_error'],
      ['spin', 'agent', 'timeout'],
      ['stray', 'agent', 'agent_error'],
    ])
    expect(lines[0]).toMatchObject({ total_turns: 1, output: { reply: 'You said hello' } })
    expect(lines[2]?.error).toBe('agent error: nobody looks at this')
    expect(exitCode).toBe(1)
  })
})

describe('createConnectorProvider', () => {
  const config = {
    connectors: {
      critic: {
        type: 'scripted',
        options: {
          rules: [
            { reply: { verdicts: [{ criterionId: 'accuracy', reasoning: 'It is right.', score: 90 }] } },
          ],
        },
      },
      coded: { type: 'scripted', options: { module: './critic.mjs' } },
    },
  }
  const critic = `export default () => ({ reply: { verdicts: [{ criterionId: 'accuracy', reasoning: 'No.', score: 10 }] } })`
  const script = (
    id: string,
  ) => `import { accuracy, createConnectorProvider, createEvalSuite, createJudge } from 'vivavoce'
    const judge = createJudge({ provider: await createConnectorProvider('${id}'), criteria: [accuracy()] })
    const suite = createEvalSuite({ agent: { execute: async (input) => input }, judge })
    const { results } = await suite.run([{ input: 'x' }])
    console.log(results[0].score, results[0].passed, results[0].usage.judge.calls)`

  async function run(id: string) {
    const cwd = project({
      'viva.config.json': JSON.stringify(config),
      'critic.mjs': critic,
      'run.mjs': script(id),
    })
    installViva(cwd)
    const child = spawn(process.execPath, ['run.mjs'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    return ended(child)
  }

  it('a connector of the project can be a provider, and the process ends by itself', async () => {
    expect(await run('critic')).toMatchObject({ stdout: '90 true 1\n', exitCode: 0 })
    expect(await run('coded')).toMatchObject({ stdout: '10 false 1\n', exitCode: 0 })
  })

  it('an unknown connector is refused', async () => {
    const { stderr, exitCode } = await run('critc')
    expect(stderr).toContain('unknown connector "critc"')
    expect(exitCode).toBe(1)
  })
})
