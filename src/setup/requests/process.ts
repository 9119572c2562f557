import { InfrastructureError } from '../../errors.ts'
import { classifyProcess, type ProcessKind } from '../../project/app/processes.ts'
import type { Scope } from '../../scope/scope.ts'
import type { ScriptRequest } from '../../scripts/protocol/ask.ts'
import { isWireContext } from '../../scripts/protocol/context-data.ts'
import { runScript } from '../../scripts/runner/run-script.ts'
import { findNearest } from '../../text/nearest.ts'
import { canonicalProcessName } from '../../text/process-name.ts'
import { callAgent } from './agents.ts'
import type { AskedFor } from './asked-for.ts'
import { askHttp } from './http.ts'
import { askMock } from './mock.ts'
import { askStub } from './stub.ts'

/** `Process(name, ...args)`: a mock, a stub, what the config says, a request, an agent, or a function of the app. */
export async function runProcess(
  ask: Extract<ScriptRequest, { kind: 'process' }>,
  askedFor: AskedFor,
  scope: Scope,
): Promise<unknown> {
  const { args } = ask
  const name = canonicalProcessName(ask.name)
  const mocked = await askMock(name, args, scope)
  if (mocked !== undefined) return mocked.answer
  const stubbed = await askStub(name, args, scope)
  if (stubbed !== undefined) return stubbed.answer
  const found = classifyProcess(name, askedFor)
  switch (found.kind) {
    case 'configured':
      return fromConfig(name, askedFor.processes, scope)
    case 'http':
      return askHttp(name, args, askedFor.network, scope)
    case 'agent':
      return callAgent(parseAgentCall(name, args), askedFor, scope)
    case 'script': {
      const call = { kind: 'script' as const, ...found.script, args }
      return runScript(askedFor.scripts, call, { name, scope })
    }
    default:
      // A script may catch it, and then nothing else would tell.
      scope.log(`Process ${name}: viva does not have it, and it is not stubbed`)
      throw unknownProcess(name, found, askedFor)
  }
}

function fromConfig(name: string, processes: AskedFor['processes'], scope: Scope): unknown {
  const stub = processes[name]
  scope.log(`Process ${name}: answered by viva.config`)
  if (stub?.error !== undefined) throw new Error(stub.error)
  return stub?.result
}

/** `agents.<id>.Stream(ctx?, messages, options?)` and `agent.Call(ctx?, id, messages, options?)`. */
function parseAgentCall(name: string, args: unknown[]) {
  const [context, rest] = isWireContext(args[0]) ? [{ context: args[0] }, args.slice(1)] : [{}, args]
  const [, streamed] = /^agents\.(.+)\.Stream$/.exec(name) ?? []
  if (streamed !== undefined) {
    const [messages, options] = rest
    return { id: streamed, messages, options, ...context }
  }
  const [id, messages, options] = rest
  if (typeof id !== 'string') throw new TypeError('agent.Call needs the id of an agent')
  return { id, messages, options, ...context }
}

/**
 * It names itself, what may have been meant, and the lines that stand in for it. That viva has no engine is not the
 * fault of who asks; any other name is misspelt.
 */
function unknownProcess(name: string, found: ProcessKind, { processes, agentIds, files }: AskedFor): Error {
  const known = [
    ...Object.keys(processes),
    ...agentIds().map((id) => `agents.${id}.Stream`),
    'agent.Call',
    ...files.processNames(),
  ]
  const guess = findNearest(name, known)
  const engine = found.kind === 'engine'
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
    ...withoutMember(name),
  ].join('\n')
  return engine ? new InfrastructureError('stub', message) : new Error(message)
}

/** Code may look whether the engine has given it a sandbox. */
function withoutMember(name: string): string[] {
  const [, member] = /^(ctx\.(?:sandbox|computer|workspace))\./.exec(name) ?? []
  return member === undefined ? [] : ['or test the code without it:', `  ${member} = undefined`]
}
