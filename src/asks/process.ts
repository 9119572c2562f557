import { WorldError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { Scope } from '../scope/scope.ts'
import type { Ask } from '../scripts/ask.ts'
import { isContextOnWire } from '../scripts/context/context-data.ts'
import { runScript } from '../scripts/run-script.ts'
import { callAgent } from './agents.ts'
import type { AskedFor } from './asked-for.ts'
import { isEngineService } from './engine-services.ts'
import { askHttp } from './http.ts'
import { askMock } from './mock.ts'

/** `Process(name, ...args)`: a mock, what the config says, a request, an agent, or a function of the app. */
export async function runProcess(
  { name, args }: Extract<Ask, { kind: 'process' }>,
  askedFor: AskedFor,
  scope: Scope,
): Promise<unknown> {
  const mocked = await askMock(name, args, scope)
  if (mocked !== undefined) return mocked.answer
  const { standIn } = scope.context
  if (standIn?.replacesProcess(name)) {
    scope.log(`Process ${name}: answered by the case`)
    return standIn.answer(name, args, scope.signal)
  }
  const stub = Object.hasOwn(askedFor.processes, name) ? askedFor.processes[name] : undefined
  if (stub !== undefined) {
    scope.log(`Process ${name}: answered by viva.config`)
    if (stub.error !== undefined) throw new Error(stub.error)
    return stub.result
  }
  const requested = askHttp(name, args, askedFor.network, scope)
  if (requested !== undefined) return requested
  const called = agentCallOf(name, args)
  if (called !== undefined) return callAgent(called, askedFor, scope)
  const script = askedFor.files.ofProcess(name)
  if (script === undefined) throw unknownProcess(name, askedFor)
  const call = { kind: 'script' as const, ...script, args }
  return runScript(askedFor.scripts, call, { name, scope })
}

/** `agents.<id>.Stream(ctx?, messages, options?)` and `agent.Call(ctx?, id, messages, options?)`. */
function agentCallOf(name: string, args: unknown[]) {
  const [context, rest] = isContextOnWire(args[0]) ? [{ context: args[0] }, args.slice(1)] : [{}, args]
  const [, streamed] = /^agents\.(.+)\.Stream$/.exec(name) ?? []
  if (streamed !== undefined) {
    const [messages, options] = rest
    return { id: streamed, messages, options, ...context }
  }
  if (name !== 'agent.Call') return undefined
  const [id, messages, options] = rest
  if (typeof id !== 'string') throw new TypeError('agent.Call needs the id of an agent')
  return { id, messages, options, ...context }
}

/**
 * It names itself, what may have been meant, and the lines that stand in for it. That viva has no engine is not the
 * fault of who asks; any other name is misspelt.
 */
function unknownProcess(name: string, { processes, agentIds, files }: AskedFor): Error {
  const known = [
    ...Object.keys(processes),
    ...agentIds().map((id) => `agents.${id}.Stream`),
    'agent.Call',
    ...files.processNames(),
  ]
  const guess = nearest(name, known)
  const engine = isEngineService(name)
  const what = engine
    ? 'it is a service of the Yao engine, which viva does not have.'
    : 'viva has no such process.'
  const message = [
    `unknown process "${name}"${guess === undefined ? '' : ` (did you mean "${guess}"?)`}: ${what}`,
    'Stub it in a script test:',
    `  t.mock(${JSON.stringify(name)}, (...args) => ({}))`,
    'in a case:',
    `  "stubs": { ${JSON.stringify(name)}: { "result": {} } }`,
    'or for all of them in viva.config.ts:',
    `  processes: { ${JSON.stringify(name)}: { result: {} } }`,
  ].join('\n')
  return engine ? new WorldError('stub', message) : new Error(message)
}
