import { aiSdkMessages } from '../agents/adapters/ai-sdk-messages.ts'
import { toReply } from '../agents/adapters/module-reply.ts'
import type { Agent } from '../agents/agent.ts'
import { ConfigError, errorMessage, InfrastructureError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { createStatusError } from '../models/http-errors.ts'
import type { Model } from '../models/model.ts'
import { readModelReply } from '../scripts/worker/calls/ai-sdk-reply.ts'

/** A language model of the AI SDK, described by its shape, so that the package is not needed. */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
}

/** The model that answers for judges, simulated users and conditions. */
export type Provider = Model | AiSdkModel

/** A model, or an agent of a project that does the work of a judge or a simulated user. */
export type ProviderOrAgent = Provider | Agent

export function isAgent(provider: ProviderOrAgent): provider is Agent {
  return isRecord(provider) && typeof provider.open === 'function'
}

export function toModel(provider: Provider): Model {
  if (isRecord(provider) && typeof provider.generate === 'function') return provider as unknown as Model
  if (isRecord(provider) && typeof provider.doGenerate === 'function')
    return aiSdkModel(provider as unknown as AiSdkModel)
  throw new ConfigError({
    code: 'bad_provider',
    message:
      'a provider must be made by createOpenAIProvider, createAnthropicProvider, createScriptedProvider, or be a model of the AI SDK',
  })
}

function aiSdkModel(model: AiSdkModel): Model {
  return {
    id: model.modelId,
    generate: ({ messages, settings }, scope) =>
      scope.exchange({
        target: `model:${model.modelId}`,
        part: 'model',
        request: { messages, settings },
        perform: async ({ signal: abortSignal }) => {
          const prompt = aiSdkMessages(messages)
          try {
            return toReply(
              readModelReply(await model.doGenerate({ ...settings, prompt, abortSignal } as never)),
            )
          } catch (error) {
            abortSignal.throwIfAborted()
            throw callFailed(error)
          }
        },
        usage: (reply) => reply.usage,
      }),
  }
}

/** Whatever a provider throws, it is not the agent that failed. */
function callFailed(error: unknown): InfrastructureError {
  if (error instanceof InfrastructureError) return error
  const { statusCode: status, isRetryable } = error as { statusCode?: unknown; isRetryable?: unknown }
  const message = errorMessage(error)
  if (typeof status === 'number' && status >= 300)
    return createStatusError(undefined, { status, statusText: '', headers: {} }, message, true)
  return new InfrastructureError('connection', message, { retryable: isRetryable === true, cause: error })
}
