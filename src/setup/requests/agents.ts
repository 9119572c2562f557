import type { Agent } from '../../agents/agent.ts'
import { askOnce } from '../../agents/ask-once.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import type { Data, ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { readMessages } from '../../results/transcript/written-messages.ts'
import { type Context, createDelegateContext } from '../../scope/context.ts'
import type { Scope } from '../../scope/scope.ts'
import type { CallBack, ScriptRequest } from '../../scripts/protocol/ask.ts'
import type { WireContext } from '../../scripts/protocol/context-data.ts'
import type { AskedFor } from './asked-for.ts'
import { askMock } from './mock.ts'
import { askSeveral } from './several.ts'
import { askStub } from './stub.ts'

type AgentsAsk = Extract<ScriptRequest, { kind: 'agents' }>

/** `ctx.agent.Call` and its sisters. */
export function askAgents(
  { requests, until, onChunk }: AgentsAsk,
  askedFor: Pick<AskedFor, 'agent'>,
  scope: Scope,
  callBack: CallBack,
): Promise<unknown> {
  return askSeveral(requests, until, scope, {
    label: ({ agent }) => ({ agent_id: agent }),
    async ask({ agent: id, messages, options }, index, own) {
      const response = await callAgent({ id, messages, options }, askedFor, own)
      const chunk = { type: 'text', props: { content: response.content }, delta: false }
      if (onChunk !== undefined) await callBack(onChunk, [id, index, chunk])
      return { content: response.content, response }
    },
  })
}

export interface AgentCall {
  id: string
  messages: unknown
  options?: unknown
  /** Who asks, where the script says so. */
  context?: WireContext
}

/** What a script is given of a reply. A mock may answer with anything. */
export type AgentAnswer = Data & { content?: unknown }

/** One agent, asked once, in a session of its own. */
export async function callAgent(
  call: AgentCall,
  { agent: find }: Pick<AskedFor, 'agent'>,
  scope: Scope,
): Promise<AgentAnswer> {
  const args = [call.context ?? null, call.messages, call.options ?? null]
  const mocked = await askMock(`agents.${call.id}.Stream`, args, scope)
  const stood = mocked ?? (await askStub(`agents.${call.id}.Stream`, [call.messages], scope))
  if (stood !== undefined) return isRecord(stood.answer) ? stood.answer : { content: stood.answer }
  // It may have to be loaded.
  const agent = await scope.standStill(() => find(call.id))
  return toAgentAnswer(await send(agent, call, scope))
}

async function send(agent: Agent, { messages, options, context }: AgentCall, scope: Scope): Promise<Reply> {
  const conversation = readMessages(messages)
  if (conversation.at(-1)?.role !== 'user')
    throw new ConfigError({
      code: 'bad_messages',
      message: `${agent.id}: the last message must be the user's`,
    })
  const sessionId = scope.newSessionId([agent.id, messages])
  const own = scope.child(scope.role, undefined, createCallContext(context, scope.context, sessionId))
  const given = isRecord(options) ? options : {}
  const metadata = { ...own.context.metadata, ...(isRecord(given.metadata) ? given.metadata : {}) }
  return askOnce(agent, { messages: conversation, options: { ...given, metadata } }, own)
}

/** Variables are those of the case, whoever asks. */
function createCallContext(given: WireContext | undefined, around: Context, sessionId: string): Context {
  const own = createDelegateContext(around, { sessionId, referer: 'agent_fork' })
  if (given === undefined) return own
  const { userId, teamId, locale, referer, accept, authorized, metadata } = given
  return {
    ...own,
    userId,
    teamId,
    locale,
    referer,
    accept,
    client: { ...around.client, ...given.client },
    authorized: { ...authorized, user_id: userId, team_id: teamId },
    metadata,
  }
}

function toAgentAnswer(reply: Reply): AgentAnswer {
  const { content, output, toolCalls } = reply
  return {
    content,
    output,
    tool_calls: toolCalls === 'hidden' ? null : toolCalls.map(toolCallData),
    ...defined({
      finish_reason: reply.finishReason,
      awaiting_input: reply.awaitingInput,
      input_hint: reply.inputHint,
    }),
  }
}

export function toolCallData({ id, name, arguments: args, ...rest }: ToolCall): Data {
  const { result, error, stubbed } = rest
  return { id, name, arguments: args, ...defined({ result, error, stubbed }) }
}
