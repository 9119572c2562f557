import type { Data } from '../../transcript/message.ts'
import {
  type Exports,
  exportOf,
  functionOf,
  isFunction,
  kindOf,
  loadModule,
  NotLoaded,
  nameOf,
} from '../load.ts'
import type { Inspection } from '../script-call.ts'

interface AgentCall {
  file: string
  export: string
  input: unknown
  context: Data
}

/** An agent written as a module: a function `(input, ctx)`, or an object with such a method `execute`. */
export async function askAgent(call: AgentCall, signal: AbortSignal): Promise<unknown> {
  const { answer } = answerOf(await loadModule(call.file), call.export, call.file)
  return answer(call.input, Object.freeze({ ...deepFreeze(call.context), signal }))
}

interface Answer {
  callable: Inspection['callable']
  answer(input: unknown, context: unknown): unknown
}

export function answerOf(exports: Exports, name: string, file: string): Answer {
  const value = exportOf(exports, name, file)
  if (isFunction(value)) return { callable: 'function', answer: functionOf(exports, name, file) }
  if (typeof value !== 'object' || value === null || !('execute' in value) || !isFunction(value.execute)) {
    const wanted = 'an agent is a function (input, ctx) or an object with a method execute(input, ctx)'
    throw new NotLoaded(file, `${nameOf(name)} is ${kindOf(value)}: ${wanted}`)
  }
  return { callable: 'execute', answer: value.execute.bind(value) }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}
