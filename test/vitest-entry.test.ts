import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEvalSuite, type JudgeContext } from '../src/index.ts'
import { agentReply } from '../src/suite/agent.ts'
import { afterTurns, fieldEquals } from '../src/suite/conditions.ts'
import { accuracy } from '../src/suite/criteria.ts'
import { createJudge } from '../src/suite/judge.ts'
import { createOpenAIProvider, createScriptedProvider } from '../src/suite/providers.ts'
import { agentCase, describeAgent } from '../src/vitest.ts'
import { installViva, project, repository } from './support/viva.ts'

const agent = {
  name: 'booking',
  execute: async (message: string) =>
    agentReply(
      { reply: `You said ${message}`, status: message === 'confirm' ? 'confirmed' : 'pending' },
      { toolCalls: [{ name: 'book', arguments: { guests: message.length, note: message } }] },
    ),
}
const suite = createEvalSuite({ agent })
const talk = {
  id: 'books',
  input: 'hello',
  multiTurn: {
    followUpInputs: [{ input: 'confirm' }],
    terminateWhen: [fieldEquals<{ status: string }, 'status'>('status', 'confirmed'), afterTurns(5)],
  },
}
const judgeGiving = (score: number) =>
  createJudge({
    provider: createScriptedProvider(() => ({
      verdicts: [{ criterionId: 'accuracy', reasoning: 'for a reason', score }],
    })),
    criteria: [accuracy()],
  })

describe('matchers of vivavoce/vitest', () => {
  agentCase(suite, talk, async (result) => {
    expect(result).toCallTool('book')
    expect(result).toCallTool('book', { guests: 7 })
    expect(result).not.toCallTool('cancel')
    expect(() => expect(result).toCallTool('cancel')).toThrow('cancel was not called (called: book, book)')
    expect(() => expect(result).toCallTool('book', { guests: 3 })).toThrow(
      'book was called, but guests was 5, expected 3',
    )
    await expect(result).toReachCheckpoint(fieldEquals('status', 'confirmed'))
    await expect(expect(result).toReachCheckpoint(fieldEquals('status', 'cancelled'))).rejects.toThrow(
      'it was never reached: status is "confirmed"',
    )
    await expect(result).toReachCheckpoint(({ history }) => history[1]?.toolCalls?.[0]?.name === 'book')
    await expect(result).toPassJudge(judgeGiving(90))
    await expect(expect(result).toPassJudge(judgeGiving(10))).rejects.toThrow(
      'the judge gives 10 of 100\naccuracy 10: for a reason',
    )
  })

  it('toCallTool fails when the agent has failed', async () => {
    const execute = (): string => {
      throw new Error('oops')
    }
    const { results } = await createEvalSuite({ agent: { execute } }).run([{ input: 'x' }])
    expect(() => expect(results[0]).not.toCallTool('book')).toThrow(
      'the agent failed, so what it called before is unknown: agent error: oops',
    )
  })

  it('toCallTool fails when the agent hides its tools', async () => {
    const { results } = await createEvalSuite({ agent: { execute: async (input: string) => input } }).run([
      { input: 'x' },
    ])
    expect(() => expect(results[0]).toCallTool('book')).toThrow('the agent does not show its tools')
  })

  it('matchers fail for anything but the result of one play, also with .not', async () => {
    const { results } = await suite.run([{ input: 'x', skip: true }])
    expect(() => expect(results[0]).not.toCallTool('book')).toThrow('the case was not played: skipped')
    const iterated = await suite.run([{ input: 'x' }], { iterations: 2 })
    await expect(expect(iterated.results[0]).not.toReachCheckpoint(() => true)).rejects.toThrow(
      'no result of one play',
    )
    expect(() => expect('x').not.toCallTool('book')).toThrow('no result of one play')
  })

  it('toPassJudge shows the judge the tool calls of a single turn', async () => {
    const { results } = await suite.run([{ input: 'x' }])
    const seen: unknown[] = []
    const judge = {
      async evaluate({ history }: JudgeContext) {
        seen.push(history)
        return { passed: true, overallScore: 100, verdicts: [] }
      },
    }
    await expect(results[0]).toPassJudge(judge)
    expect(seen).toMatchObject([[{ turn: 1, input: 'x', toolCalls: [{ name: 'book' }] }]])
  })

  it('toReachCheckpoint looks only at turns that the agent answered', async () => {
    const breaking = {
      async execute(_: string, { turn }: { turn: number }) {
        if (turn === 2) throw new Error('it broke')
        return { status: 'pending' }
      },
    }
    const { results } = await createEvalSuite({ agent: breaking }).run([talk])
    await expect(results[0]).toReachCheckpoint(({ currentTurn }) => currentTurn === 1)
    await expect(results[0]).not.toReachCheckpoint(({ currentTurn }) => currentTurn === 2)
  })

  it('matchers print no secrets, though results have the original values', async () => {
    const key = 'sk-of-the-matchers-1'
    createOpenAIProvider({ apiKey: key })
    const { results } = await suite.run([{ input: key }])
    const [result] = results
    await expect(result).toReachCheckpoint(fieldEquals('reply', `You said ${key}`))
    expect(result).toCallTool('book', { note: key })
    expect(() => expect(result).toCallTool('book', { note: 'x' })).toThrow('note was "[redacted]"')
    await expect(expect(result).toReachCheckpoint(fieldEquals('reply', 'x'))).rejects.toThrow(
      'reply is "You said [redacted]"',
    )
    const breaking = ({ lastOutput }: { lastOutput?: { reply: string } }) => {
      throw new Error(`no ${lastOutput?.reply}`)
    }
    await expect(expect(result).toReachCheckpoint(breaking)).rejects.toThrow('no You said [redacted]')
  })

  it('toCallTool matches a tool by its name without the server', async () => {
    const calling = {
      execute: async () => agentReply('x', { toolCalls: [{ name: 'files__delete', arguments: {} }] }),
    }
    const { results } = await createEvalSuite({ agent: calling }).run([{ input: 'x' }])
    expect(results[0]).toCallTool('delete')
    expect(() => expect(results[0]).not.toCallTool('delete')).toThrow('delete was called')
  })
})

