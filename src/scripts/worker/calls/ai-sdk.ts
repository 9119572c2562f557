import { isRecord } from '../../../json/json.ts'
import type { Data } from '../../../results/transcript/message.ts'
import type { CallOf } from '../../protocol/script-call.ts'
import type { Bridge } from '../bridge.ts'
import { describeExport, findExport, LoadError, loadModule } from '../load.ts'
import { requestingCall } from '../running-call.ts'
import { aiSdkReply, readModelReply } from './ai-sdk-reply.ts'
import { isSdkAgent, isSdkModel, type SdkAgent, type SdkModel } from './ai-sdk-shape.ts'
import { executeTool } from './execute-tool.ts'
import { generate, listAgentTools } from './generate.ts'
import { isExecuted } from './wrap-tools.ts'

export function classifyAiSdk(value: SdkAgent | SdkModel): 'ai_sdk' | 'ai_sdk_model' {
  return isSdkAgent(value) ? 'ai_sdk' : 'ai_sdk_model'
}

export function isAiSdk(value: unknown): value is SdkAgent | SdkModel {
  return isSdkAgent(value) || isSdkModel(value)
}

/** Undefined when its version is supported. */
export function findAiSdkProblem(value: SdkAgent | SdkModel): string | undefined {
  if (!isSdkModel(value) || ['v2', 'v3'].includes(value.specificationVersion)) return undefined
  return `is an AI SDK model of specification ${value.specificationVersion}: only v2 and v3 are supported (ai 5 and 6)`
}

/** The tools of an agent that can be wrapped. Undefined where they are chosen for each call, or where there is no agent. */
export function listAiSdkTools(value: unknown): string[] | undefined {
  return isSdkAgent(value) ? listAgentTools(value) : undefined
}

export async function askAiSdk(
  call: CallOf<'ai_sdk'>,
  abortSignal: AbortSignal,
  bridge: Bridge,
): Promise<Data> {
  const { file, export: name, messages, options, settings } = call
  const value = findExport(await loadModule(file), name, file)
  if (isSdkAgent(value)) {
    const given = { ...settings, messages, options, abortSignal }
    return aiSdkReply(await generate(value, given, bridge.toolCaller(requestingCall())))
  }
  if (isSdkModel(value))
    return readModelReply(
      await value.doGenerate({ ...settings, prompt: messages.map(parseFileUrls), abortSignal }),
      value.modelId,
    )
  throw new LoadError(file, `${describeExport(name)} is not an AI SDK agent or model`)
}

/** Calls a tool of an agent as the agent does, for a check. */
export async function callAiSdkTool(
  { file, export: name, tool, args }: CallOf<'ai_sdk_tool'>,
  abortSignal: AbortSignal,
): Promise<unknown> {
  const value = findExport(await loadModule(file), name, file)
  const found = isSdkAgent(value) && isRecord(value.tools) ? value.tools[tool] : undefined
  if (!isExecuted(found)) throw new LoadError(file, `${describeExport(name)} has no tool ${tool}`)
  return executeTool(found, tool, args, { toolCallId: crypto.randomUUID(), messages: [], abortSignal })
}

/** For a model, text is base64 data, and a URL must be an object. */
function parseFileUrls(message: Data): Data {
  if (!Array.isArray(message.content)) return message
  const content = message.content.map((part: Data) => {
    const isUrl = part.type === 'file' && URL.canParse(String(part.data))
    return isUrl ? { ...part, data: new URL(String(part.data)) } : part
  })
  return { ...message, content }
}
