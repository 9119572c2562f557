import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentReply } from './agent.ts'
import { afterTurns } from './conditions.ts'
import { createOpenAIProvider } from './providers.ts'
import { reportToMarkdown } from './report-markdown.ts'
import type { PlayedResult } from './results.ts'
import { createEvalSuite } from './suite.ts'

const key = 'sk_quite_*secret*_4711'

class Booking {
  readonly reply: string
  constructor(reply: string) {
    this.reply = reply
  }
}

const metadata = { trace: new Booking('of the trace'), used: key }
const agent = {
  async execute(input: string) {
    if (input === 'break') throw new Error(`the key ${key} was refused`)
    const toolCalls = [{ name: 'sign', arguments: { key } }]
    return agentReply(new Booking(`signed with ${key}`), { toolCalls, metadata })
  },
}
const talk = {
  id: 'talk',
  description: `talks about ${key}`,
  input: `use ${key}`,
  multiTurn: { followUpInputs: [{ input: 'break' }], terminateWhen: [afterTurns(5)] },
}

describe('a secret in a conversation', () => {
  it('leaves the values of results as they were made', async () => {
    createOpenAIProvider({ apiKey: key })
    const told: PlayedResult<string, Booking>[] = []
    const { results } = await createEvalSuite({ agent }).run([talk, { id: key, input: 'x' }], {
      onResult: (result) => void told.push(result),
    })
    expect(results).toEqual(told)
    const [first] = results[0]?.conversationHistory ?? []
    expect(first?.input).toBe(`use ${key}`)
    expect(first?.output).toEqual(new Booking(`signed with ${key}`))
    expect(first).toMatchObject({ metadata, toolCalls: [{ name: 'sign', arguments: { key } }] })
    expect(results[1]).toMatchObject({ id: key, toolCalls: [{ arguments: { key } }] })
    expect(results[1]?.output).toBeInstanceOf(Booking)
  })

  it('is replaced in the texts that are made to be read', async () => {
    createOpenAIProvider({ apiKey: key })
    const judge = {
      evaluate: async () => ({
        passed: false,
        overallScore: 0,
        verdicts: [{ criterionId: 'secrecy', score: 0, reasoning: `it tells ${key}` }],
      }),
    }
    const { results } = await createEvalSuite({ agent, judge }).run([talk, { input: 'x' }])
    const refused = 'agent error: the key [redacted] was refused'
    expect(results[0]).toMatchObject({ error: refused, terminationDetail: refused })
    expect(results[0]?.conversationHistory[1]).toMatchObject({ turn: 2, input: 'break', error: refused })
    expect(results[1]).toMatchObject({
      error: 'the judge gives 0 of 100; secrecy 0: it tells [redacted]',
      verdicts: [{ reasoning: 'it tells [redacted]' }],
    })
  })

  it('is in no file, no report and no event', async () => {
    createOpenAIProvider({ apiKey: key })
    const cwd = mkdtempSync(join(tmpdir(), 'viva-secrets-'))
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
    const output = ['out.jsonl', 'out.md', 'out.json', 'out.xml', 'out.txt'].map((name) => join(cwd, name))
    const events: unknown[] = []
    const report = await createEvalSuite({ agent, agentDescription: `signs with ${key}` }).run([talk], {
      output,
      reporters: [{ name: 'events', on: (event) => void events.push(event) }],
    })
    const written = [...output.map((path) => readFileSync(path, 'utf8')), JSON.stringify(events)]
    const markdown = reportToMarkdown(report)
    for (const text of [...written, markdown]) expect(text).not.toMatch(/quite|4711/)
    expect(markdown).toContain('user: use &#91;redacted&#93;')
  })
})
