import { AgentError, messageOf } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { textOrJson } from '../../json/json.ts'
import type { Model, ModelRequest } from '../../models/model.ts'
import { type Data, type Message, type ToolCall, textOf } from '../../results/transcript/message.ts'
import type { Reply, TokenUsage } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import { callTool } from '../../tools/call-tool.ts'
import { checkArguments } from '../../tools/check-arguments.ts'
import { repairArguments } from '../../tools/repair-arguments.ts'
import { type Tool, ToolError } from '../../tools/tool.ts'

export interface ToolLoop {
  agentId: string
  tools: readonly Tool[]
  /** How many rounds of tool calls one answer may take. */
  maxTurn: number
  /** False: there is one round, and what came of it is the answer. */
  loop: boolean
}

/** What came of the model and its tools. */
export interface Answered {
  /** All of it as one reply. */
  reply: Reply
  /** What the model said last. */
  completion: Reply
  /** The calls it made last, with what came of them. */
  calls: ToolCall[]
}

/** How often the calls of the one round may be made until all of them are right. */
const mostAttempts = 3

/** The model asks, the tools answer, the model goes on, until it asks no more. One reply for all of it. */
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
    const asked = completion.toolCalls === 'hidden' ? [] : completion.toolCalls
    const whole = () => ({ ...completion, messages: said, toolCalls: made, ...defined({ usage }) })
    if (asked.length === 0) {
      if (!loop && round > 1) throw new AgentError(notCorrected(agentId, calls))
      return { reply: whole(), completion, calls }
    }
    if (loop && round > maxTurn) throw new AgentError(tooManyRounds(agentId, maxTurn, asked))
    calls = await callAll(mended(completion, asked, scope), tools, scope)
    made.push(...calls)
    said.push(...calls.map(messageFor))
    if (loop) continue
    if (calls.every(({ error }) => error === undefined)) {
      const text = completion.content || toolMessage(calls)
      const output = text || completion.output
      return { reply: { ...whole(), output, content: text }, completion, calls }
    }
    if (round === mostAttempts) throw new AgentError(notCorrected(agentId, calls))
  }
}

/**
 * All at once, as the model asked, but for those that share a memory. All are waited for: none may go on when the case
 * is over.
 */
async function callAll(
  asked: readonly ToolCall[],
  tools: readonly Tool[],
  scope: Scope,
): Promise<ToolCall[]> {
  let before: Promise<unknown> = Promise.resolve()
  const made = asked.map((call) => {
    if (!tools.find(({ name }) => name === call.name)?.inOrder) return callOne(call, tools, scope)
    const own = before.then(() => callOne(call, tools, scope))
    before = own.catch(() => {})
    return own
  })
  const settled = await Promise.allSettled(made)
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Arguments that are almost JSON, as the engine reads them; not those of an answer that was cut off. */
function mended({ finishReason }: Reply, asked: readonly ToolCall[], scope: Scope): ToolCall[] {
  return asked.map((call) => {
    if (typeof call.arguments !== 'string' || finishReason === 'length') return call
    const repaired = repairArguments(call.arguments)
    if (repaired !== call.arguments) scope.log(`the arguments of ${call.name} were no JSON, and were mended`)
    return { ...call, arguments: repaired }
  })
}

/** Whatever is the model's or the tool's fault goes back to the model; the rest is thrown. */
async function callOne(call: ToolCall, tools: readonly Tool[], scope: Scope): Promise<ToolCall> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const known = tools.map(({ name }) => name).join(', ')
    return { ...call, error: `there is no tool ${call.name}; there are: ${known}` }
  }
  const fault = checkArguments(tool, call.arguments)
  if (fault !== undefined) return { ...call, error: fault }
  const stubbed = scope.context.standIn?.replaces(tool.name) ? { stubbed: true } : {}
  try {
    return { ...call, ...stubbed, result: await callTool(tool, call.arguments, scope) }
  } catch (error) {
    if (error instanceof ToolError) return { ...call, ...stubbed, error: messageOf(error) }
    throw error
  }
}

function messageFor({ id, name, result, error }: ToolCall): Message {
  const content = error === undefined ? textOfResult(result) : `Error: ${error}`
  return { role: 'tool', toolCallId: id, name, content }
}

function textOfResult(result: unknown): string {
  return textOrJson(result)
}

/** In the words of the OpenAI API, like all of a model request. */
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
    // One call of unknown cost makes the whole unknown.
    cost: total.cost === undefined || more.cost === undefined ? undefined : total.cost + more.cost,
  })
}

/** Where nothing was said, the first `message` of a tool is what the user gets to see. */
function toolMessage(calls: readonly ToolCall[]): string {
  const messages = calls.map(({ result }) => textOf((result as { message?: unknown } | null)?.message))
  return messages.find((text) => text !== '') ?? ''
}

function notCorrected(agentId: string, calls: readonly ToolCall[]): string {
  const faults = calls.flatMap(({ name, error }) => (error === undefined ? [] : `${name}: ${error}`))
  return `tool calls of ${agentId} failed, and were not corrected: ${faults.join('; ')}`
}

function tooManyRounds(agentId: string, maxTurn: number, asked: readonly ToolCall[]): string {
  const names = [...new Set(asked.map(({ name }) => name))].join(', ')
  return `${agentId} called tools in ${maxTurn} rounds and still asked for ${names} (mcp.options.max_turn)`
}
