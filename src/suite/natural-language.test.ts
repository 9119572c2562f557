import { describe, expect, it } from 'vitest'
import { askJudge } from '../agents/helpers/judge.ts'
import { createVivaJudge } from '../agents/helpers/viva-judge.ts'
import { compileCondition } from '../cases/conditions.ts'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import { type Condition, evaluateConditions } from '../conversation/conditions.ts'
import type { ModelRequest } from '../models/model.ts'
import type { View } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { naturalLanguage } from './natural-language.ts'
import { createScriptedProvider } from './providers.ts'

const said = (content: string) => ({ value: content, message: { role: 'user' as const, content } })
const view: View = {
  history: [],
  turns: [
    {
      number: 1,
      source: 'initial',
      input: said('A table for 4'),
      reply: { output: 'Booked.', content: 'Booked.', messages: [], toolCalls: 'hidden' },
      checks: [],
      awaiting: { awaiting: false, reason: 'completed' },
      durationMs: 0,
    },
  ],
}

/** A condition of a case file and one of a suite, on models that give this answer and keep what they are asked. */
function bothWays(answer: unknown): { requests: ModelRequest[]; conditions: Condition[] } {
  const requests: ModelRequest[] = []
  const provider = createScriptedProvider((request) => {
    requests.push(request)
    return answer
  })
  const judge = createVivaJudge('viva.judge', () => provider)
  const helpers = {
    ...noCheckHelpers,
    judge: (
      _: string,
      ...[question, scope]: [Parameters<typeof askJudge>[1], Parameters<typeof askJudge>[2]]
    ) => askJudge(judge, question, scope),
  }
  const prompt = 'Is the table booked?'
  const written = compileCondition({ type: 'natural_language', prompt }, helpers)
  return { requests, conditions: [written, naturalLanguage({ provider, prompt }).condition] }
}

describe('a question in natural language', () => {
  it('is asked with the same words by case files and by suites', async () => {
    const { requests, conditions } = bothWays({ reason: 'it says so', confidence: 0.9 })
    for (const condition of conditions)
      expect(await evaluateConditions([condition], view, createPlainScope())).toEqual({
        is: 'met',
        reason: 'it says so (0.9 of 0.7)',
      })
    expect(requests).toHaveLength(2)
    expect(requests[0]).toEqual(requests[1])
    const [system, data] = requests[0]?.messages.map(({ content }) => String(content)) ?? []
    expect(system).toContain('answer one question about it:\nIs the table booked?\n')
    expect(data).toContain('\n{"role":"assistant","content":"Booked.","tool_calls":"not shown"}\n')
  })

  it.each<[unknown, string]>([
    [{ reason: 'not yet', confidence: 0.1 }, 'not_met'],
    [{ reason: 'no', verdict: 'fail', score: 0.9 }, 'not_met'],
    [{ reason: 'who knows', confidence: 'unknown' }, 'error'],
    [{ reason: 'sure', confidence: 90 }, 'error'],
    ['Yes, it is {"reason": "booked", "confidence": 1}', 'error'],
  ])('is read with the same rules by both: %j', async (answer, outcome) => {
    for (const condition of bothWays(answer).conditions)
      expect((await evaluateConditions([condition], view, createPlainScope())).is).toBe(outcome)
  })
})
