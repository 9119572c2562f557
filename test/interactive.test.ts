import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openPseudoTerminal } from './support/pseudo-terminal.ts'
import { jsonl, type Line, project, results, viva } from './support/viva.ts'

/** An agent that asks until it hears a yes. When told to, it is slow, fails, or asks with a tool call. */
const agent = `
import { setTimeout as wait } from 'node:timers/promises'
export default async (input) => {
  const said = String(input)
  if (/slow/.test(said)) await wait(Number(/\\d+/.exec(said)?.[0]))
  if (/fail/.test(said)) throw new Error('failed as told')
  if (/evil/.test(said))
    return { content: '\\u001b[2J\\u001b]0;title\\u0007evil\\n? [other] you begin', awaiting_input: true, input_hint: '\\u001b[31mred' }
  if (/tool/.test(said))
    return { tool_calls: [{ name: 'ask_user', arguments: { question: 'Which day?' }, result: null }] }
  if (/yes|single/.test(said)) return 'Done: ' + said
  return { content: 'You said ' + said + '. Go on?', awaiting_input: true, input_hint: 'yes or no' }
}
`

const prompt = '  You: '
const ask = (id: string, more: object = {}) => ({ id, turns: [{ input: `I am ${id}` }], ...more })

function folder(...cases: object[]): string {
  return project({ 'agent.mjs': agent, 'cases.jsonl': jsonl(...cases) })
}

const testCases = 'viva test -i cases.jsonl -n ./agent.mjs -o out.jsonl'

/** An agent that always asks. It needs no process of its own, for tests in which it says nothing else. */
function askingFolder(...cases: object[]): string {
  return project({
    'app.yao': '{}',
    'assistants/asker/package.yao': JSON.stringify({ name: 'Asker', connector: 'mind' }),
    'assistants/asker/prompts.yml': '- {role: system, content: Ask.}',
    'connectors/mind.conn.yao': JSON.stringify({
      type: 'scripted',
      options: { rules: [{ reply: 'Go on?' }] },
    }),
    'cases.jsonl': jsonl(...cases),
  })
}

const testAsker = testCases.replace('./agent.mjs', 'asker')

function open(command: string, cwd: string) {
  return openPseudoTerminal(command, { cwd })
}

function listInputs(line: Line | undefined): unknown[] {
  return ((line?.turns ?? []) as Line[]).map(({ input, input_source }) => [input_source, input])
}

function outcomes(cwd: string): Record<string, Line> {
  return Object.fromEntries(results(join(cwd, 'out.jsonl')).map((line) => [String(line.id), line]))
}

