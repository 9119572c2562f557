import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startA2AAgent } from './support/a2a-agent.ts'
import { conversations, readBody, record, replay, run, serve } from './support/replays.ts'
import { demo, echoAgent, installViva, jsonl, type Line, project, repository, viva } from './support/viva.ts'

const statuses = (lines: readonly Line[]) => Object.fromEntries(lines.map(({ id, status }) => [id, status]))

const expense = [
  '-i',
  'assistants/expense/tests/inputs.jsonl',
  '-i',
  'assistants/expense/tests/conversations.jsonl',
]

describe('recording and replaying', () => {
  it('the demo is replayed at any --parallel as it was recorded, with its simulator, judge and scripts', async () => {
    const cwd = demo()
    const recorded = await record(cwd, expense)
    // Whoever would be asked now has nothing to say.
    for (const name of ['scripted', 'scripted-user', 'scripted-helpers'])
      writeFileSync(
        join(cwd, `connectors/${name}.conn.yao`),
        JSON.stringify({ type: 'scripted', options: { rules: [] } }),
      )
    const one = await replay(cwd, expense)
    const many = await replay(cwd, [...expense, '--parallel', '16'])
    expect(recorded.lines).toHaveLength(10)
    expect(conversations(one.lines)).toEqual(conversations(recorded.lines))
    expect(conversations(many.lines)).toEqual(conversations(recorded.lines))
    expect([one.exitCode, many.exitCode]).toEqual([recorded.exitCode, recorded.exitCode])
  })

  it('hooks, process tools, scripts around cases, and each of --runs 3 are replayed with what they changed', async () => {
    const cwd = demo('cafe')
    const barista = ['-i', 'assistants/barista/tests', '-n', 'barista', '--runs', '3']
    const recorded = await record(cwd, barista)
    // The tools are processes of this script.
    const menu = join(cwd, 'scripts/menu.ts')
    writeFileSync(menu, readFileSync(menu, 'utf8').replaceAll('return ', 'throw new Error("asked"); return '))
    const replayed = await replay(cwd, [...barista, '--parallel', '8'])
    expect(recorded.lines.length).toBeGreaterThan(30)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
  })

  it('results are marked, have no pass rate, and enter no history', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl({ id: 'a', input: 'x', expected: 'no' }),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs']
    await record(cwd, args)
    const history = readFileSync(join(cwd, '.viva/history.jsonl'), 'utf8')
    const { exitCode, output, lines, path } = await replay(cwd, args)
    expect(exitCode).toBe(1)
    expect(lines.map(({ origin }) => origin)).toEqual(['replayed'])
    expect(output).toContain('replayed from calls.jsonl')
    expect(readFileSync(join(cwd, '.viva/history.jsonl'), 'utf8')).toBe(history)
    const summary = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .at(-1)
    expect(summary).toMatchObject({ type: 'summary', pass_rate: null, failed: 1 })
  })

  it('the reply to a single message is marked beside it', async () => {
    const cwd = project({ 'agent.mjs': echoAgent })
    const message = ['test', '-i', 'Good morning', '-n', './agent.mjs']
    await viva([...message, '--record', 'calls.recording'], { cwd })
    const { exitCode, stdout, stderr } = await viva([...message, '--replay', 'calls.recording'], { cwd })
    expect([exitCode, stdout]).toEqual([0, 'you said: Good morning\n'])
    expect(stderr).toContain('ℹ Replayed from calls.recording\n')
  })

  it('a server is not asked: its session, its failed attempts and its slowness are those of the recording', async () => {
    let asked = 0
    const server = await serve(async (request, response) => {
      const { session } = await readBody(request)
      asked += 1
      if (asked === 1) return response.writeHead(503).end()
      setTimeout(() => {
        const known = session ?? `s-${Math.random()}`
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ text: session === undefined ? 'new' : 'known', id: known }))
      }, 150)
    })
    const agent = {
      url: `${server.url}/chat`,
      request: { text: '{{input}}', session: '{{session}}', own: '{{sessionId}}', all: '{{history}}' },
      response: { content: '$.text' },
      session: '$.id',
    }
    const slow = { type: 'latency', max: '100ms', gates: false }
    const cwd = project({
      'viva.config.json': JSON.stringify({ agents: { bot: agent }, network: { backoff: '1ms' } }),
      'cases.jsonl': jsonl({
        id: 'two',
        turns: [
          { input: 'a', assert: slow },
          { input: 'b', expected: 'known' },
        ],
      }),
    })
    const args = ['-i', 'cases.jsonl', '-n', 'bot']
    const recorded = await record(cwd, args)
    expect(asked).toBe(3)
    await server.close()
    const replayed = await replay(cwd, args)
    expect(conversations(replayed.lines).map(withoutWaits)).toEqual(
      conversations(recorded.lines).map(withoutWaits),
    )
    expect(replayed.lines[0]).toMatchObject({
      status: 'passed',
      usage: { agent: { calls: 3, retries: 1, replayed_calls: 3 } },
      logs: [expect.stringContaining('503')],
    })
    expect(Number((replayed.lines[0]?.turns as Line[] | undefined)?.[0]?.reply_ms)).toBeGreaterThanOrEqual(
      150,
    )
    expect(Number(replayed.lines[0]?.duration_ms)).toBeGreaterThanOrEqual(300)
  })

  it('the time of a reply is the recorded one to the millisecond, so that a script is given the same result', async () => {
    const cwd = project({
      'agent.mjs': `export default async (input) => {
  await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 20))
  return 'you said: ' + input
}
`,
      'around.ts':
        'export const After = (_, __, result) => console.log(/the reply took \\w+/.exec(JSON.stringify(result))[0])\n',
      'cases.jsonl': jsonl(
        ...['a', 'b', 'c', 'd'].map((id) => ({
          id,
          turns: [{ input: id, assert: { type: 'latency', max: '1ms', gates: false } }],
          after: 'scripts.around.After',
        })),
      ),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs', '--parallel', '4']
    const recorded = await record(cwd, args)
    const replayed = await replay(cwd, args)
    expect([recorded.exitCode, replayed.exitCode, replayed.output]).toEqual([0, 0, replayed.output])
    const times = (lines: readonly Line[]) =>
      Object.fromEntries(lines.map(({ id, turns, logs }) => [id, [(turns as Line[])[0]?.reply_ms, logs]]))
    expect(times(replayed.lines)).toEqual(times(recorded.lines))
  })

  it('scripts around the run are replayed whichever case ended first, and for a part of the cases', async () => {
    const cwd = project({
      'agent.mjs': `export default async (input) => {
  await new Promise((resolve) => setTimeout(resolve, input === '0' ? 150 : 1))
  return 'you said: ' + input
}
`,
      'around.ts': `import { writeFileSync } from 'node:fs'
export const Open = (_, cases) => ({ seats: cases.length })
export const Close = (_, results) => {
  console.log('closed for ' + results.map(({ id }) => id).join(' '))
  writeFileSync('closed', '')
}
`,
      'cases.jsonl': jsonl(...['0', '1', '2'].map((id) => ({ id, input: id }))),
    })
    const around = ['--before-all', 'scripts.around.Open', '--after-all', 'scripts.around.Close']
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs', ...around]
    const recorded = await record(cwd, [...args, '--parallel', '3'])
    expect(recorded.lines.at(-1)).toMatchObject({ id: '0' })
    expect(recorded.output).toContain('closed for 0 1 2')
    rmSync(join(cwd, 'closed'))
    const calls = readFileSync(join(cwd, 'calls.jsonl'), 'utf8')
    for (const flags of [[], ['--parallel', '3'], ['--run', '^1$']]) {
      const { exitCode, output } = await replay(cwd, [...args, ...flags])
      expect([exitCode, output]).toEqual([0, output])
    }
    expect((await replay(cwd, [...args, '--replay-missing', 'live'])).exitCode).toBe(0)
    expect(existsSync(join(cwd, 'closed'))).toBe(false)
    expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8')).toBe(calls)
    writeFileSync(join(cwd, 'around.ts'), `${readFileSync(join(cwd, 'around.ts'), 'utf8')}// edited\n`)
    expect((await replay(cwd, args)).exitCode).toBe(3)
  })

  it('prompts that show the session are the same again, of simulated users, generators and agents that are called', async () => {
    const cwd = demo()
    mkdirSync(join(cwd, 'agent'))
    writeFileSync(join(cwd, 'agent/prompts.yml'), '- role: system\n  content: This is chat $CTX.CHAT_ID.\n')
    const generated = ['-i', 'agents:workers.test.generator?count=2', '-n', 'assistants.expense']
    const inputs = [
      ...generated,
      '-i',
      'assistants/expense/tests/conversations.jsonl',
      '-i',
      'scripts.expense.setup',
    ]
    const args = [...inputs, '--simulator', 'agents:workers.test.user-simulator', '--runs', '2']
    const recorded = await record(cwd, [...args, '--parallel', '4'])
    expect(recorded.exitCode, recorded.output).toBe(0)
    const replayed = await replay(cwd, [...args, '--parallel', '16'])
    expect(replayed.exitCode, replayed.output).toBe(0)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
  })

  it('a case may move in its file, although `after` is given its result', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'around.ts': 'export const After = () => {}\n',
      'cases.jsonl': jsonl({ id: 'a', input: 'x', after: 'scripts.around.After' }),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs']
    await record(cwd, args)
    writeFileSync(join(cwd, 'cases.jsonl'), `\n\n${readFileSync(join(cwd, 'cases.jsonl'), 'utf8')}`)
    const { exitCode, output } = await replay(cwd, args)
    expect([exitCode, output]).toEqual([0, output])
  })

  it('a model needs no key, its tokens and cost are the recorded ones, and the key is in no file', async () => {
    const key = 'sk-very-secret-0123456789'
    const server = await serve((_, response) => {
      const message = { role: 'assistant', content: `Hello, ${key}` }
      const usage = { prompt_tokens: 1000, completion_tokens: 500 }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }))
    })
    const connector = {
      type: 'openai',
      options: { model: 'm', key: '$ENV.BOT_KEY', host: `${server.url}/`, stream: false },
    }
    const cwd = project({
      'viva.config.json': JSON.stringify({
        connectors: { main: connector },
        agents: { bot: { connector: 'main', prompt: 'Greet. It is $SYS.DATETIME.' } },
        prices: { main: { input: 10, output: 20 } },
      }),
      'cases.jsonl': jsonl({ id: 'a', input: 'hi', assert: { type: 'cost', max: 0.05 } }),
    })
    const args = ['-i', 'cases.jsonl', '-n', 'bot']
    const recorded = await record(cwd, args, { BOT_KEY: key })
    expect(recorded.exitCode).toBe(0)
    await server.close()
    const { lines, exitCode, output } = await replay(cwd, [...args, '--max-cost', '0.001'])
    expect(exitCode).toBe(0)
    expect(lines[0]).toMatchObject({
      cost: 0.02,
      usage: { agent: { replayed_cost: 0.02, replayed_tokens: 1500 } },
    })
    expect(output).toContain('all of it recorded')
    expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8')).not.toContain('very-secret')
    expect(statSync(join(cwd, 'calls.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('MCP servers, commands and services are not started', async () => {
    const counter = join(repository, 'test/fixtures/tools/counter.mjs')
    const rules = [
      { when: { result: '"value":(\\d+)' }, reply: 'It is {{1}}.' },
      { tool_calls: [{ name: 'counter__add', arguments: {} }] },
    ]
    const server = {
      transport: 'stdio',
      command: process.execPath,
      arguments: [counter],
      env: { STARTS: 'starts.log' },
    }
    const service = await serve(() => {})
    await service.close()
    const listen = `require('fs').writeFileSync('service.log', ''); require('http').createServer((_, r) => r.end()).listen(${new URL(service.url).port}, '127.0.0.1')`
    const cwd = project({
      'app.yao': '{}',
      'viva.config.json': JSON.stringify({
        services: [
          {
            command: `${process.execPath} service.cjs`,
            url: service.url,
          },
        ],
      }),
      'service.cjs': listen,
      'connectors/script.conn.yao': JSON.stringify({ type: 'scripted', options: { rules } }),
      'assistants/desk/package.yao': JSON.stringify({
        name: 'Desk',
        connector: 'script',
        mcp: { servers: ['counter'] },
      }),
      'mcps/counter.mcp.yao': JSON.stringify(server),
      'echo.cjs': `require('fs').writeFileSync('exec.log', ''); require('readline').createInterface({ input: process.stdin }).on('line', (line) => console.log(JSON.stringify('you said ' + JSON.parse(line).input)))`,
      'cases.jsonl': jsonl({
        id: 'add',
        turns: [
          { input: 'add', assert: { type: 'tool_called', name: 'counter__add' } },
          { input: 'add', assert: { type: 'contains', value: 'It is 2.' } },
        ],
        final_assertions: { type: 'state', call: { tool: 'counter__get' }, path: 'value', value: 2 },
      }),
      'echo.jsonl': jsonl({ id: 'echo', input: 'x', expected: 'you said x' }),
    })
    const desk = ['-i', 'cases.jsonl', '-n', 'desk']
    const echo = ['-i', 'echo.jsonl', '-n', `exec:${process.execPath} echo.cjs`]
    const recorded = await record(cwd, desk)
    const spoken = await run(cwd, [...echo, '--record', 'echo.rec'])
    expect([recorded.exitCode, spoken.exitCode]).toEqual([0, 0])
    for (const log of ['starts.log', 'service.log', 'exec.log']) rmSync(join(cwd, log))
    const replayed = await replay(cwd, desk)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
    expect((await run(cwd, [...echo, '--replay', 'echo.rec'])).exitCode).toBe(0)
    expect(['starts.log', 'service.log', 'exec.log'].filter((log) => existsSync(join(cwd, log)))).toEqual([])
  })

  it.each(['tasks', 'words'])(
    'an A2A agent (%s) goes on in its conversation without being there',
    async (name) => {
      const agent = await startA2AAgent()
      const cwd = project({
        'cases.jsonl': jsonl({ id: 'a', turns: [{ input: 'ask me' }, { input: 'say hello' }] }),
      })
      const args = ['-i', 'cases.jsonl', '-n', `a2a:${agent.url}/${name}`]
      const recorded = await record(cwd, args)
      await agent.close()
      const replayed = await replay(cwd, args)
      expect((recorded.lines[0]?.turns as Line[] | undefined)?.length).toBe(2)
      expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
    },
  )

  it('two variants and every attempt of --retries have their own recording', async () => {
    const shaky = `import { appendFileSync, readFileSync } from 'node:fs'
const make = (name) => (input) => {
  appendFileSync(name + input, 'x')
  return name + ' ' + readFileSync(name + input, 'utf8').length
}
export const one = make('one')
export const two = make('two')
`
    const cwd = project({
      'agent.mjs': shaky,
      'cases.jsonl': jsonl({ id: 'a', input: 'a', assert: { type: 'contains', value: '2' } }),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs#one', '-n', './agent.mjs#two', '--retries', '2']
    const recorded = await record(cwd, args)
    expect(recorded.lines.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      '1 failed',
      '2 passed',
      '1 failed',
      '2 passed',
    ])
    const replayed = await replay(cwd, args)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
  })

  it('a suite in TypeScript is replayed with its judge, and its agent is not called', async () => {
    const suite = (
      answer: string,
    ) => `import { createEvalSuite, createJudge, createScriptedProvider } from 'vivavoce'
const agent = { name: 'booking', execute: async ({ message }: { message: string }) => ({ reply: '${answer} ' + message, at: Math.random() }) }
const judge = createJudge({ provider: createScriptedProvider(${answer === 'Yes,' ? `['{"reasoning": "fine", "score": 1, "criteria": {}}']` : '[]'}), criteria: [{ id: 'polite', name: 'Polite', description: 'It is polite' }] })
export default createEvalSuite<{ message: string }, { reply: string; at: number }>({ agent })
export const cases = [{ id: 'one', input: { message: 'hello' } }, { id: 'two', input: { message: 'bye' }, multiTurn: { followUpInputs: [{ input: { message: 'again' } }], terminateWhen: [() => ({ terminated: false })], onExhausted: 'pass' } }]
`
    const cwd = project({ 'booking.suite.ts': suite('Yes,') })
    installViva(cwd)
    const args = ['-i', 'booking.suite.ts']
    const recorded = await record(cwd, args)
    expect(recorded.lines).toHaveLength(2)
    writeFileSync(join(cwd, 'booking.suite.ts'), suite('No,'))
    const replayed = await replay(cwd, args)
    const said = (lines: readonly Line[]) =>
      lines.map(({ output, turns }) => output ?? (turns as Line[]).map((turn) => turn.output))
    expect(said(replayed.lines)).toEqual(said(recorded.lines))
    expect(said(replayed.lines)[0]).toMatchObject({ reply: 'Yes, hello' })
  })
})

