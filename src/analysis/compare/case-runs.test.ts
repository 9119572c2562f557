import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import { gatherRuns } from './case-runs.ts'

function answered(run: number, output: string): CaseResult {
  const message = { role: 'user' as const, content: 'hi' }
  const turn = {
    number: 1,
    source: 'initial' as const,
    input: { value: 'hi', message },
    reply: { output, content: output, messages: [], toolCalls: [] },
    checks: [],
    awaiting: { awaiting: false, reason: 'completed' as const },
    durationMs: 1,
  }
  const key = { file: 'a.jsonl', id: 'T1', variant: 'a', run, attempt: 1 }
  return caseResult({ key, view: { history: [], turns: [turn] } })
}

async function outputOf(...results: CaseResult[]): Promise<unknown> {
  async function* all() {
    yield* results
  }
  const [runs] = await gatherRuns(all())
  return runs?.output
}

describe('gatherRuns', () => {
  it('takes the most frequent output, and of equally frequent ones that of the first run, whichever finished first', async () => {
    const [one, two, three] = [answered(1, 'tea'), answered(2, 'cake'), answered(3, 'cake')]
    expect(await outputOf(one, two, three)).toBe('cake')
    expect(await outputOf(two, one)).toBe('tea')
    expect(await outputOf(one, two)).toBe('tea')
  })
})
