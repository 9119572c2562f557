import { inspect } from 'node:util'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Data } from '../../../results/transcript/message.ts'
import { type Context, emptyMemory } from '../../../scope/context.ts'
import { type ContextData, contextMark, isWireContext, toWireContext } from '../../protocol/context-data.ts'
import { toJson } from '../../protocol/json.ts'
import { StateView } from '../../protocol/state.ts'
import { Bridge } from '../bridge.ts'
import { callsInFlight, enterCall, leaveCall } from '../running-call.ts'
import type { createMemory } from './memory.ts'
import { createContext, restoreContexts } from './script-context.ts'

const { port1, port2 } = new MessageChannel()
const bridge = new Bridge(port1, new Int32Array(new SharedArrayBuffer(4)), () => {})

afterEach(() => {
  for (const call of callsInFlight().values()) leaveCall(call)
})
afterAll(() => {
  port1.close()
  port2.close()
})

const caseContext: Context = {
  sessionId: 's1',
  userId: 'ada',
  teamId: 'ops',
  locale: 'de-de',
  referer: 'test',
  accept: 'standard',
  client: { type: 'web', ip: '10.0.0.1', user_agent: 'Mozilla' },
  agentId: 'expense',
  metadata: { plan: 'pro' },
  authorized: { sub: 'ada', user_id: 'ada', team_id: 'ops', constraints: { team_only: true } },
  variables: {},
  memory: emptyMemory(),
}

/** The `ctx` as scripts see it. */
interface Ctx {
  User: { ID: unknown }
  Team: { ID: unknown }
  Locale: unknown
  locale: unknown
  Client: Data
  client: Data
  Metadata: Data
  metadata: Data
  authorized: Data & { constraints?: Data }
  ChatID: unknown
  chat_id: unknown
  AssistantID: unknown
  assistant_id: unknown
  referer: unknown
  variables: Data
  memory: Record<'user' | 'chat', ReturnType<typeof createMemory>>
}

function create(data: ContextData = toWireContext(structuredClone(caseContext))): Ctx {
  return createContext(data, bridge, () => {}) as Ctx
}

/** The `ctx` as another script receives it. */
function received(context: Ctx): Ctx {
  const wire: unknown = JSON.parse(toJson(context, { whole: 'ctx', rule: 'JSON' }) ?? '')
  if (!isWireContext(wire)) throw new Error('it is no ctx any more')
  return create(wire)
}

function share(data: { variables: Data; user: Data }) {
  const state = new StateView(data)
  const nothing = () => {}
  enterCall({
    file: '/app/scripts/a.ts',
    id: 1,
    controller: new AbortController(),
    state,
    tellLoading: nothing,
    print: nothing,
    renewAllowance: nothing,
    report: nothing,
    fail: nothing,
  })
  return state
}

describe('ctx', () => {
  it('says who asks in both spellings', () => {
    const context = create()
    expect([context.User, context.Team, context.Locale, context.Client]).toEqual([
      { ID: 'ada' },
      { ID: 'ops' },
      'de-de',
      { Type: 'web', IP: '10.0.0.1', UserAgent: 'Mozilla' },
    ])
    expect([context.authorized.user_id, context.authorized.team_id, context.locale]).toEqual([
      'ada',
      'ops',
      'de-de',
    ])
    expect([context.client.type, context.client.ip, context.client.user_agent]).toEqual([
      'web',
      '10.0.0.1',
      'Mozilla',
    ])
    expect([context.ChatID, context.chat_id, context.AssistantID, context.assistant_id]).toEqual([
      's1',
      's1',
      'expense',
      'expense',
    ])
    expect(context.Metadata).toBe(context.metadata)
  })

  it('shows its data, but not its methods', () => {
    const shown = inspect(create(), { depth: 9 })
    expect(shown).toContain("user_id: 'ada'")
    for (const method of ['memory', 'Send', 'toJSON', 'mcp', 'trace']) expect(shown).not.toContain(method)
    expect(Object.keys(create())).not.toContain('memory')
  })

  it('has the state that the scripts of its case share', () => {
    const state = share({ variables: { a: 1 }, user: {} })
    const context = create()
    context.variables.b = 2
    context.memory.user.Set('k', 'v')
    expect(state.changes()).toEqual([
      ['variables', 'b', 2],
      ['user', 'k', 'v'],
    ])
    state.apply([['user', 'k', 'w']])
    expect(context.memory.user.Get('k')).toBe('w')
  })

  it('can be used when nothing is shared', () => {
    const context = create()
    expect(context.variables).toEqual({})
    expect(context.memory.chat.Get('a')).toBeNull()
  })
})