describe('a replay after a change', () => {
  it('one changed line of a prompt is named, once for all cases', async () => {
    const cwd = demo()
    await record(cwd, expense.slice(0, 2))
    const prompts = join(cwd, 'assistants/expense/prompts.yml')
    writeFileSync(
      prompts,
      readFileSync(prompts, 'utf8').replace('the type of an expense', 'the kind of an expense'),
    )
    const { exitCode, output, lines } = await replay(cwd, expense.slice(0, 2))
    expect(exitCode).toBe(3)
    expect(new Set(lines.map(({ error_kind }) => error_kind))).toEqual(new Set(['not_recorded']))
    const difference =
      'the call of the model (scripted:scripted) differs from the nearest recorded one in messages[0].content: ' +
      'recorded "…t-team.\\nAsk for the type of an expense first, then for its amount, and…", ' +
      'now "…t-team.\\nAsk for the kind of an expense first, then for its amount, and…"'
    expect(output).toContain(`7 calls are not in calls.jsonl: 7 × ${difference}`)
    expect(output).toContain('--replay-missing live')
  })

  it('an edited check or hook is not answered by what it returned before', async () => {
    const cwd = demo()
    await record(cwd, expense)
    const checks = join(cwd, 'scripts/checks.ts')
    writeFileSync(checks, `${readFileSync(checks, 'utf8')}\n// edited\n`)
    const { exitCode, output } = await replay(cwd, expense)
    expect(exitCode).toBe(3)
    expect(output).toContain('differs from the nearest recorded one in the code that answers')
    expect((await replay(cwd, [...expense, '--live', 'script'])).exitCode).toBe(0)
  })

  it('an attached file with other contents is another request', async () => {
    const read = 'export default (input) => input.map((part) => part.source?.length ?? part.text).join()\n'
    const parts = [
      { type: 'text', text: 'read' },
      { type: 'file', source: 'file://note.txt' },
    ]
    const cwd = project({
      'agent.mjs': read,
      'note.txt': 'old',
      'cases.jsonl': jsonl({ id: 'a', input: { role: 'user', content: parts } }),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs']
    expect((await record(cwd, args)).exitCode).toBe(0)
    expect((await replay(cwd, args)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'note.txt'), 'new and longer')
    expect((await replay(cwd, args)).exitCode).toBe(3)
  })

  it('a server that remembers the conversation is not asked in the middle of a replayed one', async () => {
    const server = await serve(async (request, response) => {
      const { text } = await readBody(request)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ text: `you said ${text}`, id: 's-1' }))
    })
    const agent = {
      url: `${server.url}/chat`,
      request: { text: '{{input}}', session: '{{session}}' },
      response: { content: '$.text' },
      session: '$.id',
    }
    const turns = (...texts: string[]) => jsonl({ id: 'a', turns: texts.map((input) => ({ input })) })
    const cwd = project({
      'viva.config.json': JSON.stringify({ agents: { bot: agent } }),
      'cases.jsonl': turns('tea', 'cake'),
    })
    const args = ['-i', 'cases.jsonl', '-n', 'bot']
    await record(cwd, args)
    writeFileSync(join(cwd, 'cases.jsonl'), turns('tea', 'cake', 'jam'))
    const mixed = await replay(cwd, [...args, '--replay-missing', 'live'])
    expect(mixed.exitCode).toBe(3)
    expect(mixed.output).toContain('bot does not know the calls before it: record the case again')
    writeFileSync(join(cwd, 'cases.jsonl'), turns('coffee', 'cake'))
    expect((await replay(cwd, [...args, '--replay-missing', 'live'])).exitCode).toBe(0)
  })

  it('--live model asks the model again, while the user and the tools are those of the recording', async () => {
    const cwd = project({
      'app.yao': '{}',
      'connectors/main.conn.yao': scripted([
        { when: { result: '(\\d+)' }, reply: 'There are {{1}}. Anything else?' },
        { tool_calls: [{ name: 'stock__count', arguments: { item: 'tea' } }] },
      ]),
      'connectors/user.conn.yao': scripted([
        { when: { user: '"turn_number":1\\b' }, reply: '{"message": "How many?", "goal_achieved": false}' },
        { reply: '{"message": "Thanks", "goal_achieved": true}' },
      ]),
      'assistants/shop/package.yao': JSON.stringify({
        name: 'Shop',
        connector: 'main',
        mcp: { servers: ['stock'] },
      }),
      'mcps/stock.mcp.yao': JSON.stringify({ transport: 'process', tools: { count: 'scripts.stock.count' } }),
      'mcps/mapping/stock/schemes/count.in.yao': JSON.stringify({
        type: 'object',
        properties: { item: { type: 'string' } },
        'x-process-args': ['$args.item'],
      }),
      'scripts/stock.ts': 'export const count = () => 41\n',
      'assistants/user/package.yao': JSON.stringify({ name: 'User', connector: 'user' }),
      'assistants/user/prompts.yml': '- role: system\n  content: You are a customer.\n',
      'cases.jsonl': jsonl({
        id: 'buy',
        simulator: {
          use: 'user',
          options: { metadata: { persona: 'a customer', goal: 'to know the stock' } },
        },
        final_assertions: { type: 'contains', value: '41' },
      }),
    })
    const args = ['-i', 'cases.jsonl', '-n', 'shop']
    const recorded = await record(cwd, args)
    expect(recorded.exitCode).toBe(0)
    writeFileSync(
      join(cwd, 'connectors/main.conn.yao'),
      scripted([
        { when: { result: '(\\d+)' }, reply: 'We have {{1}} in stock. What else?' },
        { tool_calls: [{ name: 'stock__count', arguments: { item: 'tea' } }] },
      ]),
    )
    writeFileSync(join(cwd, 'scripts/stock.ts'), 'export const count = () => 0\n')
    const { exitCode, lines, output } = await replay(cwd, [...args, '--live', 'model'])
    expect(output).toContain('live: model')
    expect(exitCode).toBe(0)
    const turns = lines[0]?.turns as Line[]
    expect(turns.map(({ input }) => input)).toEqual(
      (recorded.lines[0]?.turns as Line[] | undefined)?.map(({ input }) => input),
    )
    expect(turns.map(({ response }) => response)).toEqual(turns.map(() => 'We have 41 in stock. What else?'))
  })

  it('a replay with a live model can be recorded, and replayed again', async () => {
    const cwd = demo()
    const flow = ['-i', 'assistants/expense/tests/conversations.jsonl']
    await record(cwd, flow)
    const connector = join(cwd, 'connectors/scripted.conn.yao')
    writeFileSync(
      connector,
      readFileSync(connector, 'utf8').replace('What type of expense', 'Which type of expense'),
    )
    const live = await replay(cwd, [...flow, '--live', 'model', '--record', 'new.rec'])
    expect([live.exitCode, JSON.stringify(live.lines)]).toEqual([0, expect.stringContaining('Which type')])
    const { exitCode, lines } = await run(cwd, [...flow, '--replay', 'new.rec'])
    expect(exitCode).toBe(0)
    expect(conversations(lines)).toEqual(conversations(live.lines))
  })

  it('a case that fails with a live agent is tried again with what its last recorded attempt met', async () => {
    const cwd = project({
      'agent.mjs': 'export default (input) => `${input}: done`\n',
      'user.mjs': `export default (_, ctx) =>
  ctx.options.metadata.turn_number === 1 ? { input: 'tidy up', goal_achieved: false } : { goal_achieved: true }\n`,
      'cases.jsonl': jsonl({
        id: 'a',
        simulator: { use: './user.mjs', goal: 'a tidy room' },
        final_assertions: { type: 'contains', value: 'done' },
      }),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs', '--retries', '2']
    expect((await record(cwd, args)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'agent.mjs'), 'export default () => "no"\n')
    writeFileSync(join(cwd, 'user.mjs'), 'export default () => { throw new Error("asked") }\n')
    const { exitCode, lines } = await replay(cwd, [...args, '--live', 'agent'])
    expect(lines.map(({ attempt, status, fault }) => `${attempt} ${status} ${fault}`)).toEqual([
      '1 failed agent',
      '2 failed agent',
      '3 failed agent',
    ])
    expect(exitCode).toBe(1)
  })

  it('--replay-missing live lets a new case out and adds it to the recording', async () => {
    const noting = `import { appendFileSync } from 'node:fs'
export default (input) => (appendFileSync('calls.txt', input), input)
`
    const cwd = project({ 'agent.mjs': noting, 'cases.jsonl': jsonl({ id: 'a', input: 'x' }) })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs']
    await record(cwd, args)
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ id: 'a', input: 'x' }, { id: 'b', input: 'y' }))
    const refused = await replay(cwd, args)
    expect(refused.exitCode).toBe(2)
    expect(refused.output).toContain('calls.jsonl has no recording of b (--replay-missing live plays them')
    expect((await replay(cwd, [...args, '--replay-missing', 'live'])).exitCode).toBe(0)
    expect(statuses((await replay(cwd, args)).lines)).toEqual({ a: 'passed', b: 'passed' })
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('xy')
  })

  it('an agent that was recorded under another name is found when there is only one', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl({ id: 'a', input: 'x' }) })
    await record(cwd, ['-i', 'cases.jsonl', '-n', './agent.mjs'])
    writeFileSync(join(cwd, 'other.mjs'), echoAgent)
    const { exitCode, output } = await replay(cwd, ['-i', 'cases.jsonl', '-n', './other.mjs'])
    expect(exitCode).toBe(3)
    expect(output).toContain('in target: recorded "module:agent.mjs", now "module:other.mjs"')
  })
})

