import { describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { Scope } from '../../scope/scope.ts'
import { askStub } from '../../setup/requests/stub.ts'
import { callTool } from '../../tools/call-tool.ts'
import type { Stubs } from '../../tools/stubs.ts'
import { withFailingTools } from './failing-tools.ts'

const key = { file: 'cases.jsonl', id: 'T1', variant: 'tools-fail', run: 1, attempt: 1 }

/** Calls `does` and replies with the result or the error. */
function agentThat(does: (scope: Scope) => Promise<unknown>): Agent {
  return {
    id: 'desk',
    input: 'messages',
    history: 'given',
    tools: 'served',
    open: async () => ({
      async send(_request, scope) {
        const content = await does(scope).then(JSON.stringify, String)
        return { output: content, content, messages: [], toolCalls: [] }
      },
      async close() {},
    }),
  }
}

async function play(does: (scope: Scope) => Promise<unknown>, stubs?: Stubs) {
  const { agent, failedIn } = withFailingTools(agentThat(does))
  const scope = createPlainScope({ key })
  const session = await agent.open(scope)
  const { content } = await session.send(
    {
      input: { value: 'hi', message: { role: 'user', content: 'hi' } },
      view: { history: [], turns: [] },
      options: {},
      ...(stubs && { stubs: [stubs] }),
    },
    scope,
  )
  return { content, failed: failedIn(key), scope }
}

const tool = { name: 'desk__look_up', call: async () => 'shipped' }
const always = [{ written: {}, matches: () => true, answers: [{ result: 'stubbed' }] }]

describe('failing tools', () => {
  it('fail for every caller, and each is recorded once', async () => {
    const { content, failed } = await play(async (scope) => {
      await callTool(tool, {}, scope).catch(() => {})
      return callTool(tool, {}, scope.child('agent'))
    })
    expect(content).toContain('desk__look_up failed')
    expect(failed).toEqual(['desk__look_up'])
  })

  it('fail even if the case stubs them', async () => {
    const { content } = await play((scope) => callTool(tool, {}, scope), { look_up: always })
    expect(content).toContain('desk__look_up failed')
  })

  it('include the processes that a case stubs, but no others', async () => {
    const ask = (name: string) => (scope: Scope) => askStub(name, [], scope)
    expect((await play(ask('models.order.Find'), { 'models.order.Find': always })).failed).toEqual([
      'models.order.Find',
    ])
    expect((await play(ask('scripts.orders.Find'))).failed).toEqual([])
  })

  it('include requests to the outside', async () => {
    const { failed } = await play(async (scope) => scope.context.standIn?.refuse('http.Get'))
    expect(failed).toEqual(['http.Get'])
  })

  it('do not affect the checks of the case', async () => {
    const { scope } = await play(async () => 'nothing')
    expect(scope.context.standIn).toBeUndefined()
  })
})
