import { isRecord } from '../../../json/json.ts'
import type { Data } from '../../../results/transcript/message.ts'

/**
 * Agents and models of the AI SDK are recognized by their shape: the objects are the user's, so the SDK itself is not
 * needed here, and any copy of it works.
 */
export interface SdkAgent {
  version: 'agent-v1'
  generate(options: Data): PromiseLike<unknown>
  tools?: unknown
  /** Private to the SDK; `prepareCall` may replace the tools. */
  settings?: unknown
}

export interface SdkModel {
  specificationVersion: string
  modelId?: unknown
  doGenerate(options: Data): PromiseLike<unknown>
}

export function isSdkAgent(value: unknown): value is SdkAgent {
  return isRecord(value) && value.version === 'agent-v1' && typeof value.generate === 'function'
}

export function isSdkModel(value: unknown): value is SdkModel {
  return (
    isRecord(value) &&
    typeof value.specificationVersion === 'string' &&
    typeof value.doGenerate === 'function'
  )
}
