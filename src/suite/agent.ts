import { z } from 'zod'
import { listStubs, SessionTools } from '../agents/adapters/session-tools.ts'
import type { Agent, TurnRequest } from '../agents/agent.ts'
import { AgentError, ConfigError, errorMessage } from '../errors.ts'
import { asJson } from '../json/as-json.ts'
import { listPricesOnly, priceReply } from '../models/prices.ts'
import { sumUsage } from '../models/reported-usage.ts'
import type { Data, ToolCall } from '../results/transcript/message.ts'
import { readArguments } from '../results/transcript/parse-arguments.ts'
import type { ModelUsage, Reply } from '../results/transcript/reply.ts'
import type { ReportUsage } from '../scripts/protocol/used-tokens.ts'
import type { WrapTools } from '../scripts/protocol/wrap-tools.ts'
import { isSdkAgent, type SdkAgent } from '../scripts/worker/calls/ai-sdk-shape.ts'
import { createReportUsage } from '../scripts/worker/calls/report-usage.ts'
import { answerAs, createWrapTools, type ToolCaller } from '../scripts/worker/calls/wrap-tools.ts'
import { askAiSdkAgent, classifyThrown } from './ai-sdk-agent.ts'
import { answeredTurns, type HistoryEntry, recordedHistory } from './conversation-context.ts'
import { findDisclosure, suiteDisclosure } from './disclosures.ts'
import {
  type AgentMetadata,
  answeredNames,
  holdOutput,
  type SuiteAnswer,
  spokenIn,
  typedInput,
} from './held-values.ts'
import { beginOffering } from './offered-tools.ts'
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
  /**
   * Wraps functions, or tools of the AI SDK: `const tools = context.tools({ lookUp })`. The same tools are returned, and
   * viva sees their calls, which a case can stub, delay and make fail.
   */
  readonly tools: WrapTools
  /** Reports what a call of a model has used: `context.usage({ model: 'gpt-5', ...usage })`. It is added to the reply's. */
  readonly usage: ReportUsage
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
    context: AgentContext<NoInfer<Input>, any>,
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
  /** An empty list: it called none. Without one nobody knows (`toolCallsKnown`). `args` is the same as `arguments`. */
  toolCalls?:
    | readonly (Pick<ToolCall, 'name' | 'result' | 'error'> & { arguments?: unknown; args?: unknown })[]
    | undefined
  /** With the name of the `model`, viva knows the cost if the model is in its list of prices. */
  usage?: ModelUsage | undefined
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
 * const [result] = results
 * assert.deepEqual([result?.toolCallsKnown, result?.toolCalls.map(({ name }) => name)], [true, ['weather']])
 */
export function agentReply<Output>(output: Output, details: ReplyDetails = {}): AgentReply<Output> {
  return new AgentReply(output, details)
}

type AnyAgent = EvalAgent<never, unknown> | SdkAgent
export type CreateAgent = () => AnyAgent | Promise<AnyAgent>

/** How the engine asks an agent of a suite: in this process, with a fresh one for each session where it is made. */
export function engineAgent(name: string, create: CreateAgent, stubAll = false): Agent {
  return {
    id: name,
    input: 'any',
    history: 'given',
    tools: 'wrapped',
    disclosure: suiteDisclosure,
    async open({ context: opening }) {
      const { sessionId } = opening
      const agent = await made(create)
      const disclosure = findDisclosure(agent)
      // Only now it is known what kind of agent it is.
      opening.disclosure = disclosure
      const tools = new SessionTools({ agentId: name, stubAll, hint: disclosure.tools })
      return {
        send(turn, scope) {
          const stubs = listStubs(turn.stubs)
          const request = { input: turn.input.value, turn: turn.view.turns.length + 1 }
          return scope.exchange({
            target: `agent:${name}`,
            request: stubs.length === 0 ? request : { ...request, stubs },
            sees: () => recordedHistory(turn.view),
            async perform({ signal }, own) {
              const { context, onEvent, complete, findCause } = tools.beginTurn(turn.stubs, scope)
              const { caller, end } = beginOffering(own.child(own.role, undefined, context), onEvent)
              try {
                const { reply, output, metadata } = isSdkAgent(agent)
                  ? await askAiSdkAgent(agent, turn, signal, caller)
                  : toAnswer(await ask(agent, turn, sessionId, signal, caller))
                return holdOutput(priceReply(complete(reply), listPricesOnly), output, metadata)
              } catch (error) {
                throw signal.aborted ? error : findCause(error)
              } finally {
                end()
              }
            },
            usage: (reply) => reply.usage,
          })
        },
        checkStubs: () => tools.checkStubs(),
        async close() {
          if (!isSdkAgent(agent)) await agent.close?.()
        },
      }
    },
  }
}

async function made(create: CreateAgent): Promise<AnyAgent> {
  let agent: AnyAgent
  try {
    agent = await create()
  } catch (error) {
    throw new AgentError(`createAgent: ${errorMessage(error)}`, { cause: error })
  }
  if (isSuiteAgent(agent)) return agent
  throw new ConfigError({
    code: 'bad_suite',
    message: 'createAgent gave no agent with execute(input, context), and none of the AI SDK',
  })
}

export function isSuiteAgent(value: unknown): boolean {
  return isSdkAgent(value) || typeof Object(value).execute === 'function'
}

async function ask(
  agent: EvalAgent<never, unknown>,
  { input, view }: TurnRequest,
  sessionId: string,
  signal: AbortSignal,
  caller: ToolCaller,
): Promise<unknown> {
  const context = Object.freeze({
    sessionId,
    turn: view.turns.length + 1,
    history: answeredTurns(view),
    signal,
    tools: createWrapTools(caller),
    usage: createReportUsage(caller),
  })
  try {
    return await answerAs(caller, () => agent.execute(snapshot(typedInput(input)) as never, context as never))
  } catch (error) {
    throw classifyThrown(error, signal)
  }
}

function toAnswer(answer: unknown): SuiteAnswer {
  const { output, details } =
    answer instanceof AgentReply ? answer : { output: answer, details: {} as ReplyDetails }
  if (output === undefined || output === null) throw new AgentError('the agent returned nothing')
  if (typeof output === 'function' || output instanceof Promise)
    throw new AgentError(
      `the output of the agent is a ${typeof output === 'function' ? 'function' : 'promise'}: return the data itself`,
    )
  const json = asJson(output)
  const { content = spokenIn(json, answeredNames), usage } = readDetails(details)
  const toolCalls = details.toolCalls?.map(readToolCall)
  const spoken = { role: 'assistant' as const, content, ...(toolCalls && { toolCalls }) }
  const reply: Reply = {
    output: json,
    content,
    messages: [spoken],
    toolCalls: toolCalls ?? 'hidden',
    ...sumUsage(usage === undefined ? [] : [usage]),
  }
  return { reply, output, metadata: details.metadata }
}

const detailsSchema = lazySchema(() => {
  const amount = fields.amount().optional()
  return z.strictObject({
    content: z.string().optional(),
    toolCalls: z.array(z.looseObject({ name: z.string() })).optional(),
    usage: z
      .strictObject({
        model: z.string().optional(),
        inputTokens: amount,
        outputTokens: amount,
        cachedTokens: amount,
        cost: amount,
      })
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