describe('--interactive: a person answers for the user', () => {
  it('the reply of the agent and its hint are shown, and what the person types is sent as the user', async () => {
    const cwd = folder(ask('a'))
    const terminal = open(`${testCases} --interactive -v`, cwd)
    expect(await terminal.see(prompt)).toContain(
      '? [a] agent.mjs: it is your turn (an empty line: no answer)\n  Agent: You said I am a. Go on?\n  Hint: yes or no\n',
    )
    terminal.type('maybe später 🙂\r')
    expect(await terminal.see(prompt)).toContain('Agent: You said maybe später 🙂. Go on?')
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.shown()).toContain('Turn 2: [Human] "maybe später 🙂"')
    expect(listInputs(outcomes(cwd).a)).toEqual([
      ['static', 'I am a'],
      ['human', 'maybe später 🙂'],
      ['human', 'yes'],
    ])
  })

  it.each([
    ['an empty line', '\r', 'skip', 'skipped', 2],
    ['an empty line', '  \r', 'fail', 'failed', 1],
    ['an empty line', '\r', 'end', 'passed', 0],
    ['Ctrl-D', '\u0004', 'skip', 'skipped', 2],
    ['Ctrl-D', '\u0004', 'fail', 'failed', 1],
    ['Ctrl-D', '\u0004', 'end', 'passed', 0],
    ['no answer within 300ms', 'half a wo', 'skip', 'skipped', 2],
    ['no answer within 300ms', '', 'fail', 'failed', 1],
    ['no answer within 300ms', '', 'end', 'passed', 0],
  ])(
    '%s (%j) ends the case as on_missing_input %s says',
    async (none, keys, on_missing_input, status, exitCode) => {
      const cwd = askingFolder(
        ask('a', { on_missing_input, interactive: { timeout: /within/.test(none) ? '300ms' : '1h' } }),
      )
      const terminal = open(`${testAsker} --interactive`, cwd)
      await terminal.see(prompt)
      terminal.type(keys)
      await terminal.see(`\n  No message: ${none}\n`)
      expect(await terminal.ended()).toBe(exitCode)
      expect(outcomes(cwd).a).toMatchObject({
        status,
        logs: [`no message from the person at the terminal: ${none}`],
      })
    },
  )

  it('secrets are redacted in what the person is shown', async () => {
    const cwd = project({
      'agent.mjs': `export default () => ({ content: 'It is ' + process.env.MY_TOKEN, awaiting_input: true, input_hint: 'not ' + process.env.MY_TOKEN })`,
      'cases.jsonl': jsonl(ask('a')),
    })
    const terminal = openPseudoTerminal(`${testCases} --interactive`, {
      cwd,
      env: { MY_TOKEN: 'abcdefgh12345' },
    })
    expect(await terminal.see(prompt)).toContain('  Agent: It is [redacted]\n  Hint: not [redacted]\n')
    terminal.type('\r')
    await terminal.ended()
    expect(terminal.written()).not.toContain('abcdefgh12345')
  })

  it('a case with interactive.enabled asks without the flag, and a single-turn case never asks', async () => {
    const cwd = folder({ id: 'single', input: 'me' }, ask('b', { interactive: { enabled: true } }), ask('c'))
    const terminal = open(testCases, cwd)
    await terminal.see('? [b]')
    await terminal.see(prompt)
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
    const { single, b, c } = outcomes(cwd)
    expect([single?.status, b?.status, c?.status]).toEqual(['passed', 'passed', 'skipped'])
    expect(terminal.shown().split(prompt)).toHaveLength(2)
  })

  it('--skip-interactive overrides --interactive and the case', async () => {
    const cwd = askingFolder(ask('a', { interactive: { enabled: true } }))
    const terminal = open(`${testAsker} --interactive --skip-interactive`, cwd)
    expect(await terminal.ended()).toBe(2)
    expect(terminal.shown()).not.toContain(prompt)
    expect(outcomes(cwd).a?.status).toBe('skipped')
  })

  it.each(['< /dev/null', '2> log.txt', '< cases.jsonl'])('nobody is asked with %s', async (redirected) => {
    const cwd = askingFolder(ask('a', { interactive: { enabled: true } }))
    const terminal = open(`${testAsker} --interactive ${redirected}`, cwd)
    expect(await terminal.ended()).toBe(2)
    expect(terminal.shown()).not.toContain(prompt)
  })

  it('the person is not asked without a terminal', async () => {
    const cwd = folder(ask('a', { interactive: { enabled: true } }))
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--interactive', '-o', 'out.jsonl']
    const { exitCode, stdout, stderr } = await viva(args, { cwd })
    expect(exitCode).toBe(2)
    expect(stdout + stderr).not.toContain(prompt)
  })

  it('time in which the person types does not count for the timeout or the latency', async () => {
    const cwd = folder(ask('a', { timeout: '2s', final_assertions: [{ type: 'latency', max: '2s' }] }))
    const terminal = open(`${testCases} --interactive`, cwd)
    await terminal.see(prompt)
    await wait(3000)
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
  })

  it('long lines are sent whole', async () => {
    const cwd = folder(ask('a'))
    const terminal = open(`${testCases} --interactive`, cwd)
    await terminal.see(prompt)
    // The line buffer of a terminal in its usual mode could not hold this.
    const long = `yes ${'0123456789'.repeat(600)}`
    terminal.type(`${long}\r`)
    expect(await terminal.ended()).toBe(0)
    expect(listInputs(outcomes(cwd).a)[1]).toEqual(['human', long])
  })

  it('of several pasted lines only the first is sent, and the shell gets none of the rest', async () => {
    const cwd = folder(ask('a'))
    const terminal = open(`${testCases} --interactive; read -r next; echo "next: $next"`, cwd)
    await terminal.see(prompt)
    terminal.type(`first\rtouch oops\r${'a long line after it\r'.repeat(500)}rest`)
    await terminal.see('\n  Only the first line is sent: what came after it is dropped\n')
    expect(await terminal.see(prompt)).toContain('Agent: You said first. Go on?')
    terminal.type('yes\rtouch oops\r')
    await terminal.see('\n  Only the first line is sent')
    await terminal.see('Results: out.jsonl')
    terminal.type('typed later\r')
    await terminal.see('next: typed later')
    expect(listInputs(outcomes(cwd).a)).toEqual([
      ['static', 'I am a'],
      ['human', 'first'],
      ['human', 'yes'],
    ])
  })

  it('what was typed before the question is not taken as the answer', async () => {
    const cwd = folder({ id: 'a', turns: [{ input: 'slow 700' }] })
    const terminal = open(`${testCases} --interactive`, cwd)
    await terminal.see('Running Tests')
    terminal.type('\r\u0004too early\r\r')
    await terminal.see(prompt)
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
    expect(listInputs(outcomes(cwd).a)[1]).toEqual(['human', 'yes'])
  })

  it('control characters from the agent do not reach the terminal', async () => {
    const cwd = folder({ id: 'a', turns: [{ input: 'be evil' }] })
    const terminal = open(`${testCases} --interactive`, cwd)
    const shown = await terminal.see(prompt)
    expect(shown).toContain(
      '  Agent: \\x1b[2J\\x1b]0;title\\x07evil\n         ? [other] you begin\n  Hint: \\x1b[31mred\n',
    )
    expect(terminal.written()).not.toMatch(/\u001b\[2J|\u001b\]|\u001b\[31m/)
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
  })

  it('a question asked with a tool call is shown as the call', async () => {
    const cwd = folder({ id: 'a', turns: [{ input: 'use a tool' }] })
    const terminal = open(`${testCases} --interactive`, cwd)
    expect(await terminal.see(prompt)).toContain('  Agent: [tool: ask_user({"question":"Which day?"})]\n')
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
  })

  it('a history that ends with the agent is answered, and the prompt names the attempt', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Where to?' },
    ]
    const cwd = folder({ id: 'a', messages, interactive: { enabled: true } })
    const terminal = open(`${testCases} --retries 1`, cwd)
    expect(await terminal.see(prompt)).toContain(
      '? [a] agent.mjs: it is your turn (an empty line: no answer)\n  Agent: Where to?\n',
    )
    terminal.type('fail\r')
    expect(await terminal.see(prompt)).toContain('? [a] (attempt 2) agent.mjs: it is your turn')
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
  })
})

