import type { ToolCall } from '../results/transcript/message.ts'
import { isToolName } from '../text/tool-name.ts'
import { compileArguments } from './argument-match.ts'
import type { ExpectedCall } from './tool-fields.ts'

export interface Expectation {
  call: ExpectedCall
  /** How actual arguments differ from the expected ones. */
  misses: (actual: unknown) => string[]
}

export function compileCall(call: ExpectedCall): Expectation {
  return { call, misses: call.arguments === undefined ? () => [] : compileArguments(call.arguments) }
}

export function toExpectedCall({ name, arguments: written }: ToolCall): ExpectedCall {
  return { name, arguments: written }
}

export function meetsExpectation(actual: ToolCall, { call, misses }: Expectation): boolean {
  return isToolName(actual.name, call.name) && misses(actual.arguments).length === 0
}
