import { aiSdkMessages } from '../agents/adapters/ai-sdk-messages.ts'
import { toReply } from '../agents/adapters/module-reply.ts'
import { providerError } from '../agents/adapters/provider-error.ts'
import type { TurnRequest } from '../agents/agent.ts'
import { AgentError, errorMessage, InfrastructureError } from '../errors.ts'
import { asJson } from '../json/as-json.ts'
import { listMessages } from '../results/transcript/turn.ts'
import { describeThrown } from '../scripts/protocol/thrown.ts'
import { ScriptThrew } from '../scripts/runner/script-error.ts'
import { aiSdkReply } from '../scripts/worker/calls/ai-sdk-reply.ts'
import type { SdkAgent } from '../scripts/worker/calls/ai-sdk-shape.ts'
import { generate } from '../scripts/worker/calls/generate.ts'
import type { ToolCaller } from '../scripts/worker/calls/wrap-tools.ts'
import type { SuiteAnswer } from './held-values.ts'

/** An agent of the AI SDK (`ToolLoopAgent`), described by its shape, so that the package is not needed. */
export interface AiSdkAgent<Output = unknown> {
  readonly version: 'agent-v1'
  readonly id?: string | undefined
  generate(options: never): PromiseLike<{ readonly output: Output; readonly steps: readonly unknown[] }>
}

/** What an agent of the AI SDK answers: text, unless it was made with an `output`. */
export type AiSdkOutput<Output> = [Output] extends [never] ? string : Output

/** The agent gets the whole conversation, and keeps nothing. */
export async function askAiSdkAgent(
  agent: SdkAgent,
  { input, view }: TurnRequest,
  abortSignal: AbortSignal,
  caller: ToolCaller,
): Promise<SuiteAnswer> {
  const messages = aiSdkMessages([...listMessages(view), input.message])
  try {
    const answer = aiSdkReply(await generate(agent, { messages, abortSignal }, caller))
    // The output may be anything; code of the suite sees it as it is.
    const reply = toReply(asJson(answer))
    return { reply, output: answer.output ?? reply.output }
  } catch (error) {
    throw classifyThrown(error, abortSignal)
  }
}

/** What the code of an agent throws is the agent's failure, unless the AI SDK reports that the model provider failed. */
export function classifyThrown(error: unknown, signal: AbortSignal): Error {
  signal.throwIfAborted()
  if (error instanceof AgentError || error instanceof InfrastructureError) return error
  return (
    providerError(new ScriptThrew(describeThrown(error))) ??
    new AgentError(errorMessage(error), { cause: error })
  )
}
