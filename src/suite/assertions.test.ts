import { describe, expect, it } from 'vitest'
import { type AgentContext, agentReply } from './agent.ts'
import type { SuiteAssertions } from './assertions.ts'
import { afterTurns } from './conditions.ts'
import { accuracy } from './criteria.ts'
import { createJudge } from './judge.ts'
import { createScriptedProvider } from './providers.ts'
import { createEvalSuite } from './suite.ts'
import type { TestCase } from './test-case.ts'

const agent = {
  execute: (text: string, { turn }: AgentContext) =>
    agentReply({ reply: `You said ${text}`, turn }, { toolCalls: [{ name: text, arguments: { turn } }] }),
}
const suite = createEvalSuite({ agent })
type Case = TestCase<string, { reply: string; turn: number }>

async function play(testCase: Case) {
  const { results } = await suite.run([testCase])
  const [result] = results
  if (result === undefined) throw new Error('no result')
  return result
}

function talk(assert: SuiteAssertions | undefined, first?: SuiteAssertions, second?: SuiteAssertions): Case {
  const followUpInputs = [
    { input: 'more', assert: first },
    { input: 'bye', assert: second },
  ]
  return {
    input: 'hello',
    assert,
    multiTurn: { followUpInputs, terminateWhen: [afterTurns(3)], onMaxTurnsReached: 'pass' },
  }
}

describe('assert in a test case', () => {
  it('checks the reply with the assertions of case files', async () => {
    expect(
      await play({ input: 'hello', assert: { type: 'json_path', path: '$.reply', value: 'You said hello' } }),
    ).toMatchObject({ passed: true, unchecked: false })
    const failing = await play({
      input: 'hello',
      assert: [
        { type: 'contains', value: 'said' },
        { type: 'tool_called', name: 'pay' },
      ],
    })
    expect(failing).toMatchObject({ passed: false, fault: 'agent', error: expect.stringContaining('pay') })
  })

  it('checks the last reply of a conversation, the tool calls of all turns, and a turn that is named', async () => {
    const both: SuiteAssertions = [
      { type: 'json_path', path: 'turn', value: 3 },
      { type: 'tool_called', name: 'hello' },
    ]
    expect(await play(talk([...both, { type: 'json_path', path: 'turn', value: 1, turn: 1 }]))).toMatchObject(
      {
        passed: true,
      },
    )
    expect(await play(talk({ type: 'tool_called', name: 'hello', turn: 2 }))).toMatchObject({ passed: false })
  })

  it('of a follow-up input checks the reply to it', async () => {
    const said = (text: string) => ({ type: 'icontains' as const, path: 'reply', value: text })
    expect(await play(talk(undefined, said('more'), said('bye')))).toMatchObject({ passed: true })
    expect(await play(talk(undefined, said('bye')))).toMatchObject({
      passed: false,
      error: expect.stringContaining('bye'),
    })
  })

  it('is refused before anything is played, where it is misspelt or needs a project', async () => {
    const refused = (assert: unknown, place?: SuiteAssertions) =>
      suite
        .run([
          { id: 'wrong', ...talk(undefined, place), ...(assert === undefined ? {} : { assert }) } as Case,
        ])
        .catch(String)
    expect(await refused({ type: 'contain', value: 'x' })).toContain('did you mean "contains" or')
    expect(await refused({ type: 'contains', vaule: 'x' })).toContain('vaule')
    expect(await refused({ type: 'snapshot' })).toContain('wrong: assert: a suite has no snapshots')
    expect(await refused([{ type: 'judge', criteria: 'nice' }])).toContain('wrong: assert[0]: a suite asks')
    expect(
      await refused({ type: 'any_of', assertions: [{ type: 'state', call: { tool: 'a' }, value: 1 }] }),
    ).toContain('assert.assertions[0].call.tool: a suite has no MCP servers')
    expect(await refused(undefined, { type: 'regex', value: '(' })).toContain(
      'multiTurn.followUpInputs[0].assert',
    )
  })
})

