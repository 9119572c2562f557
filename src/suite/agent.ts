import { z } from 'zod'
import type { Agent } from '../agents/agent.ts'
import { AgentError, ConfigError, errorMessage, InfrastructureError } from '../errors.ts'
import type { Data, ToolCall } from '../results/transcript/message.ts'
import { readArguments } from '../results/transcript/parse-arguments.ts'
import type { Reply, TokenUsage } from '../results/transcript/reply.ts'
import type { View } from '../results/transcript/turn.ts'
import { answeredTurns, type HistoryEntry } from './conversation-context.ts'
import { type AgentMetadata, answeredNames, holdOutput, spokenIn, typedInput } from './held-values.ts'
import { asJson } from './json-value.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { snapshot } from './snapshot.ts'

/** What an agent receives along with an input. */
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
  execute(
    input: Input,
    // With the output here, nobody could infer it any more from what is returned. An agent that looks at its own outputs
    // says of what type they are: `context: AgentContext<Input, Output>`.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    context: AgentContext<Input, any>,
  ): Answer<Output> | Promise<Answer<Output>>
  /** Called when a conversation is over. */
  close?(): void | Promise<void>
}

/** What an agent returns: its output, or an `agentReply` with the output and more. */
export type Answer<Output> = Output | AgentReply<Output>

/** What an agent can report along with its output. */
export interface ReplyDetails {
  /** The words a person would read; default: found in the output. */
  content?: string | undefined
  /** `args` is the same as `arguments`. */
  toolCalls?:
    | readonly (Pick<ToolCall, 'name' | 'result' | 'error'> & { arguments?: unknown; args?: unknown })[]
    | undefined
  usage?: TokenUsage | undefined
  metadata?: AgentMetadata | undefined
}

/** An output with details, made by `agentReply`. */
export class AgentReply<Output> {
  readonly output: Output
  readonly details: ReplyDetails

  constructor(output: Output, details: ReplyDetails) {
    this.output = output
    this.details = details
  }
}

/**
 * Lets an agent return its output together with the tools that it called, its token usage and other details.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { agentReply, createEvalSuite } from 'vivavoce'
 *
 * const agent = {
 *   execute: (city: string) =>
 *     agentReply(`It is sunny in ${city}.`, { toolCalls: [{ name: 'weather', arguments: { city } }] }),
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'Rome' }])
 * const calls = results[0]?.toolCalls ?? 'hidden'
 * assert.deepEqual(calls !== 'hidden' && calls.map(({ name }) => name), ['weather'])
 */
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
            perform: async ({ signal }) =>
              toSuiteReply(await ask(agent, snapshot(typedInput(input)), { sessionId, view, signal })),
            usage: (reply) => reply.usage,
          }),
        async close() {
          await agent.close?.()
        },
      }
    },
  }
}

async function made(
  create: () => EvalAgent<never, unknown> | Promise<EvalAgent<never, unknown>>,
): Promise<EvalAgent<never, unknown>> {
  let agent: EvalAgent<never, unknown>
  try {
    agent = await create()
  } catch (error) {
    throw new AgentError(`createAgent: ${errorMessage(error)}`, { cause: error })
  }
  if (typeof agent?.execute === 'function') return agent
  throw new ConfigError({
    code: 'bad_suite',
    message: 'createAgent gave no agent with execute(input, context)',
  })
}

async function ask(
  agent: EvalAgent<never, unknown>,
  input: unknown,
  { sessionId, view, signal }: { sessionId: string; view: View; signal: AbortSignal },
): Promise<unknown> {
  const context = Object.freeze({
    sessionId,
    turn: view.turns.length + 1,
    history: answeredTurns(view),
    signal,
  })
  try {
    return await agent.execute(input as never, context as never)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AgentError || error instanceof InfrastructureError) throw error
    throw new AgentError(errorMessage(error), { cause: error })
  }
}

function toSuiteReply(answer: unknown): Reply {
  const { output, details } =
    answer instanceof AgentReply ? answer : { output: answer, details: {} as ReplyDetails }
  if (output === undefined || output === null) throw new AgentError('the agent returned nothing')
  const json = asJson(output)
  const { content = spokenIn(json, answeredNames), usage } = readDetails(details)
  const toolCalls = details.toolCalls?.map(readToolCall)
  const spoken = { role: 'assistant' as const, content, ...(toolCalls && { toolCalls }) }
  const reply: Reply = {
    output: json,
    content,
    messages: [spoken],
    toolCalls: toolCalls ?? 'hidden',
    ...(usage && { usage }),
  }
  return holdOutput(reply, output, details.metadata)
}

const detailsSchema = lazySchema(() => {
  const amount = fields.amount().optional()
  return z.strictObject({
    content: z.string().optional(),
    toolCalls: z.array(z.looseObject({ name: z.string() })).optional(),
    usage: z
      .strictObject({ inputTokens: amount, outputTokens: amount, cachedTokens: amount, cost: amount })
      .optional(),
    metadata: z.looseObject({}).optional(),
  })
})

/** Agents without types write what they like, and that is their failure. */
function readDetails(details: ReplyDetails): ReplyDetails {
  try {
    checkOptions(detailsSchema, details, 'agentReply')
  } catch (error) {
    throw new AgentError(errorMessage(error), { cause: error })
  }
  return details
}

/** As plain JSON: what a tool was called with may be anything. */
function readToolCall(call: NonNullable<ReplyDetails['toolCalls']>[number], index: number): ToolCall {
  const { args: _, ...told } = asJson(call) as Data
  return { id: `call_${index + 1}`, ...told, arguments: readArguments(asJson(call) as Data), name: call.name }
}
