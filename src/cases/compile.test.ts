import { describe, expect, it } from 'vitest'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import type { View } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import type { AuthoredCase } from './case-schema.ts'
import { compileCase } from './compile.ts'
import { caseEntry, hashCase } from './entry.ts'
import { noSpeakers } from './speakers.ts'

const settings = {
  helpers: noCheckHelpers,
  speakers: noSpeakers,
  findFile: (source: string) => {
    throw new Error(`${source}: no such file`)
  },
}

const place = { file: 'a.jsonl', line: 1, at: { inline: null } }

function entry(authored: AuthoredCase) {
  return caseEntry(authored, hashCase(authored), place)
}

/** The messages of the author's source, turn by turn. */
async function turns(authored: Partial<AuthoredCase>) {
  const { plan } = compileCase({ id: 'x', ...authored }, settings)
  const [author] = plan.sources
  const view: View = { history: [], turns: [] }
  const said: { input: unknown; source: string; checks: string[] }[] = []
  while (author?.wants(view, said.length)) {
    const next = await author.next(
      { view, spoken: said.length, checkpoints: [], maxTurns: 20 },
      createPlainScope(),
    )
    if (!('say' in next)) break
    said.push({ input: next.say.value, source: next.source, checks: next.checks.map(({ type }) => type) })
  }
  return { plan, said }
}

const contains = { type: 'contains' as const, value: 'x' }

describe('compileCase', () => {
  it('compiles an input to one turn with the checks of the case', async () => {
    const { plan, said } = await turns({ input: 'hi', assert: contains })
    expect(said).toEqual([{ input: 'hi', source: 'initial', checks: ['contains'] }])
    expect(plan).toMatchObject({
      singleTurn: true,
      history: [],
      finals: [],
      maxTurns: 20,
      onMissingInput: 'skip',
    })
  })

  it('uses the last user message of a list as turn 1 and the rest as history', async () => {
    const { plan, said } = await turns({
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', function: { name: 'f', arguments: '{"x":1}' } }],
        },
        { role: 'tool', content: 'r', tool_call_id: '1' },
        { role: 'user', content: 'b' },
      ],
    })
    expect(said.map(({ input }) => input)).toEqual(['b'])
    expect(plan.history).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'f', arguments: { x: 1 } }] },
      { role: 'tool', content: 'r', toolCallId: '1' },
    ])
  })

  it('prefers `messages` to `input`', async () => {
    expect((await turns({ input: 'a', messages: [{ role: 'user', content: 'b' }] })).said[0]?.input).toBe('b')
  })

  it('continues with turns after a history that ends with the assistant', async () => {
    const messages = [
      { role: 'user' as const, content: 'a' },
      { role: 'assistant' as const, content: 'b' },
    ]
    const { plan, said } = await turns({ messages, turns: [{ input: 'c' }] })
    expect(plan.history).toHaveLength(2)
    expect(said).toEqual([{ input: 'c', source: 'static', checks: [] }])
  })

  it('applies case assertions to the last reply and turn assertions to their turn', async () => {
    const { plan, said } = await turns({
      turns: [
        { input: 'a', expected: 1 },
        { input: 'b', assertions: [contains] },
      ],
      assert: contains,
    })
    expect(said.map(({ checks }) => checks)).toEqual([['equals'], ['contains']])
    expect(plan.finals.map(({ type }) => type)).toEqual(['contains'])
    expect(plan.singleTurn).toBe(false)
  })

  it('treats a case with one turn as single-turn only if it says so', async () => {
    expect((await turns({ turns: [{ input: 'a' }] })).plan.singleTurn).toBe(false)
    expect(
      (await turns({ type: 'single_turn', turns: [{ input: 'a' }], assert: contains })).plan.singleTurn,
    ).toBe(true)
    expect((await turns({ type: 'multi_turn', input: 'a' })).plan.singleTurn).toBe(false)
  })

  it('prefers `assert` to `expected`, and checks an expected null', async () => {
    expect((await turns({ input: 'a', assert: contains, expected: 1 })).said[0]?.checks).toEqual(['contains'])
    expect((await turns({ input: 'a', expected: null })).said[0]?.checks).toEqual(['equals'])
  })

  it('raises the turn limit to the number of written turns', async () => {
    const many = Array.from({ length: 30 }, () => ({ input: 'a' }))
    expect((await turns({ turns: many })).plan.maxTurns).toBe(30)
  })

  it('prefers the --on-missing-input flag to the case', () => {
    const authored: AuthoredCase = { id: 'x', input: 'a', on_missing_input: 'fail' }
    expect(compileCase(authored, { ...settings, onMissingInput: 'end' }).plan.onMissingInput).toBe('end')
    expect(compileCase(authored, settings).plan.onMissingInput).toBe('fail')
  })
})

describe('a case entry', () => {
  it('has the same hash for any order of keys', () => {
    expect(entry({ id: 'x', input: 'a' }).hash).toBe(entry({ input: 'a', id: 'x' }).hash)
    expect(entry({ id: 'x', input: 'a' }).hash).not.toBe(entry({ id: 'x', input: 'b' }).hash)
  })

  it.each<[Partial<AuthoredCase>, boolean]>([
    [{ input: 'a' }, true],
    [{ input: 'a', assert: [] }, true],
    [{ turns: [{ input: 'a' }, { input: 'b' }] }, true],
    [{ input: 'a', expected: null }, false],
    [{ input: 'a', expected: [] }, false],
    [{ input: 'a', assert: contains }, false],
    [{ input: 'a', assert: { ...contains, gates: false } }, true],
    [{ turns: [{ input: 'a' }, { input: 'b', expected: 1 }] }, false],
    [{ turns: [{ input: 'a' }], final_assertions: [contains] }, false],
  ])('for %j has unchecked: %s', (authored, unchecked) => {
    expect(entry({ id: 'x', ...authored }).unchecked ?? false).toBe(unchecked)
  })
})

describe('the turn limit', () => {
  const limit = (authored: Partial<AuthoredCase>) =>
    compileCase({ id: 'x', turns: [{ input: 'a' }], ...authored }, settings).plan.maxTurns
  const afterTurns = (turns: number) => ({ type: 'after_turns' as const, turns })

  it.each([
    ['is 20 by default', {}, 20],
    ['is max_turns of the case', { max_turns: 3 }, 3],
    ['is that of an after_turns condition, even if larger', { terminate_when: [afterTurns(30)] }, 30],
    ['is the smaller of max_turns and after_turns', { max_turns: 8, terminate_when: [afterTurns(5)] }, 5],
    [
      'is max_turns of the simulator before that of the case',
      { max_turns: 8, simulator: { metadata: { max_turns: 4 } } },
      4,
    ],
  ])('%s', (_, authored, expected) => {
    expect(limit(authored as Partial<AuthoredCase>)).toBe(expected)
  })
})
