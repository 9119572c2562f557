import { stringify } from '../../../json/equal/untouched.ts'
import { toJson } from '../../protocol/json.ts'
import type { ScriptCall } from '../../protocol/script-call.ts'
import type { Bridge } from '../bridge.ts'
import { reportLoading } from '../load.ts'
import { askAgent } from './agent.ts'
import { askAiSdk, callAiSdkTool } from './ai-sdk.ts'
import { callFunction } from './call.ts'
import { readCaseModule, readData } from './data.ts'
import { inspect } from './inspect.ts'
import { callModuleTool, listModuleTools } from './module-tools.ts'
import { callScript, findFunction } from './script.ts'
import { indexSuite, playSuiteCase } from './suite.ts'

const replyRules = { whole: 'the reply', rule: 'an agent must answer with JSON data' }
const schemaRules = { whole: 'the tools', rule: 'the schema of a tool must be JSON data' }
const toolRules = { whole: 'the result', rule: 'a tool must return JSON data' }
const resultRules = { whole: 'the result', rule: 'a script must return JSON data' }

/**
 * Performs a call of any kind and returns the result as JSON. Results of user code are awaited where it is called: a bare
 * `return` would use a `then` that the code may have replaced.
 */
export async function perform(
  call: ScriptCall,
  signal: AbortSignal,
  bridge: Bridge,
): Promise<string | undefined> {
  switch (call.kind) {
    case 'data':
      return reportLoading(() => readData(call))
    case 'cases':
      return reportLoading(() => readCaseModule(call))
    case 'suite_index':
      return stringify(await reportLoading(() => indexSuite(call)))
    case 'suite_case':
      return stringify(await playSuiteCase(call, signal))
    case 'inspect':
      return stringify(await reportLoading(() => inspect(call)))
    case 'agent':
      return toJson(await askAgent(call, signal, bridge), replyRules)
    case 'ai_sdk':
      return toJson(await askAiSdk(call, signal, bridge), replyRules)
    case 'ai_sdk_tool':
      return toJson(await callAiSdkTool(call, signal), toolRules)
    case 'tools':
      return toJson(await reportLoading(() => listModuleTools(call)), schemaRules)
    case 'tool':
      return toJson(await callModuleTool(call, signal), toolRules)
    case 'call':
      return toJson(await callFunction(call), resultRules)
    case 'script':
      return toJson(await callScript(call, bridge), resultRules)
    case 'find_function':
      return stringify(await reportLoading(() => findFunction(call)))
    case 'load_tests':
      return stringify(await reportLoading(async () => (await importTests()).loadTests(call)))
    case 'run_tests':
      return stringify(await (await importTests()).runTests(call, bridge))
  }
}

/** Loaded when it is needed: assertions and coverage take a third of the memory of a worker. */
function importTests() {
  return import('./tests.ts')
}
