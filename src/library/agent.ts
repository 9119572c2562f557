import type { Agent } from '../agents/agent.ts'
import { AgentError, messageOf, WorldError } from '../errors.ts'
import type { ToolCall } from '../transcript/message.ts'
import type { Reply, TokenUsage } from '../transcript/reply.ts'
import type { View } from '../transcript/turn.ts'
import { type HistoryEntry, historyOf } from './conversation-context.ts'
import { type AgentMetadata, answeredNames, holdOutput, inputOf, spokenIn } from './held-values.ts'
import { asJson } from './json-value.ts'

/** What an agent is told with an input. */
export interface AgentContext<Input = unknown, Output = unknown> {
  /** Of this case and iteration, and of no other. */
  readonly sessionId: string
  /** From 1. */
  readonly turn: number
  readonly history: readonly HistoryEntry<Input, Output>[]
  readonly signal: AbortSignal
}

/** The agent under test. */
export interface EvalAgent<Input, Output> {
  /** How reports call it; default `agent`. */
  readonly name?: string | undefined
  execute(input: Input, context: AgentContext<Input, Output>): Answer<Output> | Promise<Answer<Output>>
}

/** What an agent gives back: its output, or that with more to tell. */
export type Answer<Output> = Output | AgentReply<Output>

export interface ReplyDetails {
  /** The words a person would read; default: found in the output. */
  content?: string | undefined
  toolCalls?: readonly Pick<ToolCall, 'name' | 'arguments' | 'result' | 'error'>[] | undefined
  usage?: TokenUsage | undefined
  metadata?: AgentMetadata | undefined
}

/** Made by `agentReply`. */
export class AgentReply<Output> {
  readonly output: Output
  readonly details: ReplyDetails

  constructor(output: Output, details: ReplyDetails) {
    this.output = output
    this.details = details
  }
}

/** An output with the tools that were called for it, what it cost, and whatever else is worth to be told. */
export function agentReply<Output>(output: Output, details: ReplyDetails = {}): AgentReply<Output> {
  return new AgentReply(output, details)
}

/** An agent of a suite, as the engine asks it: in this process, with a fresh one for each session where it is made. */
export function engineAgent(
  name: string,
  create: () => EvalAgent<never, unknown> | Promise<EvalAgent<never, unknown>>,
): Agent {
  return {
    id: name,
    input: 'any',
    history: 'given',
    tools: 'reported',
    async open({ context: { sessionId } }) {
      const agent = await made(create)
      return {
        send: ({ input, view }, scope) =>
          scope.exchange({
            target: `agent:${name}`,
            request: { input: input.value, turn: view.turns.length + 1 },
            perform: async (signal) => replyOf(await ask(agent, inputOf(input), { sessionId, view, signal })),
            usage: (reply) => reply.usage,
          }),
        async close() {},
      }
    },
  }
}

async function made(
  create: () => EvalAgent<never, unknown> | Promise<EvalAgent<never, unknown>>,
): Promise<EvalAgent<never, unknown>> {
  try {
    return await create()
  } catch (error) {
    throw new AgentError(`createAgent: ${messageOf(error)}`, { cause: error })
  }
}

async function ask(
  agent: EvalAgent<never, unknown>,
  input: unknown,
  { sessionId, view, signal }: { sessionId: string; view: View; signal: AbortSignal },
): Promise<unknown> {
  const context = Object.freeze({ sessionId, turn: view.turns.length + 1, history: historyOf(view), signal })
  try {
    return await agent.execute(input as never, context as never)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AgentError || error instanceof WorldError) throw error
    throw new AgentError(messageOf(error), { cause: error })
  }
}

function replyOf(answer: unknown): Reply {
  const { output, details } =
    answer instanceof AgentReply ? answer : { output: answer, details: {} as ReplyDetails }
  if (output === undefined || output === null) throw new AgentError('the agent returned nothing')
  const json = asJson(output)
  const content = details.content ?? spokenIn(json, answeredNames)
  const toolCalls = details.toolCalls?.map((call, index) => ({ id: `call_${index + 1}`, ...call }))
  const spoken = { role: 'assistant' as const, content, ...(toolCalls && { toolCalls }) }
  const reply: Reply = {
    output: json,
    content,
    messages: [spoken],
    toolCalls: toolCalls ?? 'hidden',
    ...(details.usage && { usage: details.usage }),
  }
  return holdOutput(reply, output, details.metadata)
}
