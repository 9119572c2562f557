import assert from 'node:assert/strict'
import { AgentError, InfrastructureError } from '../errors.ts'
import type { Message } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { type Input, listMessages, type Turn, type View } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import type { Scope } from '../scope/scope.ts'
import type { Agent, Session } from './agent.ts'
import { plainTurn } from './converse.ts'

/** A requirement that every agent adapter must meet. `check` throws when the adapter does not meet it. */
export interface ConformanceCheck {
  title: string
  check(agent: Agent): Promise<void>
}

/**
 * The requirements that every agent adapter must meet, each with a title and a check.
 *
 * The checks need an agent behind the adapter that answers like this:
 * `say X` → X; `what did I say first?` → the first user message; `file N` → `Filed.` and a call to
 * `create_expense({amount: N})`; `hang` → never answers; `fail` → fails with its own error.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import type { Agent } from 'vivavoce'
 * import { agentConformance } from 'vivavoce/testing'
 *
 * const echo: Agent = {
 *   id: 'echo',
 *   input: 'messages',
 *   history: 'kept',
 *   tools: 'hidden',
 *   open: async () => ({
 *     send: ({ input }, scope) =>
 *       scope.exchange({
 *         target: 'agent:echo',
 *         request: input.value,
 *         async perform() {
 *           const content = String(input.value).replace('say ', '')
 *           return { output: content, content, messages: [{ role: 'assistant', content }], toolCalls: 'hidden' }
 *         },
 *       }),
 *     close: async () => {},
 *   }),
 * }
 * const answers = agentConformance.find(({ title }) => title.startsWith('returns the answer text'))
 * await answers?.check(echo)
 * const remembers = agentConformance.find(({ title }) => title.startsWith('sees the whole conversation'))
 * await assert.rejects(async () => remembers?.check(echo))
 */
export const agentConformance: readonly ConformanceCheck[] = [
  {
    title: 'returns the answer text as content and as output',
    async check(agent) {
      const { reply } = await converse(agent, ['say hello'])
      assert.equal(reply.content, 'hello')
      assert.equal(reply.output, 'hello')
    },
  },
  {
    title: 'leaves non-ASCII text unchanged',
    async check(agent) {
      const { reply } = await converse(agent, ['say 你好, Zoë 👋🏽'])
      assert.equal(reply.content, '你好, Zoë 👋🏽')
    },
  },
  {
    title: 'sees the whole conversation in every turn',
    async check(agent) {
      const { reply } = await converse(agent, ['say one', 'say two', 'what did I say first?'])
      assert.equal(reply.content, 'say one')
    },
  },
  {
    title: 'receives the history before the first turn, or declares that it cannot take one',
    async check(agent) {
      if (agent.history === 'kept') return
      const history: Message[] = [
        { role: 'user', content: 'say zero' },
        { role: 'assistant', content: 'zero' },
      ]
      const { reply } = await converse(agent, ['what did I say first?'], history)
      assert.equal(reply.content, 'say zero')
    },
  },
  {
    title:
      'has what was said before in its requests, from which recordings are answered, and nothing of this run',
    async check(agent) {
      if (agent.history === 'kept') return
      const [one, again, other] = await Promise.all(
        ['one', 'one', 'two'].map(async (text) => {
          const history: Message[] = [
            { role: 'user', content: `say ${text}` },
            { role: 'assistant', content: text },
          ]
          return (await converse(agent, ['say hello'], history)).requests
        }),
      )
      assert.deepEqual(one, again)
      assert.notDeepEqual(one, other)
    },
  },
  {
    title: 'keeps concurrent sessions apart',
    async check(agent) {
      const conversations = Array.from({ length: 8 }, (_, index) =>
        converse(agent, [`say ${index}`, 'say more', 'what did I say first?']),
      )
      const replies = await Promise.all(conversations)
      assert.deepEqual(
        replies.map(({ reply }) => reply.content),
        replies.map((_, index) => `say ${index}`),
      )
    },
  },
  {
    title: 'reports its tool calls with parsed arguments, unless it hides them',
    async check(agent) {
      const { reply } = await converse(agent, ['file 250'])
      if (agent.tools === 'hidden') {
        assert.equal(reply.toolCalls, 'hidden')
        return
      }
      assert.ok(reply.toolCalls !== 'hidden')
      const calls = reply.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }))
      assert.deepEqual(calls, [{ name: 'create_expense', arguments: { amount: 250 } }])
    },
  },
  {
    title: 'ends the messages it adds to the history with the assistant message',
    async check(agent) {
      const { reply } = await converse(agent, ['say hello'])
      const last = reply.messages.at(-1)
      assert.equal(last?.role, 'assistant')
      assert.equal(last?.content, 'hello')
    },
  },
  {
    title: 'makes every call through the scope',
    async check(agent) {
      const { requests } = await converse(agent, ['say one', 'say two'])
      assert.ok(requests.length >= 2, `${requests.length} exchanges for 2 turns`)
    },
  },
  {
    title: 'stops at once when its signal is aborted',
    async check(agent) {
      const controller = new AbortController()
      const reason = new Error('time is up')
      setTimeout(() => controller.abort(reason), 50)
      await assert.rejects(converse(agent, ['hang'], [], controller.signal), (error) => error === reason)
    },
  },
  {
    title: 'reports a failure of the agent or the infrastructure as such, not as a bug',
    async check(agent) {
      const failed = (error: unknown) => error instanceof AgentError || error instanceof InfrastructureError
      await assert.rejects(converse(agent, ['fail']), failed)
    },
  },
]

interface ConversationResult {
  reply: Reply
  /** Of all exchanges. */
  requests: unknown[]
}

async function converse(
  agent: Agent,
  says: readonly string[],
  history: readonly Message[] = [],
  signal?: AbortSignal,
): Promise<ConversationResult> {
  const { scope, requests } = watchedScope(signal)
  const session = await agent.open(scope)
  try {
    const view = { history, turns: [] as Turn[] }
    for (const text of says) view.turns.push(await sendMessage(session, text, view, scope))
    const reply = view.turns.at(-1)?.reply
    assert.ok(reply, 'there is a reply')
    return { reply, requests }
  } finally {
    await session.close?.()
  }
}

async function sendMessage(session: Session, text: string, view: View, scope: Scope): Promise<Turn> {
  const input: Input = { value: text, message: { role: 'user', content: text } }
  const said = listMessages(view).length
  const reply = await session.send({ input, view, options: {} }, scope)
  assert.equal(listMessages(view).length, said, 'the adapter must not change the view')
  return plainTurn(view.turns.length + 1, input, reply)
}

function watchedScope(signal: AbortSignal | undefined): { scope: Scope; requests: unknown[] } {
  const requests: unknown[] = []
  const watched = (plain: Scope): Scope => ({
    ...plain,
    child: (...narrower) => watched(plain.child(...narrower)),
    within: (...narrower) => watched(plain.within(...narrower)),
    exchange(exchange) {
      requests.push(structuredClone([exchange.target, exchange.request, exchange.sees?.()]))
      return plain.exchange(exchange)
    },
  })
  return { scope: watched(createPlainScope(signal ? { signal } : {})), requests }
}