describeAgent('an agent', { agent }, [talk])

describe('describeAgent in a project of its own', () => {
  it('a case that fails is a failed test with its reason and the conversation', () => {
    const cwd = project({
      'package.json': '{"type": "module"}',
      'booking.test.ts': `import { describeAgent } from 'vivavoce/vitest'
import { afterTurns, fieldEquals } from 'vivavoce'
const agent = {
  async execute(input: string) {
    if (input === 'break') throw new Error('it broke')
    return { said: input, done: input === 'done' }
  },
}
const talk = (id: string, last: string) => ({
  id, input: 'hi',
  multiTurn: { followUpInputs: [{ input: last }], terminateWhen: [fieldEquals('done', true), afterTurns(4)] },
})
describeAgent('booking', { agent }, [talk('ends', 'done'), talk('never', 'more'), talk('breaks', 'break'), { id: 'left', input: 'x', skip: true }, { id: 'unchecked', input: 'x' }])
`,
    })
    installViva(cwd, 'vitest', 'vite')
    const bin = join(repository, 'node_modules/vitest/vitest.mjs')
    const env = { ...process.env, NO_COLOR: '1', VITEST: undefined }
    const { stdout, stderr, status } = spawnSync(process.execPath, [bin, 'run'], {
      cwd,
      encoding: 'utf8',
      env,
    })
    const printed = stdout + stderr
    expect(printed).toContain('3 failed | 1 passed | 1 skipped')
    expect(printed).toContain('there is nothing left to say, and no condition was met')
    expect(printed).toContain('unchecked checks nothing but that the agent answers')
    expect(printed).toContain('2 agent: {"said":"more","done":false}')
    expect(printed).toContain('2 user: "break"\n2 error: agent error: it broke')
    expect(status).toBe(1)
  })
})
