import type { Key } from '../results/key.ts'
import type { Role } from '../results/usage.ts'
import { zonedNow } from '../text/zoned-time.ts'
import type { Activation } from './activation.ts'
import { type Context, emptyMemory } from './context.ts'
import type { Scope } from './scope.ts'
import { Stop } from './stop.ts'

/** The options of `createPlainScope`. */
export interface PlainScopeOptions {
  key?: Partial<Key>
  context?: Partial<Context>
  role?: Role
  activation?: Activation
  /** Milliseconds since the epoch. Default: never. */
  deadline?: number
  signal?: AbortSignal
  /** Receives every line that is logged. */
  log?: (text: string) => void
}

/**
 * Creates a scope for calling a model, agent or tool outside a run. Its `exchange` makes one attempt, without retries,
 * and does not count usage. The deadline is not enforced: to end a call, abort the signal.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createScriptedProvider } from 'vivavoce'
 * import { createPlainScope } from 'vivavoce/testing'
 *
 * const logged: string[] = []
 * const scope = createPlainScope({ key: { id: 'greeting' }, log: (text) => logged.push(text) })
 * scope.log(`asking for ${scope.key.id}`)
 * const model = createScriptedProvider(['Hello!'])
 * const reply = await model.generate({ messages: [], tools: [], settings: {} }, scope)
 * assert.deepEqual([reply.content, ...logged], ['Hello!', 'asking for greeting'])
 */
export function createPlainScope({ signal, ...options }: PlainScopeOptions = {}): Scope {
  const stop = signal === undefined ? new Stop() : Stop.by(signal)
  return createScope(options, stop, () => signal ?? stop.signal)
}

/** Scopes of the same conversation share the stop: nobody would remove the listeners of others. */
function createScope(
  options: Omit<PlainScopeOptions, 'signal'>,
  stop: Stop,
  readSignal: () => AbortSignal,
): Scope {
  const deadline = options.deadline ?? Number.POSITIVE_INFINITY
  const scope: Scope = {
    key: { file: '', id: 'plain', variant: '', run: 1, attempt: 1, ...options.key },
    context: { ...plainContext(), ...options.context },
    role: options.role ?? 'agent',
    activation: options.activation,
    deadline,
    stop,
    get signal() {
      return readSignal()
    },
    child(role, timeoutMs = Number.POSITIVE_INFINITY, context?) {
      const narrower = { ...options, role, deadline: Math.min(deadline, Date.now() + timeoutMs) }
      return createScope(context === undefined ? narrower : { ...narrower, context }, stop, readSignal)
    },
    within(activation, ended) {
      const either = Stop.by(stop)
      either.follow(ended)
      return createScope({ ...options, activation }, either, () => either.signal)
    },
    exchange: ({ perform }) => perform(stop, scope),
    now: zonedNow,
    newSessionId: () => crypto.randomUUID(),
    clock: () => performance.now(),
    timeReply() {
      const started = performance.now()
      return () => performance.now() - started
    },
    standStill: (work) => work(stop),
    refund: () => {},
    extend: () => {},
    countAnswer: () => {},
    log: (text) => options.log?.(text),
  }
  return scope
}

function plainContext(): Context {
  return {
    sessionId: crypto.randomUUID(),
    userId: 'test-user',
    teamId: 'test-team',
    locale: 'en-us',
    referer: 'test',
    accept: 'standard',
    client: { type: 'test', ip: '127.0.0.1' },
    agentId: '',
    metadata: {},
    authorized: {},
    variables: {},
    memory: emptyMemory(),
  }
}
