import type { CallOf, Inspection } from '../../protocol/script-call.ts'
import { isFunction } from '../is-function.ts'
import {
  describeExport,
  type Exports,
  findExport,
  findFunctionExport,
  LoadError,
  loadModule,
  typeWords,
} from '../load.ts'
import { findAiSdkProblem, isAiSdk } from './ai-sdk.ts'

/** Calls an agent written as a module: a function `(input, ctx)`, or an object with such a method `execute`. */
export async function askAgent(call: CallOf<'agent'>, signal: AbortSignal): Promise<unknown> {
  const answer = findAnswerFunction(await loadModule(call.file), call.export, call.file)
  return await answer(call.input, Object.freeze({ ...deepFreeze(call.context), signal }))
}

/** How an export would answer as an agent, found without calling it. */
export function classifyCallable(exports: Exports, name: string, file: string): Inspection['callable'] {
  const value = findExport(exports, name, file)
  if (!isAiSdk(value)) {
    findAnswerFunction(exports, name, file)
    return isFunction(value) ? 'function' : 'execute'
  }
  const problem = findAiSdkProblem(value)
  if (problem !== undefined) throw new LoadError(file, `${describeExport(name)} ${problem}`)
  return 'ai_sdk'
}

function findAnswerFunction(
  exports: Exports,
  name: string,
  file: string,
): (input: unknown, context: unknown) => unknown {
  const value = findExport(exports, name, file)
  if (isFunction(value)) return findFunctionExport(exports, name, file)
  if (typeof value === 'object' && value !== null && 'execute' in value && isFunction(value.execute)) {
    return value.execute.bind(value)
  }
  const wanted =
    'an agent is a function (input, ctx), an object with a method execute(input, ctx), or an AI SDK agent or model'
  throw new LoadError(file, `${describeExport(name)} is ${typeWords(value)}: ${wanted}`)
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}