describe('--interactive with several cases at once', () => {
  it('several cases ask one at a time, and each gets its own answer', async () => {
    const ids = ['c1', 'c2', 'c3', 'c4']
    const cwd = folder(...ids.map((id) => ask(id)))
    const terminal = open(`${testCases} --interactive --parallel 4 -v`, cwd)
    for (const [index] of [...ids, ...ids].entries()) {
      const shown = await terminal.see(prompt)
      expect(shown.match(/\? \[/g)).toHaveLength(1)
      const id = /\? \[(\w+)\]/.exec(shown)?.[1]
      const last = shown.includes(`You said maybe ${id}.`)
      expect(last || shown.includes(`You said I am ${id}.`), `question ${index} of ${id}`).toBe(true)
      terminal.type(last ? `yes ${id}\r` : `maybe ${id}\r`)
    }
    expect(await terminal.ended()).toBe(0)
    const played = outcomes(cwd)
    for (const id of ids)
      expect(listInputs(played[id])).toEqual([
        ['static', `I am ${id}`],
        ['human', `maybe ${id}`],
        ['human', `yes ${id}`],
      ])
  })

  it('nothing is written into the line that is being typed', async () => {
    const cwd = folder(ask('a'), { id: 'slow', input: 'single slow 1000' })
    const terminal = open(`${testCases} --interactive --parallel 2`, cwd)
    await terminal.see(prompt)
    terminal.type('ye')
    await terminal.see('ye')
    const out = join(cwd, 'out.jsonl')
    while (!existsSync(out) || !readFileSync(out, 'utf8').includes('"result"')) await wait(20)
    // This is longer than the progress line would wait.
    await wait(300)
    const before = terminal.written()
    expect(before).toMatch(/ye$/)
    terminal.type('s\r')
    await terminal.see('s\n')
    await terminal.see('✓ [slow]')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.written().slice(before.length)).toMatch(/^s\r+\n/)
  })

  it('an open question is dropped when --fail-fast stops the run', async () => {
    const cwd = folder(ask('a'), { id: 'bad', input: 'slow 800, then fail' })
    const terminal = open(`${testCases} --interactive --parallel 2 --fail-fast; stty -a`, cwd)
    await terminal.see(prompt)
    terminal.type('half')
    await terminal.see('half\n')
    await terminal.ended()
    expect(terminal.shown()).toMatch(/ icanon.* echo /)
    expect(outcomes(cwd).bad?.status).toBe('failed')
  })
})

