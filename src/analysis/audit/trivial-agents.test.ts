import { describe, expect, it } from 'vitest'
import type { Message } from '../../results/transcript/message.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import { trivialAgents } from './trivial-agents.ts'

async function askAgent(name: 'silent' | 'echo' | 'refusing' | 'done', message: Message) {
  const agent = trivialAgents().get(name)
  if (agent === undefined) throw new Error(`no ${name}`)
  const scope = createPlainScope()
  const session = await agent.open(scope)
  const request = {
    input: { value: message.content, message },
    view: { history: [], turns: [] },
    options: {},
  }
  return session.send(request, scope)
}

const question: Message = { role: 'user', content: 'Where is my order?' }

describe('trivial agents', () => {
  it('answer with nothing, the question, a refusal, or a claim of success', async () => {
    expect((await askAgent('silent', question)).output).toBe('')
    expect((await askAgent('echo', question)).output).toBe('Where is my order?')
    expect((await askAgent('refusing', question)).output).toBe("I'm sorry, I can't help with that.")
    expect((await askAgent('done', question)).output).toMatch(/^Done\. .*successfully\.$/)
  })

  it('call no tool and await no input, even when they repeat a question', async () => {
    expect(await askAgent('echo', question)).toMatchObject({ toolCalls: [], awaitingInput: false })
  })

  it('repeat the text of a message that has more than text', async () => {
    const content = [
      { type: 'text' as const, text: 'Look: ' },
      { type: 'text' as const, text: 'a cat' },
    ]
    expect((await askAgent('echo', { role: 'user', content })).content).toBe('Look: a cat')
  })
})
