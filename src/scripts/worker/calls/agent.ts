import type { Data } from '../../../results/transcript/message.ts'
import type { Inspection } from '../../protocol/script-call.ts'
import { isFunction } from '../is-function.ts'
import { type Exports, exportOf, functionOf, loadModule, NotLoaded, nameOf, typeWords } from '../load.ts'
import { aiSdkProblem, isAiSdk } from './ai-sdk.ts'

interface AgentCall {
  file: string
  export: string
  input: unknown
  context: Data
}

/** Calls an agent written as a module: a function `(input, ctx)`, or an object with such a method `execute`. */
export async function askAgent(call: AgentCall, signal: AbortSignal): Promise<unknown> {
  const answer = answerOf(await loadModule(call.file), call.export, call.file)
  return await answer(call.input, Object.freeze({ ...deepFreeze(call.context), signal }))
}

/** How an export would answer as an agent, found without calling it. */
export function callableOf(exports: Exports, name: string, file: string): Inspection['callable'] {
  const value = exportOf(exports, name, file)
  if (!isAiSdk(value)) {
    answerOf(exports, name, file)
    return isFunction(value) ? 'function' : 'execute'
  }
  const problem = aiSdkProblem(value)
  if (problem !== undefined) throw new NotLoaded(file, `${nameOf(name)} ${problem}`)
  return 'ai_sdk'
}

function answerOf(
  exports: Exports,
  name: string,
  file: string,
): (input: unknown, context: unknown) => unknown {
  const value = exportOf(exports, name, file)
  if (isFunction(value)) return functionOf(exports, name, file)
  if (typeof value === 'object' && value !== null && 'execute' in value && isFunction(value.execute)) {
    return value.execute.bind(value)
  }
  const wanted =
    'an agent is a function (input, ctx), an object with a method execute(input, ctx), or an AI SDK agent or model'
  throw new NotLoaded(file, `${nameOf(name)} is ${typeWords(value)}: ${wanted}`)
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}