describe('Ctrl-C during --interactive', () => {
  it('Ctrl-C at the prompt ends the run, keeps the results and restores the terminal', async () => {
    const cwd = folder({ id: 'single', input: 'single' }, ask('a'), ask('b'))
    const terminal = open(`${testCases} --interactive; echo "exit $?"; stty -a`, cwd)
    await terminal.see(prompt)
    terminal.type('half\u0003')
    await terminal.see('exit 130')
    await terminal.ended()
    expect(terminal.shown()).toMatch(/ icanon.* echo /)
    expect(terminal.shown()).toContain('--resume out.jsonl')
    expect(outcomes(cwd)).toMatchObject({ single: { status: 'passed' }, a: { status: 'interrupted' } })

    const again = open(`${testCases.replace('-o', '--interactive --resume')}`, cwd)
    await again.see('? [a]')
    await again.see(prompt)
    again.type('yes\r')
    await again.see('? [b]')
    await again.see(prompt)
    again.type('yes\r')
    expect(await again.ended()).toBe(0)
    expect(outcomes(cwd)).toMatchObject({ a: { status: 'passed' }, b: { status: 'passed' } })
  })

  it('Ctrl-C ends a run that is not at the prompt', async () => {
    const cwd = folder({ id: 'a', turns: [{ input: 'slow 60000' }] })
    const terminal = open(`trap : INT; ${testCases} --interactive; echo "exit $?"`, cwd)
    await terminal.see('running')
    terminal.type('\u0003')
    await terminal.see('exit 130')
  })
})

describe('--interactive without a case file', () => {
  it('a conversation without input begins with the person', async () => {
    const cwd = project({ 'agent.mjs': agent })
    const terminal = open('viva test -n ./agent.mjs --interactive > reply.txt; echo "exit $?"; stty -a', cwd)
    expect(await terminal.see(prompt)).toContain(
      '? [interactive] agent.mjs: you begin (an empty line: no answer)\n',
    )
    terminal.type('hello\r')
    expect(await terminal.see(prompt)).toContain('Agent: You said hello. Go on?')
    terminal.type('yes\r')
    await terminal.see('exit 0')
    await terminal.ended()
    expect(terminal.shown()).toMatch(/ icanon.* echo /)
    expect(readFileSync(join(cwd, 'reply.txt'), 'utf8')).toBe('Done: yes\n')
  })

  it('a conversation that nobody begins is skipped', async () => {
    const cwd = project({ 'agent.mjs': agent })
    const terminal = open('viva test -n ./agent.mjs --interactive', cwd)
    await terminal.see(prompt)
    terminal.type('\u0004')
    await terminal.see('no initial input')
    expect(await terminal.ended()).toBe(2)
  })

  it('a case without input begins with the person', async () => {
    const cwd = folder({ id: 'a' })
    const terminal = open(`${testCases} --interactive`, cwd)
    await terminal.see('? [a] agent.mjs: you begin')
    await terminal.see(prompt)
    terminal.type('hello\r')
    await terminal.see(prompt)
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
    expect(listInputs(outcomes(cwd).a)).toEqual([
      ['human', 'hello'],
      ['human', 'yes'],
    ])
  })

  it('a message given with -i is followed by the person while the agent asks', async () => {
    const cwd = project({ 'agent.mjs': agent })
    const terminal = open('viva test -n ./agent.mjs -i "hello there" --interactive', cwd)
    expect(await terminal.see(prompt)).toContain('Agent: You said hello there. Go on?')
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.lines()).toContain('Done: yes')
  })
})

describe('stdout during --interactive', () => {
  it('--json prints nothing but events on stdout', async () => {
    const cwd = folder(ask('a'))
    const terminal = open('viva test -i cases.jsonl -n ./agent.mjs --interactive --json > events.ndjson', cwd)
    await terminal.see(prompt)
    // Readers of the events must not have to wait for the person.
    expect(readFileSync(join(cwd, 'events.ndjson'), 'utf8')).toContain('"type":"turn"')
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
    const events = readFileSync(join(cwd, 'events.ndjson'), 'utf8').trim().split('\n')
    expect(events.map((line) => (JSON.parse(line) as Line).type)).toContain('run_finished')
  })

  it('events on the same terminal do not break the line that is being typed', async () => {
    const cwd = folder(ask('a'), { id: 'slow', input: 'single slow 1000' })
    const terminal = open(`${testCases} --interactive --json --parallel 2`, cwd)
    await terminal.see(prompt)
    terminal.type('ye')
    const out = join(cwd, 'out.jsonl')
    while (!existsSync(out) || !readFileSync(out, 'utf8').includes('"result"')) await wait(20)
    terminal.type('s\r')
    await terminal.see('yes\n')
    await terminal.see('"run_finished"')
    expect(await terminal.ended()).toBe(0)
  })

  it('-r report.json prints nothing but the report on stdout', async () => {
    const cwd = folder(ask('a'))
    const terminal = open(
      'viva test -i cases.jsonl -n ./agent.mjs --interactive -r report.json > report.json',
      cwd,
    )
    await terminal.see(prompt)
    terminal.type('yes\r')
    expect(await terminal.ended()).toBe(0)
    expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
      summary: { passed: 1 },
    })
  })
})
