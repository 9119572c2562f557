import { AgentError, errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { textOrJson } from '../../json/json.ts'
import type { Model, ModelRequest } from '../../models/model.ts'
import { type Data, type Message, messageText, type ToolCall } from '../../results/transcript/message.ts'
import type { Reply, TokenUsage } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import { callTool } from '../../tools/call-tool.ts'
import { checkArguments } from '../../tools/check-arguments.ts'
import { repairArguments } from '../../tools/repair-arguments.ts'
import { type Tool, ToolError } from '../../tools/tool.ts'
import { aiSdkMessages } from '../adapters/ai-sdk-messages.ts'
import { refuseStubbedCalls } from '../provider-calls.ts'

export interface ToolLoop {
  agentId: string
  tools: readonly Tool[]
  /** The maximum number of rounds of tool calls per answer. */
  maxTurn: number
  /** The key that sets it, for messages. */
  maxTurnKey: string
  /** If false, there is one round, and its results are the answer. */
  loop: boolean
}

export interface Answered {
  /** All rounds combined into one reply. */
  reply: Reply
  /** The last answer of the model. */
  completion: Reply
  /** The last calls it made, with their results. */
  calls: ToolCall[]
}

/** How often the model may try to get the calls right when there is only one round. */
const maxAttempts = 3

/** Runs the tools that the model calls until it calls no more, and combines everything into one reply. */
export async function answerWithTools(
  toolLoop: ToolLoop,
  model: Model,
  request: Omit<ModelRequest, 'tools'>,
  scope: Scope,
): Promise<Answered> {
  const { agentId, tools, maxTurn, loop } = toolLoop
  const offered = tools.map(describeTool)
  const said: Message[] = []
  const made: ToolCall[] = []
  let usage: TokenUsage | undefined
  let calls: ToolCall[] = []
  for (let round = 1; ; round++) {
    const messages = [...request.messages, ...said]
    const completion = await model.generate({ ...request, messages, tools: offered }, scope)
    usage = addUsage(usage, completion.usage)
    said.push(...completion.messages)
    refuseStubbedCalls(completion, scope)
    const asked = completion.toolCalls === 'hidden' ? [] : completion.toolCalls
    const { providerCalls = [], ...last } = completion
    made.push(...providerCalls)
    const toolCalls = completion.toolCalls === 'hidden' ? completion.toolCalls : made
    const whole = () => ({ ...last, messages: said, toolCalls, ...defined({ usage }) })
    if (asked.length === 0) {
      if (!loop && round > 1) throw new AgentError(notCorrectedMessage(agentId, calls))
      return { reply: whole(), completion, calls }
    }
    if (loop && round > maxTurn) throw new AgentError(tooManyRoundsMessage(toolLoop, asked))
    calls = await callAll(repairCalls(completion, asked, scope), { tools, messages }, scope)
    made.push(...calls)
    said.push(...calls.map(toToolMessage))
    if (loop) continue
    if (calls.every(({ error }) => error === undefined)) {
      const text = completion.content || firstResultMessage(calls)
      const output = text || completion.output
      return { reply: { ...whole(), output, content: text }, completion, calls }
    }
    if (round === maxAttempts) throw new AgentError(notCorrectedMessage(agentId, calls))
  }
}

/** The tools that a model was offered, and the conversation that it answered with calls. */
interface Offer {
  tools: readonly Tool[]
  messages: readonly Message[]
}

/**
 * Runs the calls in parallel, except for tools that share a memory. Waits for all of them, so that none is still running
 * when the case is over.
 */
async function callAll(
  asked: readonly ToolCall[],
  { tools, messages }: Offer,
  scope: Scope,
): Promise<ToolCall[]> {
  const callOne = (call: ToolCall) => callOffered(call, { tools, messages }, scope)
  let before: Promise<unknown> = Promise.resolve()
  const made = asked.map((call) => {
    if (!tools.find(({ name }) => name === call.name)?.inOrder) return callOne(call)
    const own = before.then(() => callOne(call))
    before = own.catch(() => {})
    return own
  })
  const settled = await Promise.allSettled(made)
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Repairs arguments that are almost JSON, as the Yao engine does, unless the answer was cut off. */
function repairCalls({ finishReason }: Reply, asked: readonly ToolCall[], scope: Scope): ToolCall[] {
  return asked.map((call) => {
    if (typeof call.arguments !== 'string' || finishReason === 'length') return call
    const repaired = repairArguments(call.arguments)
    if (repaired !== call.arguments)
      scope.log(`the arguments of ${call.name} were not valid JSON and were repaired`)
    return { ...call, arguments: repaired }
  })
}

/** Errors of the model or the tool go back to the model; all others are thrown. */
async function callOffered(call: ToolCall, { tools, messages }: Offer, scope: Scope): Promise<ToolCall> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const known = tools.length === 0 ? ' none' : `: ${tools.map(({ name }) => name).join(', ')}`
    return { ...call, error: `there is no tool ${call.name}; there are${known}` }
  }
  const fault = checkArguments(tool, call.arguments)
  if (fault !== undefined) return { ...call, error: fault }
  const stubbed = scope.context.standIn?.replaces(tool.name) ? { stubbed: true } : {}
  try {
    const details = { id: call.id, messages: () => aiSdkMessages(withoutSystem(messages)) }
    return { ...call, ...stubbed, result: await callTool(tool, call.arguments, scope, details) }
  } catch (error) {
    if (error instanceof ToolError) return { ...call, ...stubbed, error: errorMessage(error) }
    throw error
  }
}

/** As the AI SDK passes the conversation to a tool. */
function withoutSystem(messages: readonly Message[]): Message[] {
  return messages.filter(({ role }) => role !== 'system')
}

function toToolMessage({ id, name, result, error }: ToolCall): Message {
  const content = error === undefined ? textOrJson(result) : `Error: ${error}`
  return { role: 'tool', toolCallId: id, name, content }
}

/** In the format of the OpenAI API, like the rest of a model request. */
function describeTool({ name, description, inputSchema }: Tool): Data {
  return { type: 'function', function: { name, ...defined({ description }), parameters: inputSchema } }
}

function addUsage(total: TokenUsage | undefined, more: TokenUsage = {}): TokenUsage {
  if (total === undefined) return more
  const sum = (left: number | undefined, right: number | undefined) =>
    left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0)
  return defined({
    inputTokens: sum(total.inputTokens, more.inputTokens),
    outputTokens: sum(total.outputTokens, more.outputTokens),
    cachedTokens: sum(total.cachedTokens, more.cachedTokens),
    // The total is unknown as soon as the cost of one call is.
    cost: total.cost === undefined || more.cost === undefined ? undefined : total.cost + more.cost,
  })
}

/** If the model said nothing, the user sees the first `message` in a tool result. */
function firstResultMessage(calls: readonly ToolCall[]): string {
  const messages = calls.map(({ result }) => messageText((result as { message?: unknown } | null)?.message))
  return messages.find((text) => text !== '') ?? ''
}

function notCorrectedMessage(agentId: string, calls: readonly ToolCall[]): string {
  const faults = calls.flatMap(({ name, error }) => (error === undefined ? [] : `${name}: ${error}`))
  return `tool calls of ${agentId} failed, and were not corrected: ${faults.join('; ')}`
}

function tooManyRoundsMessage(
  { agentId, maxTurn, maxTurnKey }: ToolLoop,
  asked: readonly ToolCall[],
): string {
  const names = [...new Set(asked.map(({ name }) => name))].join(', ')
  return `${agentId} called tools in ${maxTurn} rounds and still asked for ${names} (${maxTurnKey})`
}
