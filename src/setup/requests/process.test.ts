import { afterAll, describe, expect, it } from 'vitest'
import type { Agent, TurnRequest } from '../../agents/agent.ts'
import { ConfigError } from '../../errors.ts'
import { createNetwork } from '../../models/network/network.ts'
import { activate } from '../../scope/activation.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { Scope } from '../../scope/scope.ts'
import { toWireContext } from '../../scripts/protocol/context-data.ts'
import type { ScriptCall, ScriptHost } from '../../scripts/runner/script-host.ts'
import type { AskedFor } from './asked-for.ts'
import { runProcess } from './process.ts'

const network = createNetwork({ connections: 1 })
afterAll(() => network.close())

interface Sent {
  request: TurnRequest
  scope: Scope
}

/** A project with one agent that echoes, some scripts and stubs. */
function project(history: Agent['history'] = 'given') {
  const sent: Sent[] = []
  const called: ScriptCall[] = []
  let open = 0
  const echo: Agent = {
    id: 'echo',
    input: 'messages',
    history,
    tools: 'hidden',
    open: async (scope) => {
      open += 1
      return {
        async send(request) {
          sent.push({ request, scope })
          const content = `echo: ${String(request.input.value)}`
          return { output: content, content, messages: [], toolCalls: 'hidden' }
        },
        async close() {
          open -= 1
        },
      }
    },
  }
  const scripts: ScriptHost = {
    surroundings: { answering: { answer: async () => undefined }, listedSecrets: [], env: {}, cwd: '' },
    serving: () => scripts,
    call: async (call) => {
      called.push(call)
      return 'from the script'
    },
    release: () => {},
    close: async () => {},
  }
  const askedFor: AskedFor = {
    async agent(id) {
      if (id === 'echo' || id === 'tools.echo') return echo
      throw new ConfigError({ code: 'unknown_agent', message: `unknown agent "${id}"` })
    },
    validator: () => Promise.reject(new Error('there are no validators')),
    agentIds: () => ['echo'],
    connectors: {
      ids: () => [],
      named: (flag) => flag,
      problem: () => undefined,
      model: () => {
        throw new Error('there are no models')
      },
      idOf: (id) => id,
      typeOf: () => undefined,
      written: () => {
        throw new Error('there are no models')
      },
      standard: () => undefined,
      addressOf: () => undefined,
      secrets: () => [],
    },
    toolServers: {
      ids: () => [],
      server: () => {
        throw new Error('there are no tools')
      },
      written: () => {
        throw new Error('there are no tools')
      },
      belongsTo: () => 'case',
      module: () => {
        throw new Error('no modules here')
      },
      oneAtATime: () => false,
      expect: () => {},
      notices: () => [],
      secrets: () => [],
      close: async () => {},
    },
    scripts,
    files: {
      ofProcess: (name) =>
        name === 'scripts.math.Double' ? { file: '/app/scripts/math.ts', function: 'Double' } : undefined,
      processNames: () => ['scripts.math'],
    },
    network,
    processes: {
      'models.user.Find': { result: { id: 7 } },
      'models.user.Nothing': { result: undefined },
      'models.user.Bad': { error: 'gone' },
      'scripts.stubbed.Fn': { result: 'stub' },
      'agents.stubbed.Stream': { result: 'stub' },
    },
  }
  const run = (name: string, args: unknown[] = [], scope: Scope = createPlainScope()) =>
    runProcess({ kind: 'process', name, args }, askedFor, scope)
  return { run, sent, called, sessions: () => open }
}