it('what is refused has no type, also in a group', async () => {
  const accepted: SuiteAssertions = [
    {
      type: 'n_of',
      n: 1,
      assertions: [{ type: 'any_of', assertions: [{ type: 'contains', value: 'hello' }] }],
    },
    { type: 'similar', value: 'hello', threshold: 0.1, method: 'tokens' },
  ]
  expect(await play({ id: 'a', input: 'hello', assert: accepted })).toMatchObject({ passed: true })
  const refused: SuiteAssertions[] = [
    // @ts-expect-error a suite has its own judge
    { type: 'judge', criteria: 'nice' },
    // @ts-expect-error the same in a group
    { type: 'any_of', assertions: [{ type: 'judge', criteria: 'nice' }] },
    // @ts-expect-error and in a group of a group
    { type: 'all_of', assertions: [{ type: 'n_of', n: 1, assertions: [{ type: 'snapshot' }] }] },
    // @ts-expect-error a suite has no connectors
    { type: 'similar', value: 'x', method: 'embedding', connector: 'embedder' },
    // @ts-expect-error only some groups count
    { type: 'any_of', n: 1, assertions: [{ type: 'contains', value: 'x' }] },
  ]
  for (const assert of refused)
    await expect(suite.run([{ id: 'a', input: 'hello', assert }])).rejects.toThrow()
})

describe('the judge of a case', () => {
  const isLong = (limit: number) => ({
    id: `over-${limit}`,
    name: 'Long',
    description: `Longer than ${limit}`,
    validate: ({ output }: { output: unknown }) => ({
      score: String(output).length > limit ? 100 : 0,
      reasoning: 'counted',
    }),
  })
  const judged = createEvalSuite({
    agent: { execute: (text: string) => text },
    judge: createJudge({ criteria: [isLong(3)] }),
  })
  const play = async (more: object) => {
    const { results } = await judged.run([{ id: 'a', input: 'hello', ...more }])
    return results[0]?.verdicts.map(({ criterionId, score }) => [criterionId, score])
  }

  it('replaces that of the suite, and its criteria are added to those of the judge', async () => {
    expect(await play({})).toEqual([['over-3', 100]])
    expect(await play({ judge: createJudge({ criteria: [isLong(9)] }) })).toEqual([['over-9', 0]])
    expect(await play({ criteria: [isLong(4)] })).toEqual([
      ['over-3', 100],
      ['over-4', 100],
    ])
    expect(await play({ judge: createJudge({ criteria: [isLong(9)] }), criteria: [isLong(4)] })).toEqual([
      ['over-9', 0],
      ['over-4', 100],
    ])
    const { results } = await createEvalSuite({ agent: { execute: (text: string) => text } }).run([
      { input: 'hello', criteria: [isLong(9)] },
    ])
    expect(results[0]).toMatchObject({ passed: false, score: 0 })
  })

  it('asks its model for the criteria of the case together with its own', async () => {
    const provider = createScriptedProvider(({ messages }) => {
      const asked = JSON.stringify(messages)
      return {
        criteria: ['accuracy', 'polite']
          .filter((id) => asked.includes(id))
          .map((criterion) => ({ criterion, reason: 'seen', score: 80 })),
      }
    })
    const polite = { id: 'polite', name: 'Polite', description: 'It says please' }
    const { results } = await createEvalSuite({
      agent: { execute: (text: string) => text },
      judge: createJudge({ provider, criteria: [accuracy()] }),
    }).run([{ input: 'hello', criteria: [polite] }])
    expect(results[0]?.verdicts.map(({ criterionId }) => criterionId)).toEqual(['accuracy', 'polite'])
  })

  it('is refused where it is none, or its criteria have no judge that takes them', async () => {
    const wrong = (more: object, judge?: object) =>
      createEvalSuite({ agent: { execute: (text: string) => text }, ...judge })
        .run([{ id: 'wrong', input: 'x', ...more }])
        .catch(String)
    expect(await wrong({ judge: {} })).toContain('wrong: judge: has no evaluate(context)')
    expect(await wrong({ criteria: [] })).toContain('at least one criterion')
    expect(await wrong({ criteria: [accuracy()] })).toContain('criterion accuracy needs a provider')
    const own = { evaluate: async () => ({ passed: true, overallScore: 100, verdicts: [] }) }
    expect(await wrong({ criteria: [isLong(1)] }, { judge: own })).toContain('takes no criteria')
    const same = createJudge({ criteria: [isLong(1)] })
    expect(await wrong({ criteria: [isLong(1)] }, { judge: same })).toContain('two criteria have the id')
  })
})
