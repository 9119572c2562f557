import { isRecord } from '../../../json/json.ts'
import type { CallOf, Inspection } from '../../protocol/script-call.ts'
import type { Bridge } from '../bridge.ts'
import { isFunction } from '../is-function.ts'
import {
  describeExport,
  type Exports,
  findExport,
  findFunctionExport,
  LoadError,
  loadModule,
} from '../load.ts'
import { requestingCall } from '../running-call.ts'
import { typeWords } from '../type-words.ts'
import { classifyAiSdk, findAiSdkProblem, isAiSdk } from './ai-sdk.ts'
import { createReportUsage } from './report-usage.ts'
import { answerAs, createWrapTools } from './wrap-tools.ts'

/** Calls an agent written as a module: a function `(input, ctx)`, or an object with such a method `execute`. */
export async function askAgent(call: CallOf<'agent'>, signal: AbortSignal, bridge: Bridge): Promise<unknown> {
  const answer = findAnswerFunction(await loadModule(call.file), call.export, call.file)
  const caller = bridge.toolCaller(requestingCall())
  const tools = createWrapTools(caller)
  const usage = createReportUsage(caller)
  const context = Object.freeze({ ...deepFreeze(call.context), signal, tools, usage })
  return await answerAs(caller, () => answer(call.input, context))
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
  return classifyAiSdk(value)
}

/** Whether a function has at most one plain parameter, and no other way to its arguments. */
const oneParameter =
  /^(?:async\s+)?(?:function\s*)?(?:[\w$]+\s*)?(?:\(\s*[\w$]*\s*\)\s*(?:=>|\{)|[\w$]+\s*=>)(?![\s\S]*(?:\barguments\b|\[native code\]))/

export function ignoresContext(value: unknown): boolean {
  const callee = isRecord(value) ? value.execute : value
  return isFunction(callee) && oneParameter.test(Function.prototype.toString.call(callee))
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
