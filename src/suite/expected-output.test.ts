import { describe, expect, it } from 'vitest'
import { accuracy, schema } from './criteria.ts'
import { createJudge, type Judge } from './judge.ts'
import type { JudgeContext } from './judge-context.ts'
import { createScriptedProvider } from './providers.ts'
import { createEvalSuite } from './suite.ts'

const anyText = schema({ schema: { safeParse: (output) => ({ success: typeof output === 'string' }) } })
const content = { passed: true, overallScore: 100, verdicts: [] }

/** The agent says Lyon, and Paris is expected. */
async function play(judge: Judge) {
  const agent = { execute: async (_question: string) => 'Lyon' }
  const cases = [{ input: 'The capital of France?', expectedOutput: 'Paris' }]
  const { results } = await createEvalSuite({ agent, judge }).run(cases)
  return results[0]
}

describe('expectedOutput beside a judge', () => {
  it('is compared with the output where the judge has only validators', async () => {
    expect(await play(createJudge({ criteria: [anyText] }))).toMatchObject({
      passed: false,
      fault: 'agent',
      error: 'output is "Lyon", expected "Paris"',
      verdicts: [{ criterionId: 'schema', score: 100 }],
    })
  })

  it('is not compared where a validator says that it looks at it', async () => {
    const seen: unknown[] = []
    const close = {
      id: 'close',
      name: 'Close',
      description: 'The output is close to the expected one',
      usesExpectedOutput: true,
      validate({ expectedOutput }: JudgeContext) {
        seen.push(expectedOutput)
        return { score: 100, reasoning: 'close enough' }
      },
    }
    expect(await play(createJudge({ criteria: [anyText, close] }))).toMatchObject({ passed: true })
    expect(seen).toEqual(['Paris'])
  })

  it('is the reference answer of a judge that asks a model, and is left to it', async () => {
    const asked: string[] = []
    const provider = createScriptedProvider(({ messages }) => {
      asked.push(...messages.map((message) => String(message.content)))
      return { verdicts: [{ criterionId: 'accuracy', reasoning: 'near enough', score: 80 }] }
    })
    const judge = createJudge({ provider, criteria: [accuracy(), anyText] })
    expect(await play(judge)).toMatchObject({ passed: true, score: 90 })
    const [instructions, data] = asked
    expect(instructions).toContain('`a_reply_that_would_be_right` is a reference answer')
    expect(data).toContain('\n{"a_reply_that_would_be_right":"Paris"}\n')
  })

  it('is in the context of a judge of one’s own, and is left to it', async () => {
    const seen: JudgeContext[] = []
    const judge = {
      async evaluate(context: JudgeContext) {
        seen.push(context)
        return content
      },
    }
    expect(await play(judge)).toMatchObject({ passed: true })
    expect(seen).toMatchObject([{ output: 'Lyon', expectedOutput: 'Paris' }])
  })

  it('is compared where a judge of one’s own says that it does not use it', async () => {
    const judge = { usesExpectedOutput: false, evaluate: async () => content }
    expect(await play(judge)).toMatchObject({ passed: false, fault: 'agent' })
  })
})

describe('expectedOutput that cannot be compared', () => {
  it('passes nothing, and is neither the agent’s failure nor a bug of viva', async () => {
    class Sealed {
      readonly #secret = 1
      get isSealed() {
        return this.#secret === 1
      }
    }
    const agent = { execute: async (_input: string) => new Sealed() }
    const { results } = await createEvalSuite({ agent }).run([{ input: 'x', expectedOutput: new Sealed() }])
    expect(results[0]).toMatchObject({
      passed: false,
      fault: 'infrastructure',
      error: 'Sealed keeps its data to itself: compare what its methods give',
    })
  })
})

describe('usesExpectedOutput', () => {
  it('is refused on a criterion that a model judges: that always has the expected output', () => {
    const criteria = [{ ...accuracy(), usesExpectedOutput: false }]
    // @ts-expect-error: as in code without types
    expect(() => createJudge({ provider: createScriptedProvider([]), criteria })).toThrow(
      'criteria[0].usesExpectedOutput: is for criteria with `validate`',
    )
  })
})
