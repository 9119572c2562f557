import { toJson } from '../json.ts'
import type { ScriptCall } from '../script-call.ts'
import { askAgent } from './agent.ts'
import { askAiSdk } from './ai-sdk.ts'
import { callFunction } from './call.ts'
import { readCases } from './cases.ts'
import { readData } from './data.ts'
import { inspect } from './inspect.ts'

const replyRules = { whole: 'the reply', rule: 'an agent must answer with JSON data' }

/** The kinds of call, each in its file. Gives the result as JSON. */
export async function perform(call: ScriptCall, signal: AbortSignal): Promise<string | undefined> {
  switch (call.kind) {
    case 'data':
      return readData(call)
    case 'cases':
      return readCases(call)
    case 'inspect':
      return JSON.stringify(await inspect(call))
    case 'agent':
      return toJson(await askAgent(call, signal), replyRules)
    case 'ai_sdk':
      return toJson(await askAiSdk(call, signal), replyRules)
    case 'call':
      return toJson(await callFunction(call), { whole: 'the result', rule: 'a script must return JSON data' })
  }
}
