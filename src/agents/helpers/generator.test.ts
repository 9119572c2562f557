import { describe, expect, it } from 'vitest'
import type { Data } from '../../results/transcript/message.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { Agent } from '../agent.ts'
import { type GeneratorRequest, generateCases, readGeneratedCases, sameCase } from './generator.ts'
import { nearlySame } from './viva-generator.ts'

/** A generator that gives these in turn, the last one for ever. */
async function generate(given: unknown[], more: Partial<GeneratorRequest> = {}, count = 3) {
  const asked: Data[] = []
  const agent: Agent = {
    id: 'gen',
    input: 'messages',
    history: 'given',
    tools: 'hidden',
    open: async () => ({
      async send({ options }) {
        asked.push(options.metadata as Data)
        const output = given[asked.length - 1] ?? given.at(-1)
        return {
          output,
          content: typeof output === 'string' ? output : '',
          messages: [],
          toolCalls: 'hidden',
        }
      },
      close: async () => {},
    }),
  }
  const request: GeneratorRequest = {
    params: { count, focus: 'errors' },
    problemsOf: ({ asserts, input }) =>
      asserts !== undefined ? ['unknown key "asserts"'] : input === undefined ? ['there is no input'] : [],
    alike: sameCase,
    ...more,
  }
  return { asked, ...(await generateCases(agent, request, createPlainScope())) }
}

const ids = (cases: Data[]) => cases.map(({ id }) => id)

describe('the shapes of cases', () => {
  const one = { id: 'a', input: 'Hi' }
  it.each<[string, unknown, unknown[]]>([
    ['a list', [one], [one]],
    ['{cases}', { cases: [one] }, [one]],
    ['{test_cases}', { test_cases: [one] }, [one]],
    ['one case', one, [one]],
    ['one with turns', { turns: [] }, [{ turns: [] }]],
    ['JSON', JSON.stringify({ cases: [one] }), [one]],
    ['fenced', `Sure!\n\`\`\`json\n${JSON.stringify([one])}\n\`\`\``, [one]],
    ['in prose', `They are: ${JSON.stringify([one])}. Enjoy.`, [one]],
    ['none', { cases: [] }, []],
    ['JSON Lines', `${JSON.stringify(one)}\n${JSON.stringify(one)}`, [one, one]],
  ])('%s is read', (_, output, value) => {
    expect(readGeneratedCases({ output, content: typeof output === 'string' ? output : '' })).toEqual({
      value,
    })
  })

  it.each([['no cases here'], [''], [null], [7], [{ case: 1 }], [{ cases: 'many' }]])(
    '%j is none',
    (output) => {
      expect(readGeneratedCases({ output, content: '' })).toEqual({
        problem: expect.stringMatching(/^gave no cases/),
      })
    },
  )
})

describe('generated cases', () => {
  it('are asked for once, with what the user said', async () => {
    const { asked, cases, leftOut } = await generate([
      [
        { id: 'a', input: '1' },
        { id: 'b', input: '2' },
      ],
    ])
    expect(asked).toEqual([{ count: 3, focus: 'errors' }])
    expect([ids(cases), leftOut]).toEqual([['a', 'b'], []])
  })

  it('have ids of their own, whatever they were called', async () => {
    const given = [
      { input: '1' },
      { id: 'a', input: '2' },
      { id: 'a', input: '3' },
      { id: 7, input: '4' },
      { id: ' ', input: '5' },
    ]
    expect(ids((await generate([given], {}, 9)).cases)).toEqual(['G001', 'a', 'a-2', '7', 'G005'])
    expect(ids((await generate([[{ id: '../../x', input: '1' }]])).cases)).toEqual(['../../x'])
  })

  it('that are not valid are sent back once, with what is wrong', async () => {
    const wrong = { id: 'w', input: '1', asserts: [] }
    const { asked, cases, leftOut } = await generate([
      [{ id: 'a', input: '0' }, wrong, null],
      { cases: [{ id: 'w', input: '1' }] },
    ])
    expect(asked[1]).toMatchObject({
      count: 2,
      invalid: [
        { case: wrong, problems: ['unknown key "asserts"'] },
        { case: null, problems: ['a case must be an object, got null'] },
      ],
    })
    expect(ids(cases)).toEqual(['a', 'w'])
    expect(leftOut).toEqual([{ id: 'G003', why: 'a case must be an object, got null' }])
  })

  it('that stay wrong are left out, and told', async () => {
    const { cases, leftOut } = await generate([[{ id: 'w', input: '1', asserts: [] }]])
    expect([cases, leftOut]).toEqual([[], [{ id: 'w', why: 'unknown key "asserts"' }]])
    const given = [
      { id: 'a', input: '1' },
      { id: 'w', input: '2', asserts: [] },
    ]
    for (const second of [{ cases: [] }, 'sorry', given]) {
      const again = await generate([given, second])
      expect([ids(again.cases), again.leftOut]).toEqual([['a'], [{ id: 'w', why: 'unknown key "asserts"' }]])
    }
  })

  it('are no more than were asked for', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `c${index}`, input: String(index) }))
    const { cases, leftOut } = await generate([many])
    expect([ids(cases), leftOut]).toEqual([
      ['c0', 'c1', 'c2'],
      [{ id: '9997 more', why: '3 were asked for' }],
    ])
  })

  it('are not the same twice', async () => {
    const { cases, leftOut } = await generate([
      [
        { id: 'a', input: 'Hi' },
        { id: 'b', input: 'Hi' },
        { id: 'c', input: 'Hi!' },
      ],
    ])
    expect([ids(cases), leftOut]).toEqual([['a', 'c'], [{ id: 'b', why: 'it is like a' }]])
  })

  it('that cannot be read are asked for again, and then not guessed', async () => {
    expect(ids((await generate(['sorry', [{ id: 'a', input: '1' }]])).cases)).toEqual(['a'])
    await expect(generate(['sorry'])).rejects.toThrow(/^gen gave no cases .*\(asked twice\): sorry$/)
  })

  it('may be none', async () => {
    expect(await generate([[]])).toMatchObject({ cases: [], leftOut: [] })
  })
})

describe('cases that are nearly the same', () => {
  it.each<[Data, Data, boolean]>([
    [{ input: 'Book a flight to Rome' }, { input: 'book a flight to rome!' }, true],
    [{ input: 'Book a flight to Rome' }, { input: 'Book a flight to Paris' }, false],
    [{ input: 'Hi' }, { turns: [{ input: 'Hi' }] }, true],
    [{ turns: [{ input: 'a' }, { input: 'b' }] }, { turns: [{ input: 'a' }, { input: 'c' }] }, false],
    [{ input: '你好 世界' }, { input: '你好 世界' }, true],
    [{ input: '' }, { input: 'x' }, false],
    [{ turns: [null] }, { input: 'x' }, false],
  ])('%j and %j: %s', (left, right, alike) => {
    expect(nearlySame(left, right)).toBe(alike)
  })
})