describe('a ctx that is passed on', () => {
  it('arrives unchanged', () => {
    const context = create()
    expect(JSON.parse(JSON.stringify(received(context)))).toEqual(JSON.parse(JSON.stringify(context)))
    expect(Object.entries(received(context))).toEqual(Object.entries(context))
  })

  it('can be serialized to JSON by a script', () => {
    const json = JSON.parse(JSON.stringify({ deep: [create()] })) as { deep: Data[] }
    expect(json.deep[0]).toMatchObject({ [contextMark]: true, userId: 'ada', metadata: { plan: 'pro' } })
  })

  it.each<[string, (context: Ctx) => unknown, (context: Ctx) => unknown, unknown]>([
    ['User.ID', (context) => Object.assign(context.User, { ID: 'eve' }), ({ User }) => User.ID, 'eve'],
    ['User', (context) => Object.assign(context, { User: { ID: 'eve' } }), ({ User }) => User.ID, 'eve'],
    ['no User', (context) => Object.assign(context, { User: null }), ({ User }) => User.ID, ''],
    [
      'authorized.user_id',
      (context) => Object.assign(context.authorized, { user_id: 'eve' }),
      ({ User }) => User.ID,
      'eve',
    ],
    [
      'authorized',
      (context) => Object.assign(context, { authorized: { user_id: 'eve' } }),
      ({ User, Team }) => [User.ID, Team.ID],
      ['eve', 'ops'],
    ],
    [
      'no authorized',
      (context) => Reflect.deleteProperty(context, 'authorized'),
      ({ User, authorized }) => [User.ID, authorized],
      ['ada', { user_id: 'ada', team_id: 'ops' }],
    ],
    ['Team.ID', (context) => Object.assign(context.Team, { ID: 'dev' }), ({ Team }) => Team.ID, 'dev'],
    [
      'authorized.team_id',
      (context) => Object.assign(context.authorized, { team_id: 'dev' }),
      ({ Team }) => Team.ID,
      'dev',
    ],
    ['no Team', (context) => Object.assign(context, { Team: undefined }), ({ Team }) => Team.ID, ''],
    [
      'Locale',
      (context) => Object.assign(context, { Locale: 'fr' }),
      ({ locale, Locale }) => [locale, Locale],
      ['fr', 'fr'],
    ],
    [
      'locale',
      (context) => Object.assign(context, { locale: 'fr' }),
      ({ locale, Locale }) => [locale, Locale],
      ['fr', 'fr'],
    ],
    ['ChatID', (context) => Object.assign(context, { ChatID: 's2' }), ({ chat_id }) => chat_id, 's2'],
    ['chat_id', (context) => Object.assign(context, { chat_id: 's2' }), ({ ChatID }) => ChatID, 's2'],
    [
      'AssistantID',
      (context) => Object.assign(context, { AssistantID: 'b' }),
      ({ assistant_id }) => assistant_id,
      'b',
    ],
    [
      'Metadata',
      (context) => Object.assign(context, { Metadata: { a: 1 } }),
      ({ metadata }) => metadata,
      { a: 1 },
    ],
    [
      'metadata',
      (context) => Object.assign(context, { metadata: { a: 1 } }),
      ({ Metadata }) => Metadata,
      { a: 1 },
    ],
    [
      'metadata.a',
      (context) => Object.assign(context.metadata, { a: 1 }),
      ({ Metadata }) => Metadata,
      { plan: 'pro', a: 1 },
    ],
    [
      'no metadata',
      (context) => Object.assign(context, { metadata: null }),
      ({ metadata }) => metadata,
      { plan: 'pro' },
    ],
    [
      'Client.IP',
      (context) => Object.assign(context.Client, { IP: '::1' }),
      ({ client }) => client.ip,
      '::1',
    ],
    [
      'client.ip',
      (context) => Object.assign(context.client, { ip: '::1' }),
      ({ Client }) => Client.IP,
      '::1',
    ],
    [
      'Client.UserAgent',
      (context) => Object.assign(context.Client, { UserAgent: 'x' }),
      ({ client }) => client.user_agent,
      'x',
    ],
    [
      'client',
      (context) => Object.assign(context, { client: { type: 'cli' } }),
      ({ Client }) => Client.Type,
      'cli',
    ],
    ['no client', (context) => Object.assign(context, { client: null }), ({ Client }) => Client.Type, 'web'],
    ['referer', (context) => Object.assign(context, { referer: 'x' }), ({ referer }) => referer, 'x'],
    ['a number', (context) => Object.assign(context.User, { ID: 7 }), ({ User }) => User.ID, '7'],
  ])('arrives with the change of %s', (_, change, look, expected) => {
    const context = create()
    change(context)
    expect(look(received(context))).toEqual(expected)
  })

  it('arrives with a user that only one spelling had', () => {
    const context = create({ ...toWireContext(caseContext), authorized: {} })
    context.User.ID = 'eve'
    expect(received(context).User.ID).toBe('eve')
  })

  it('is a copy: changes there do not appear here', () => {
    const context = create()
    const there = received(context)
    there.metadata.plan = 'free'
    Object.assign(there.authorized.constraints ?? {}, { team_only: false })
    expect([context.metadata.plan, context.authorized.constraints]).toEqual(['pro', { team_only: true }])
  })

  it('is told apart from all other data', () => {
    for (const value of [null, undefined, 1, 'x', [], {}, { [contextMark]: 1 }, { [contextMark]: 'true' }])
      expect(isWireContext(value)).toBe(false)
    const args = ['text', null, { a: toWireContext(caseContext) }, toWireContext(caseContext)]
    const [text, nothing, deep, context] = restoreContexts(args, bridge, () => {})
    expect([text, nothing, deep]).toEqual(args.slice(0, 3))
    expect(context).toMatchObject({ User: { ID: 'ada' } })
  })
})

describe('the ctx of a case that is sent to a script', () => {
  it('has the options of the call, whose metadata override its own', () => {
    const options = { mode: 'chat', metadata: { plan: 'free', min: 1 } }
    const wire = toWireContext(caseContext, options)
    expect(wire.metadata).toEqual({ plan: 'free', min: 1 })
    expect(create(wire)).toMatchObject({ options, metadata: { plan: 'free', min: 1 } })
    expect(create()).not.toHaveProperty('options')
    expect(caseContext.metadata).toEqual({ plan: 'pro' })
    expect(wire).toMatchObject({ assistantId: 'expense', sessionId: 's1' })
    expect(wire).not.toHaveProperty('variables')
  })
})
