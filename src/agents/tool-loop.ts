import { defined } from '../defined.ts'
import { AgentError, messageOf, WorldError } from '../errors.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import type { Scope } from '../scope/scope.ts'
import { checkArguments } from '../tools/check-arguments.ts'
import { isReplaced, type StubLayers, type StubPlayer } from '../tools/stubs.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import { type Data, type Message, type ToolCall, textOf } from '../transcript/message.ts'
import type { Reply, TokenUsage } from '../transcript/reply.ts'

export interface ToolLoop {
  agentId: string
  tools: readonly Tool[]
  /** How many rounds of tool calls one answer may take. */
  maxTurn: number
  /** False: there is one round, and what came of it is the answer. */
  loop: boolean
  /** Answers for tools that are replaced. */
  player: StubPlayer
  /** `--stub-all`: a tool that is not replaced must not be called. */
  stubAll: boolean
}

/** The model asks, the tools answer, the model goes on, until it asks no more. One reply for all of it. */
export async function answerWithTools(
  toolLoop: ToolLoop,
  model: Model,
  request: Omit<ModelRequest, 'tools'>,
  stubs: StubLayers,
  scope: Scope,
): Promise<Reply> {
  const { agentId, tools, maxTurn, loop } = toolLoop
  const offered = tools.map(describeTool)
  const said: Message[] = []
  const made: ToolCall[] = []
  let usage: TokenUsage | undefined
  for (let round = 1; ; round++) {
    const messages = [...request.messages, ...said]
    const reply = await model.generate({ ...request, messages, tools: offered }, scope)
    usage = addUsage(usage, reply.usage)
    said.push(...reply.messages)
    const asked = reply.toolCalls === 'hidden' ? [] : reply.toolCalls
    const whole = () => ({ ...reply, messages: said, toolCalls: made, ...defined({ usage }) })
    if (asked.length === 0) return whole()
    if (round > maxTurn) throw new AgentError(tooManyRounds(agentId, maxTurn, asked))
    const calls = await callAll(asked, toolLoop, stubs, scope)
    made.push(...calls)
    said.push(...calls.map(messageFor))
    if (!loop) return { ...whole(), output: reply.content || toolMessage(calls) || reply.output }
  }
}

/** All at once, as the model asked. All are waited for: none may go on when the case is over. */
async function callAll(
  asked: readonly ToolCall[],
  toolLoop: ToolLoop,
  stubs: StubLayers,
  scope: Scope,
): Promise<ToolCall[]> {
  const settled = await Promise.allSettled(asked.map((call) => callOne(call, toolLoop, stubs, scope)))
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Whatever is the model's or the tool's fault goes back to the model; the rest is thrown. */
async function callOne(
  call: ToolCall,
  { tools, player, stubAll }: ToolLoop,
  stubs: StubLayers,
  scope: Scope,
): Promise<ToolCall> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const known = tools.map(({ name }) => name).join(', ')
    return { ...call, error: `there is no tool ${call.name}; there are: ${known}` }
  }
  const fault = checkArguments(tool, call.arguments)
  if (fault !== undefined) return { ...call, error: fault }
  const { name, arguments: args } = call
  const replaced = isReplaced(stubs, name)
  const stubbed = replaced ? { stubbed: true } : {}
  try {
    if (replaced) {
      const own = scope.child('tool')
      const perform = () => player.answer(stubs, name, args, own)
      return { ...call, ...stubbed, result: await own.exchange({ target: name, request: args, perform }) }
    }
    if (stubAll) throw notStubbed(name)
    return { ...call, result: await tool.call(args, scope) }
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
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '')
}

function notStubbed(tool: string): WorldError {
  return new WorldError('stub', `${tool} was called and is not stubbed (--stub-all)`)
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

/** Where nothing was said, the last tool's `message` is what the user gets to see. */
function toolMessage(calls: readonly ToolCall[]): string {
  const { message } = (calls.at(-1)?.result ?? {}) as { message?: unknown }
  return textOf(message)
}

function tooManyRounds(agentId: string, maxTurn: number, asked: readonly ToolCall[]): string {
  const names = [...new Set(asked.map(({ name }) => name))].join(', ')
  return `${agentId} called tools in ${maxTurn} rounds and still asked for ${names} (mcp.options.max_turn)`
}