describe('what cannot be recorded or replayed', () => {
  const simple = () =>
    project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl({ id: 'a', input: 'x' }),
      'other.jsonl': jsonl({ id: 'b', input: 'y' }),
    })
  const args = ['-i', 'cases.jsonl', '-n', './agent.mjs']

  it.each([
    [['--live', 'model'], '--live is for --replay FILE'],
    [['--replay-missing', 'live'], '--replay-missing is for --replay FILE'],
    [['--replay', 'calls.jsonl', '--live', 'modl'], '--live modl: must be one of agent, model, tools'],
    [['--replay', 'calls.jsonl', '--gate', '0.9'], '--gate cannot be combined with --replay'],
    [['--replay', 'calls.jsonl', '--baseline', 'x.jsonl'], '--baseline cannot be combined with --replay'],
    [['--replay', 'calls.jsonl', '--live', 'model'], '--live model: agent.mjs calls its model itself'],
    [['--replay', 'calls.jsonl', '--live', 'tools'], '--live tools: agent.mjs calls its tools itself'],
    [['--replay', 'nothing.jsonl'], 'nothing.jsonl: no such file'],
    [['--replay', 'cases.jsonl'], 'cases.jsonl is not a recording of viva'],
    [['--record', 'calls.jsonl'], 'recording calls.jsonl: the file exists'],
    [['--record', 'x.jsonl', '--no-transcripts'], '--record cannot be combined with --no-transcripts'],
    [['--record', 'x.jsonl', '--mask', 'email'], '--record cannot be combined with --mask'],
    [['--record', 'x.jsonl', '--dry-run'], '--record has nothing to record with --dry-run'],
    [['--replay', 'calls.jsonl', '--runs', 'auto', '--gate', '0.9'], 'cannot be combined with --replay'],
    [['--record', 'x.jsonl', '--interactive'], '--record cannot be combined with --interactive'],
    [['--record', 'x.jsonl', '--watch'], '--watch cannot be combined with --record'],
    [['--replay', 'calls.jsonl', '--record', 'calls.jsonl'], 'it is the recording that is replayed'],
  ])('%j is a configuration error', async (flags, message) => {
    const cwd = simple()
    await record(cwd, args)
    const before = readFileSync(join(cwd, 'calls.jsonl'), 'utf8')
    const { exitCode, output } = await run(cwd, [...args, ...flags])
    expect(output).toContain(message)
    expect(exitCode).toBe(2)
    expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8')).toBe(before)
    expect(existsSync(join(cwd, 'x.jsonl'))).toBe(false)
  })

  it('a report must not replace the recording that is replayed', async () => {
    const cwd = simple()
    await record(cwd, args)
    renameSync(join(cwd, 'calls.jsonl'), join(cwd, 'calls.md'))
    const before = readFileSync(join(cwd, 'calls.md'), 'utf8')
    const { exitCode, output } = await run(cwd, [...args, '--replay', 'calls.md', '-o', 'calls.md'])
    expect(output).toContain('calls.md is an input of the run')
    expect(exitCode).toBe(2)
    expect(readFileSync(join(cwd, 'calls.md'), 'utf8')).toBe(before)
  })

  it.each([['--no-transcripts'], ['--mask', '/kim@\\S+/']])(
    'what was said is not printed with %s when it is not in the recording',
    async (...flags) => {
      const cwd = simple()
      await record(cwd, args)
      writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ id: 'a', input: 'my mail is kim@example.com' }))
      const { exitCode, output } = await run(cwd, [...args, '--replay', 'calls.jsonl', ...flags])
      expect(output).toContain('1 call is not in calls.jsonl: 1 × ')
      expect(output).not.toContain('kim@example.com')
      expect(exitCode).toBe(3)
    },
  )

  it('a case that is skipped needs no recording, until it is skipped no more', async () => {
    const cases = (skip: boolean) =>
      jsonl({ id: 'a', input: 'x' }, { id: 'b', input: 'y', skip: 'not now' }, { id: 'c', input: 'z', skip })
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': cases(true) })
    await record(cwd, args)
    const replayed = await replay(cwd, args)
    expect(replayed.exitCode).toBe(0)
    expect(statuses(replayed.lines)).toEqual({ a: 'passed', b: 'skipped', c: 'skipped' })
    writeFileSync(join(cwd, 'cases.jsonl'), cases(false))
    const { exitCode, output } = await replay(cwd, args)
    expect(exitCode).toBe(2)
    expect(output).toContain('calls.jsonl has no recording of c (')
  })

  it('--live model is for script tests too, whose calls viva sees', async () => {
    const cwd = demo()
    const tests = ['-i', 'scripts.expense.setup']
    await record(cwd, tests)
    expect((await replay(cwd, [...tests, '--live', 'model'])).exitCode).toBe(0)
  })

  it('a recording of other cases is refused before anything is played', async () => {
    const cwd = simple()
    await record(cwd, args)
    const { exitCode, output } = await replay(cwd, ['-i', 'other.jsonl', '-n', './agent.mjs'])
    expect(exitCode).toBe(2)
    expect(output).toContain(
      'calls.jsonl is a recording of other cases: it has 1 case, such as cases.jsonl:a, with agent.mjs',
    )
  })

  it('a line that was changed by hand is refused with its number', async () => {
    const cwd = simple()
    await record(cwd, args)
    const path = join(cwd, 'calls.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('you said: x', 'you said: y'))
    const { exitCode, output } = await replay(cwd, args)
    expect(exitCode).toBe(2)
    expect(output).toContain('calls.jsonl:2 is damaged, or was changed by hand')
  })

  it('a torn last line is left out with a warning, and its case is missing', async () => {
    const cwd = simple()
    const both = ['-i', 'cases.jsonl', '-i', 'other.jsonl', '-n', './agent.mjs']
    await record(cwd, both)
    const path = join(cwd, 'calls.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -20))
    const torn = await replay(cwd, both)
    expect(torn.exitCode).toBe(2)
    expect(torn.output).toContain('the last line is incomplete and is left out')
    expect(torn.output).toContain('calls.jsonl has no recording of b')
    expect((await replay(cwd, [...both, '--replay-missing', 'live'])).exitCode).toBe(0)
    expect((await replay(cwd, both)).exitCode).toBe(0)
  })

  it('a recording of a newer version is refused', async () => {
    const cwd = simple()
    writeFileSync(
      join(cwd, 'calls.jsonl'),
      '{"type":"recording","schema_version":99,"viva_version":"9.0.0"}\n',
    )
    const { exitCode, output } = await replay(cwd, args)
    expect(exitCode).toBe(2)
    expect(output).toContain('calls.jsonl was recorded by viva 9.0.0, which is newer than this one')
  })

  it('a recording of version 1, with a retry, a session, scripts and a judge, stays readable', async () => {
    const cwd = project()
    cpSync(join(repository, 'test/fixtures/recorded'), cwd, { recursive: true })
    const replayed = ['-i', 'cases.jsonl', '-n', 'bot', '--replay', 'version-1.recording']
    const { exitCode, lines, output } = await run(cwd, replayed)
    expect(exitCode, output).toBe(0)
    expect(lines).toMatchObject([
      {
        status: 'passed',
        turns: [{ output: 'new' }, { output: 'known' }],
        usage: { agent: { replayed_calls: 3, retries: 1 }, judge: { replayed_calls: 1 } },
      },
    ])
    const listed = await viva(['recording', 'list', 'version-1.recording'], { cwd })
    expect(listed.stdout).toContain('1 case, 1 play, 5 calls (2 script, 2 agent, 1 judge)')
  })

  it('a recording that is a folder is refused by its name', async () => {
    const cwd = simple()
    for (const folder of ['.', 'kept']) {
      mkdirSync(join(cwd, folder), { recursive: true })
      const { exitCode, output } = await run(cwd, [...args, '--record', folder])
      expect(output).toContain(`--record ${folder}: it is a folder`)
      expect(exitCode).toBe(2)
    }
  })

  it('a recording that cannot be written ends the run before it starts, with exit code 3', async () => {
    const cwd = simple()
    const { exitCode, output } = await run(cwd, [...args, '--record', '/proc/calls.jsonl'])
    expect(exitCode).toBe(3)
    expect(output).toContain('/proc/calls.jsonl cannot be written')
  })

  it('more retries than were recorded are not an infrastructure error', async () => {
    const cwd = project({
      'agent.mjs': 'export default () => { throw new Error("no") }\n',
      'cases.jsonl': jsonl({ id: 'a', input: 'x' }),
    })
    await record(cwd, args)
    const { exitCode, lines } = await replay(cwd, [...args, '--retries', '2'])
    expect(exitCode).toBe(1)
    expect(lines.map(({ attempt, error_kind }) => `${attempt} ${error_kind}`)).toEqual(['1 agent_error'])
  })

  it('a run that had no recording can be resumed with one', async () => {
    const cwd = simple()
    const { path } = await run(cwd, args)
    const both = ['-i', 'cases.jsonl', '-i', 'other.jsonl', '-n', './agent.mjs']
    const resumed = await viva(['test', ...both, '--resume', path, '--record', 'rest.rec'], { cwd })
    expect(resumed.exitCode).toBe(0)
    expect(readFileSync(join(cwd, 'rest.rec'), 'utf8')).toContain('"id":"b"')
  })

  it('a replayed run is not resumed by a live one', async () => {
    const cwd = simple()
    await record(cwd, args)
    const { path } = await replay(cwd, args)
    const { exitCode, output } = await run(cwd, [...args, '--resume', path])
    expect(exitCode).toBe(2)
    expect(output).toContain('its results are')
  })

  it('an interrupted recording goes on with --resume in the same file', async () => {
    const cwd = simple()
    const both = ['-i', 'cases.jsonl', '-i', 'other.jsonl', '-n', './agent.mjs']
    await record(cwd, args)
    writeFileSync(join(cwd, 'half.jsonl'), '')
    const first = await viva(['test', ...both, '-o', 'half.jsonl', '--record', 'half.rec', '--run', '^a$'], {
      cwd,
    })
    expect(first.exitCode).toBe(0)
    const resumed = await viva(['test', ...both, '--resume', 'half.jsonl', '--record', 'half.rec'], { cwd })
    expect(resumed.exitCode).toBe(0)
    const replayed = await run(cwd, [...both, '--replay', 'half.rec'])
    expect(statuses(replayed.lines)).toEqual({ a: 'passed', b: 'passed' })
  })
})

function scripted(rules: object[]): string {
  return JSON.stringify({ type: 'scripted', options: { rules } })
}

/** Waits before a retry are random, and what viva itself takes differs. */
function withoutWaits(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result).replace(/\b\d+(\.\d+)? ?m?s\b/g, '0ms'))
}
