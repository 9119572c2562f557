import { errorMessage } from '../../../errors.ts'
import { asJson } from '../../../json/as-json.ts'
import { defined } from '../../../json/defined.ts'
import { isRecord } from '../../../json/json.ts'
import type { Data } from '../../../results/transcript/message.ts'
import type { UnseenCallsEvent } from '../../protocol/wrap-tools.ts'

/** Converts answers of the AI SDK to the form of a module's reply, which is checked where those of all modules are. */

/** What `generate` of an agent resolves to. What is only shown may be anything; the output is left as it is. */
export function aiSdkReply(result: unknown): Data {
  if (!isRecord(result) || !Array.isArray(result.steps)) {
    throw new Error('the AI SDK agent answered without `steps`')
  }
  const { totalUsage, finishReason } = result
  const shown = {
    ...buildReplyFromSteps(result.steps.map(readContent)),
    ...readFinish(finishReason),
    usage: readStepUsage(result.steps) ?? readUsage(totalUsage, readModel(result)),
  }
  return { ...(asJson(shown) as Data), output: readOutput(result) }
}

/** Converts the result of a model's `doGenerate`. `modelId` is the name that it has itself. */
export function readModelReply(result: unknown, modelId?: unknown): Data {
  const { finishReason, usage } = isRecord(result) ? result : {}
  return asJson({
    ...buildReplyFromSteps([readContent(result)]),
    ...readFinish(finishReason),
    usage: readUsage(usage, readModel(result) ?? modelId),
  }) as Data
}

/**
 * The places of tool calls in the reply that the AI SDK has not executed: their arguments are invalid, the user must
 * approve them, or the provider has executed them.
 */
export function listUnseenCalls(result: unknown): Omit<UnseenCallsEvent, 'type'> {
  const steps = isRecord(result) && Array.isArray(result.steps) ? result.steps.map(readContent) : []
  const calls = steps.flatMap((parts) => parts.filter(isToolCall).map((call) => ({ call, parts })))
  const places = (isMeant: (each: (typeof calls)[number]) => boolean) =>
    calls.flatMap((each, place) => (isMeant(each) ? [place] : []))
  return {
    unexecuted: places(({ call, parts }) => isUnexecuted(call, parts)),
    provider: places(({ call }) => call.providerExecuted === true),
  }
}

function isUnexecuted({ toolCallId, invalid }: Data, parts: Data[]): boolean {
  if (invalid === true) return true
  const awaitsApproval = ({ type, toolCall }: Data) =>
    type === 'tool-approval-request' && isRecord(toolCall) && toolCall.toolCallId === toolCallId
  return (
    parts.some(awaitsApproval) && !parts.some((part) => part.toolCallId === toolCallId && !isToolCall(part))
  )
}

function isToolCall({ type }: Data): boolean {
  return type === 'tool-call'
}

/** Each step may be one of another model. */
function readStepUsage(steps: unknown[]): Data[] | undefined {
  const usages = steps.flatMap((step) =>
    isRecord(step) && isRecord(step.usage) ? [readUsage(step.usage, readModel(step))] : [],
  )
  return usages.length === 0 || usages.length < steps.length ? undefined : usages
}

function readModel(answer: unknown): unknown {
  return isRecord(answer) && isRecord(answer.response) ? answer.response.modelId : undefined
}

/** Without what the provider adds: it may be anything. */
function readUsage(usage: unknown, model: unknown): Data {
  const { inputTokens, outputTokens, cachedInputTokens, inputTokenDetails } = isRecord(usage) ? usage : {}
  return defined({ model, inputTokens, outputTokens, cachedInputTokens, inputTokenDetails })
}

/** The getter throws when there is no output. */
function readOutput(result: Data): unknown {
  try {
    return result.output
  } catch {
    return undefined
  }
}

function readContent(step: unknown): Data[] {
  if (isRecord(step) && Array.isArray(step.content)) return step.content.filter(isRecord)
  throw new Error('the AI SDK model answered without `content`: is it a language model?')
}

/** Each step holds the model's text and tool calls, and then the answers of the tools. */
function buildReplyFromSteps(steps: Data[][]): Data {
  const spoken = steps.map((parts) => ({ content: joinText(parts), tool_calls: readCalls(parts) }))
  const messages = spoken.flatMap(({ content, tool_calls }) => [
    { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) },
    ...tool_calls.filter(isAnswered).map(answerMessage),
  ])
  const asks = (steps.at(-1) ?? []).some(({ type }) => type === 'tool-approval-request')
  return {
    content: spoken.at(-1)?.content ?? '',
    tool_calls: spoken.flatMap(({ tool_calls }) => tool_calls),
    messages,
    ...(asks && { awaiting_input: true }),
  }
}

function joinText(parts: Data[]): string {
  return parts.map(({ type, text }) => (type === 'text' ? text : '')).join('')
}

interface Call {
  id: unknown
  name: unknown
  arguments: unknown
  result?: unknown
  error?: string
}

function readCalls(parts: Data[]): Call[] {
  return parts.filter(isToolCall).map(({ toolCallId, toolName, input }) => ({
    id: toolCallId,
    name: toolName,
    arguments: input,
    ...findToolAnswer(parts.filter((part) => part.toolCallId === toolCallId)),
  }))
}

/** An agent calls it `output`, a model whose provider runs the tool `result`. */
function findToolAnswer(parts: Data[]): Pick<Call, 'result' | 'error'> {
  const failed = parts.find(({ type, isError }) => type === 'tool-error' || isError === true)
  if (failed !== undefined) return { error: describeToolError(failed.error ?? failed.result) }
  const answer = parts.find(({ type }) => type === 'tool-result')
  return answer === undefined ? {} : { result: answer.output ?? answer.result ?? null }
}

function isAnswered(call: Call): boolean {
  return 'result' in call || 'error' in call
}

function answerMessage({ id, result, error }: Call): Data {
  return { role: 'tool', tool_call_id: id, content: error === undefined ? result : `Error: ${error}` }
}

function describeToolError(error: unknown): string {
  return isRecord(error) && !(error instanceof Error) ? JSON.stringify(asJson(error)) : errorMessage(error)
}

/** `tool-calls` is what others call `tool_calls`; models of v3 add the provider's own word. */
function readFinish(finishReason: unknown): Data {
  const reason = isRecord(finishReason) ? finishReason.unified : finishReason
  return typeof reason === 'string' ? { finish_reason: reason.replaceAll('-', '_') } : {}
}
