import { isRecord } from '../../../json/json.ts'
import type { Data } from '../../../results/transcript/message.ts'
import type { CallOf } from '../../protocol/script-call.ts'
import { isFunction } from '../is-function.ts'
import { describeExport, findExport, LoadError, loadModule } from '../load.ts'
import { aiSdkReply, readModelReply } from './ai-sdk-reply.ts'

/**
 * Agents and models of the AI SDK are recognized by their shape: the objects are the user's, so the SDK itself is not
 * needed here, and any copy of it works.
 */
interface AiSdkAgent {
  version: 'agent-v1'
  generate(options: Data): PromiseLike<unknown>
}

interface AiSdkModel {
  specificationVersion: string
  doGenerate(options: Data): PromiseLike<unknown>
}

export function isAiSdk(value: unknown): value is AiSdkAgent | AiSdkModel {
  return isAgent(value) || isModel(value)
}

function isAgent(value: unknown): value is AiSdkAgent {
  return isRecord(value) && value.version === 'agent-v1' && isFunction(value.generate)
}

function isModel(value: unknown): value is AiSdkModel {
  return isRecord(value) && typeof value.specificationVersion === 'string' && isFunction(value.doGenerate)
}

/** Undefined when its version is supported. */
export function findAiSdkProblem(value: AiSdkAgent | AiSdkModel): string | undefined {
  if (!isModel(value) || ['v2', 'v3'].includes(value.specificationVersion)) return undefined
  return `is an AI SDK model of specification ${value.specificationVersion}: only v2 and v3 are supported (ai 5 and 6)`
}

export async function askAiSdk(call: CallOf<'ai_sdk'>, abortSignal: AbortSignal): Promise<Data> {
  const { file, export: name, messages, options, settings } = call
  const value = findExport(await loadModule(file), name, file)
  if (isAgent(value)) return aiSdkReply(await value.generate({ ...settings, messages, options, abortSignal }))
  if (isModel(value))
    return readModelReply(
      await value.doGenerate({ ...settings, prompt: messages.map(parseFileUrls), abortSignal }),
    )
  throw new LoadError(file, `${describeExport(name)} is not an AI SDK agent or model`)
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
