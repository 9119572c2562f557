import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isAlive, pidsIn } from './support/processes.ts'
import { type Ended, ended, jsonl, type Line, project, results, startViva, viva } from './support/viva.ts'

const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'hello' } }

/** An exec agent in JavaScript that prints what `answer(request)` returns. */
function agent(answer: string, before = ''): string {
  return `
import { createInterface } from 'node:readline'
${before}
const answer = ${answer}
for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line))
  if (reply !== undefined) console.log(typeof reply === 'string' ? reply : JSON.stringify(reply))
}
`
}

/** An exec agent that starts a child, writes both process ids to a file, and never answers. */
const parent = agent(
  '() => {}',
  `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
process.on('SIGTERM', () => {})
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'])
writeFileSync('pids', process.pid + ' ' + child.pid)
setInterval(() => {}, 1000)`,
)

async function ask(
  source: string,
  options: { cases?: unknown[]; args?: string[]; name?: string } = {},
): Promise<Ended & { played: Line[]; cwd: string }> {
  const { cases = [hello], args = [], name = 'exec:node agent.mjs' } = options
  const cwd = project({ 'agent.mjs': source, 'cases.jsonl': jsonl(...cases) })
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', name, '-o', 'x.jsonl', ...args], { cwd })
  return { ...ended, played: ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl')), cwd }
}

describe('exec agents', () => {
  it('an exec agent is given the input, the history, the metadata and the user', async () => {
    const cases = [
      {
        id: 'told',
        metadata: { tag: 7 },
        turns: [{ input: { any: 'object' } }, { input: 'say', options: { metadata: { tag: 8 } } }],
      },
    ]
    const { played, exitCode } = await ask(agent('(request) => ({ output: request })'), {
      cases,
      args: ['-u', 'ada'],
    })
    expect(exitCode).toBe(0)
    const turns = played[0]?.turns as { output: Line }[]
    expect(turns[0]?.output).toMatchObject({ input: { any: 'object' }, turn: 1, history: [] })
    expect(turns[1]?.output).toMatchObject({
      input: 'say',
      session_id: played[0]?.session_id,
      turn: 2,
      history: [{ role: 'user' }, { role: 'assistant' }],
      metadata: { tag: 8 },
      user_id: 'ada',
      team_id: 'test-team',
      locale: 'en-us',
    })
  })

  it('stderr, and lines on stdout that are not JSON, are logged with the case', async () => {
    const { played } = await ask(
      agent('() => { console.error("a warning"); console.log("loading 100%"); return { content: "hello" } }'),
    )
    expect(played[0]).toMatchObject({ status: 'passed' })
    expect(played[0]?.logs).toEqual(expect.arrayContaining(['a warning', 'loading 100%']))
  })

  it('every case starts a new process', async () => {
    const count = agent('() => ({ content: `hello ${++calls}` })', 'let calls = 0')
    const cases = ['a', 'b', 'c'].map((id) => ({ ...hello, id, expected: 'hello 1', assert: undefined }))
    const { exitCode } = await ask(count, { cases })
    expect(exitCode).toBe(0)
  })

  it('a process that exits after each answer is started again for the next turn', async () => {
    const once = agent(
      '({ turn }) => { setImmediate(() => process.exit(0)); return { content: `hello ${turn}` } }',
    )
    const turns = [1, 2, 3].map((turn) => ({ input: 'hi', expected: `hello ${turn}` }))
    const { exitCode, played } = await ask(once, { cases: [{ id: 'turns', turns }] })
    expect(played[0]).toMatchObject({ status: 'passed' })
    expect(exitCode).toBe(0)
  })

  it('children of an exec agent are killed when it is started again', async () => {
    const leaving = agent(
      '() => { setImmediate(() => process.exit(0)); return { content: "hello" } }',
      `import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
appendFileSync('pids', child.pid + ' ')`,
    )
    const turns = [1, 2, 3].map(() => ({ input: 'hi' }))
    const { exitCode, cwd } = await ask(leaving, { cases: [{ id: 'turns', turns }] })
    expect(exitCode).toBe(0)
    const children = await pidsIn(cwd)
    // They are killed before viva ends, but the system may take longer to remove them.
    await expect.poll(() => children.map(isAlive)).toEqual([false, false, false])
  })

  it('the command of an exec agent is run without a shell', async () => {
    const { played } = await ask(agent('() => ({ output: process.argv.slice(2) })'), {
      cases: [{ id: 'words', input: 'x', expected: ['a b', '$HOME', '&&', '*'] }],
      name: `exec:node agent.mjs "a b" '$HOME' && *`,
    })
    expect(played[0]).toMatchObject({ status: 'passed' })
  })
})

describe('errors of exec agents', () => {
  it.each([
    ['exec:no-such-command-here x', 'command "no-such-command-here" not found (neither on the PATH nor in'],
    ['exec:./agent.mjs', 'command "./agent.mjs" not found'],
    ['exec:cd x && node agent.mjs', "commands are not run by a shell: write sh -c '…'"],
    ['exec:node "agent.mjs', 'the quote " is never closed'],
    ['exec:', 'there is no command'],
  ])('a mistake in the command is reported before anything runs: %s', async (name, message) => {
    const { exitCode, stdout, stderr } = await ask('', { name })
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('a command that exits before it is asked is an infrastructure error', async () => {
    const { exitCode, played } = await ask('console.error("no module named mind"); process.exit(4)\n')
    expect(played[0]).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'connection' })
    expect(played[0]?.error).toContain('exec:node agent.mjs exited with code 4 before it was asked anything')
    expect(played[0]?.error).toContain('no module named mind')
    expect(exitCode).toBe(3)
  })

  it('an exec agent that dies of an input has failed, and the next case gets a new process', async () => {
    const fragile = agent(
      '({ input }) => { if (input === "die") throw new Error("bad input"); return { content: input } }',
    )
    const { exitCode, played } = await ask(fragile, { cases: [{ id: 'dies', input: 'die' }, hello] })
    expect(played).toMatchObject([
      { id: 'dies', fault: 'agent', error_kind: 'agent_error' },
      { id: 'hello', status: 'passed' },
    ])
    expect(played[0]?.error).toContain('exec:node agent.mjs exited with code 1 and gave no answer')
    expect(played[0]?.error).toContain('Error: bad input')
    expect(exitCode).toBe(1)
  })

  it('an exec agent that is killed between two turns has failed', async () => {
    const mortal = agent(
      '({ input }) => { setImmediate(() => process.kill(process.pid, "SIGKILL")); return { content: input } }',
    )
    const turns = [{ input: 'hello' }, { input: 'hello' }]
    const { exitCode, played } = await ask(mortal, { cases: [{ id: 'dies', turns }] })
    expect(played[0]?.error).toContain('was killed by SIGKILL and gave no answer')
    expect(exitCode).toBe(1)
  })

  it('an exec agent that answers with an error has failed', async () => {
    const { exitCode, played } = await ask(agent('() => ({ error: "no such order" })'))
    expect(played[0]).toMatchObject({ fault: 'agent', error: 'agent error: no such order' })
    expect(exitCode).toBe(1)
  })

  it('an exec agent that answers with an invalid reply has failed', async () => {
    const { exitCode, played } = await ask(agent('() => ({ tool_calls: "none" })'))
    expect(played[0]).toMatchObject({ fault: 'agent', error_kind: 'agent_error' })
    expect(exitCode).toBe(1)
  })

  it('an exec agent that hangs fails with a timeout and is killed with all its children', async () => {
    const { exitCode, played, cwd } = await ask(parent, { args: ['--timeout', '1s'] })
    expect(played[0]).toMatchObject({ error: 'timeout after 1s', error_kind: 'timeout' })
    expect(exitCode).toBe(1)
    expect((await pidsIn(cwd)).map(isAlive)).toEqual([false, false])
  })

  it.each(['not json', '5', 'null'])('the timeout quotes output that is not an answer: %s', async (line) => {
    const { exitCode, played } = await ask(agent(`() => ${JSON.stringify(line)}`), {
      args: ['--timeout', '2s'],
    })
    expect(played[0]).toMatchObject({ error_kind: 'timeout', fault: 'agent' })
    expect(played[0]?.error).toContain('timeout after 2s: it printed no answer')
    expect(played[0]?.error).toContain(`its first line was: ${line}`)
    expect(exitCode).toBe(1)
  })

  it('no process is left after Ctrl-C', async () => {
    const cwd = project({ 'agent.mjs': parent, 'cases.jsonl': jsonl(hello) })
    const child = startViva(['test', '-i', 'cases.jsonl', '-n', 'exec:node agent.mjs', '-o', 'x.jsonl'], {
      cwd,
    })
    const end = ended(child)
    const pids = await pidsIn(cwd)
    child.kill('SIGINT')
    expect((await end).exitCode).toBe(130)
    expect(pids.map(isAlive)).toEqual([false, false])
  })

  it('no process is left after pressing Ctrl-C twice', async () => {
    const cwd = project({ 'agent.mjs': parent, 'cases.jsonl': jsonl(hello) })
    const child = startViva(['test', '-i', 'cases.jsonl', '-n', 'exec:node agent.mjs', '-o', 'x.jsonl'], {
      cwd,
    })
    const pids = await pidsIn(cwd)
    child.kill('SIGINT')
    child.kill('SIGINT')
    await once(child, 'exit')
    await wait(100)
    expect(pids.map(isAlive)).toEqual([false, false])
  })
})