describe('a process', () => {
  it('may stand in the config, before scripts and agents', async () => {
    const { run } = project()
    expect(await run('models.user.Find')).toEqual({ id: 7 })
    expect(await run('models.user.Nothing')).toBeUndefined()
    expect(await run('scripts.stubbed.Fn')).toBe('stub')
    expect(await run('agents.stubbed.Stream')).toBe('stub')
    await expect(run('models.user.Bad')).rejects.toThrow('gone')
  })

  it('that the config answers for is in the log, and one that a mock does is not', async () => {
    const { run } = project()
    const lines: string[] = []
    const activation = activate('TestIt', undefined)
    activation.mocks.set('models.user.Nothing', async () => 1)
    const scope = createPlainScope({ activation, log: (line) => lines.push(line) })
    await run('models.user.Find', [], scope)
    await run('models.user.Nothing', [], scope)
    await run('models.user.Bad', [], scope).catch(() => {})
    expect(lines).toEqual([
      'Process models.user.Find: answered by viva.config',
      'Process models.user.Bad: answered by viva.config',
    ])
  })

  it('may be a function of the app', async () => {
    const { run, called } = project()
    expect(await run('scripts.math.Double', [1, { a: 2 }])).toBe('from the script')
    expect(called).toEqual([
      { kind: 'script', file: '/app/scripts/math.ts', function: 'Double', args: [1, { a: 2 }] },
    ])
  })

  it('may be mocked, whatever else it is', async () => {
    const { run, called } = project()
    const activation = activate('TestIt', undefined)
    const scope = createPlainScope({ activation })
    for (const name of [
      'scripts.math.Double',
      'models.user.Find',
      'agents.echo.Stream',
      'agent.Call',
      'no.such',
    ])
      activation.mocks.set(name, async (args, caller) => ['mock', args, caller.name])
    for (const name of activation.mocks.keys())
      expect(await run(name, [1], scope)).toEqual(['mock', [1], 'TestIt'])
    expect(called).toEqual([])
    expect(await run('models.user.Find', [1])).toEqual({ id: 7 })
  })

  it.each(['__proto__', 'constructor', 'toString', '', '\n', 'agents..Stream', 'agents.Stream'])(
    'that is not there names itself: %j',
    async (name) => {
      const { run } = project()
      await expect(run(name)).rejects.toThrow(`unknown process "${name}"`)
    },
  )

  it('may be a request, unless something stands in for it', async () => {
    const { run } = project()
    expect(await run('http.Get', ['ftp://a/'])).toMatchObject({
      code: 0,
      message: expect.stringContaining('ftp://a/'),
    })
    const activation = activate('TestIt', undefined)
    activation.mocks.set('http.Get', async () => 'mocked')
    expect(await run('http.Get', ['http://a/'], createPlainScope({ activation }))).toBe('mocked')
  })

  it.each([
    'ctx.search.Web',
    'models.pet.Find',
    'http.Stream',
    'utils.str.UUID',
    'Models.pet.Find',
    'model.list',
    'agent.List',
    'attachment.Read',
    'job.Push',
    'llm.ChatCompletions',
    'mcpclient.List',
    'otp.Create',
    'pipe.Run',
    'seeds.Import',
    'setting.Get',
    'user.team.Get',
    'widget.Models',
    'text.Extract',
  ])('of the engine says so: %s', async (name) => {
    const { run } = project()
    const error = run(name)
    await expect(error).rejects.toThrow('is a service of the Yao engine, which viva does not have')
    await expect(error).rejects.toThrow(`t.mock("${name}", (...args) => ({}))`)
    await expect(error).rejects.toThrow(`processes: { "${name}": { result: {} } }`)
  })

  it('that nobody knows is not of the engine', async () => {
    const { run } = project()
    for (const name of ['models', 'scripts.pet.Find', 'mine.Find'])
      await expect(run(name)).rejects.toThrow('viva has no such process')
  })

  it('that is not there is told with a near one, and with the lines that stand in for it', async () => {
    const { run } = project()
    await expect(run('models.user.Fnid')).rejects.toThrow(/\(did you mean "models\.user\.Find"\?\)/)
    await expect(run('agents.ecko.Straem')).rejects.toThrow('did you mean "agents.echo.Stream"')
    await expect(run('a "quoted" one')).rejects.toThrow('t.mock("a \\"quoted\\" one", (...args) => ({}))')
  })
})

describe('an agent as a process', () => {
  it.each<[string, string, unknown[]]>([
    ['by its name', 'agents.echo.Stream', ['hi']],
    ['by a name of several parts', 'agents.tools.echo.Stream', ['hi']],
    ['with the ctx first', 'agents.echo.Stream', [toWireContext(createPlainScope().context), 'hi']],
    ['in messages', 'agents.echo.Stream', [[{ role: 'user', content: 'hi' }]]],
    ['by agent.Call', 'agent.Call', ['echo', 'hi']],
    [
      'by agent.Call with the ctx first',
      'agent.Call',
      [toWireContext(createPlainScope().context), 'echo', 'hi'],
    ],
  ])('is asked %s', async (_, name, args) => {
    const { run, sessions } = project()
    expect(await run(name, args)).toEqual({ content: 'echo: hi', output: 'echo: hi', tool_calls: null })
    expect(sessions()).toBe(0)
  })

  it('is given the history, options, and who asks', async () => {
    const { run, sent } = project()
    const scope = createPlainScope({ context: { metadata: { of: 'case' }, variables: { a: 1 } } })
    const context = { ...toWireContext(scope.context), userId: 'eve', metadata: { own: true } }
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ]
    await run('agents.echo.Stream', [context, messages, { metadata: { more: 1 }, seed: 2 }], scope)
    expect(sent[0]?.request).toMatchObject({
      input: { value: 'c' },
      view: { history: messages.slice(0, 2), turns: [] },
      options: { seed: 2, metadata: { own: true, more: 1 } },
    })
    const { context: asking } = sent[0]?.scope ?? scope
    expect(asking).toMatchObject({ userId: 'eve', authorized: { user_id: 'eve' } })
    expect(asking.sessionId).not.toBe(scope.context.sessionId)
    expect(asking.variables).toBe(scope.context.variables)
  })

  it.each<[string, string, unknown[], string]>([
    ['no such agent', 'agents.nobody.Stream', ['hi'], 'unknown agent "nobody"'],
    ['no id', 'agent.Call', [], 'agent.Call needs the id of an agent'],
    ['no message', 'agents.echo.Stream', [], 'a message has a role'],
    ['nobody’s message', 'agents.echo.Stream', [[{ role: 'assistant', content: 'x' }]], 'must be the user'],
  ])('is not asked with %s', async (_, name, args, message) => {
    const { run, sent } = project()
    await expect(run(name, args)).rejects.toThrow(message)
    expect(sent).toEqual([])
  })

  it('is not given a history that it cannot take', async () => {
    const { run } = project('kept')
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]
    await expect(run('agents.echo.Stream', [messages])).rejects.toThrow('echo cannot be given a history')
  })
})
