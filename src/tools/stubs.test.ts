import { describe, expect, it } from 'vitest'
import { compileStubs, stubsSchema } from '../cases/stubs.ts'
import { createStandIn, type StubLayers, StubPlayer } from './stubs.ts'
import { ToolError } from './tool.ts'

const compile = (stubs: unknown) => compileStubs(stubsSchema.parse(stubs))
const { signal } = new AbortController()
const isReplaced = (stubs: StubLayers, tool: string) =>
  createStandIn(stubs, new StubPlayer(), false).replaces(tool)

async function answers(stubs: unknown, ...calls: unknown[]): Promise<unknown[]> {
  const player = new StubPlayer()
  const standIn = createStandIn([compile(stubs)], player, false)
  const given: unknown[] = []
  for (const args of calls) {
    given.push(await standIn.answer('desk__file', args, signal).catch((error: unknown) => error))
  }
  return given
}

describe('stubs', () => {
  it('match a tool with or without its server', () => {
    for (const name of ['file', 'desk__file', 'desk.file'])
      expect(isReplaced([compile({ [name]: { result: 1 } })], 'desk__file')).toBe(name !== 'desk.file')
    expect(isReplaced([compile({ ile: { result: 1 } })], 'desk__file')).toBe(false)
    expect(isReplaced([{}], 'desk__file')).toBe(false)
  })

  it.each([
    ['file', 'desk__file'],
    ['desk__file', 'file'],
    ['file', 'file'],
  ])('of the turn (%s) take precedence over those of the case (%s)', async (turn, ofCase) => {
    const layers = [compile({ [turn]: { result: 'turn' } }), compile({ [ofCase]: { result: 'case' } })]
    expect(await createStandIn(layers, new StubPlayer(), false).answer('desk__file', {}, signal)).toBe('turn')
  })

  it('match a process by its whole name, however its method is written', async () => {
    const standIn = createStandIn(
      [
        compile({
          send: { result: 1 },
          'http.get': { result: 2 },
          'models.a.Find': { when: { id: 3 }, result: 3 },
        }),
      ],
      new StubPlayer(),
      false,
    )
    const names = ['scripts.audit.send', 'send', 'http.Get', 'models.a.Find', 'models.a.Get']
    expect(names.map(standIn.replacesProcess)).toEqual([false, true, true, true, false])
    expect(await standIn.answerProcess('models.a.Find', [{ id: 3 }], signal)).toBe(3)
    await expect(standIn.answerProcess('models.a.Find', [{ id: 4 }], signal)).rejects.toThrow(
      'no stub of models.a.Find',
    )
  })

  it('are required for every tool with --stub-all', async () => {
    const standIn = createStandIn([compile({ file: { result: 1 } })], new StubPlayer(), true)
    await expect(standIn.answer('desk__send', {}, signal)).rejects.toThrow(
      'desk__send was called and is not stubbed',
    )
    expect(() => standIn.refuse('http.Get')).toThrow('http.Get was called and is not stubbed (--stub-all)')
    expect(() => createStandIn([], new StubPlayer(), false).refuse('http.Get')).not.toThrow()
  })

  it('repeat one answer, even null', async () => {
    expect(await answers({ file: { result: { id: 1 } } }, {}, {})).toEqual([{ id: 1 }, { id: 1 }])
    expect(await answers({ file: { result: null } }, {})).toEqual([null])
  })

  it('fail as the tool would', async () => {
    expect(await answers({ file: { error: 'busy' } }, {})).toEqual([new ToolError('busy')])
  })

  it('answer in sequence and repeat the last answer', async () => {
    const sequence = [{ error: 'busy' }, { result: 1 }, { result: 2, delay: '1ms' }]
    expect(await answers({ file: { sequence } }, {}, {}, {}, {})).toEqual([new ToolError('busy'), 1, 2, 2])
  })

  it('answer by arguments, each rule with its own sequence', async () => {
    const file = [
      { when: { amount: { $gt: 100 } }, error: 'too much' },
      { when: { kind: 'meal' }, sequence: [{ result: 'first' }, { result: 'second' }] },
      { result: 'any' },
    ]
    const calls = [{ amount: 200 }, { kind: 'meal' }, { amount: 1 }, { kind: 'meal' }]
    expect(await answers({ file }, ...calls)).toEqual([new ToolError('too much'), 'first', 'any', 'second'])
  })

  it('for other arguments leave the call without an answer, which is an error', async () => {
    const [error] = await answers({ file: { when: { kind: 'meal' }, result: 1 } }, { kind: 'hotel' })
    expect(error).toMatchObject({
      kind: 'stub',
      message: 'no stub of desk__file matches {"kind":"hotel"}: add one without "when" for all other calls',
    })
  })

  it.each([
    [{ file: {} }, 'a stub needs one of result, error, sequence'],
    [{ file: { result: 1, error: 'x' } }, 'result and error cannot be combined'],
    [{ file: { reslt: 1 } }, 'Unrecognized key'],
    [{ file: { sequence: [{}] } }, 'a stub needs one of result, error'],
    [{ file: { when: { a: { $regex: '(' } }, result: 1 } }, 'RE2'],
    [{ file: { result: 1, delay: '5 s' } }, 'bad duration "5 s"'],
    [{ file: [] }, 'Too small'],
  ])('are refused when they are empty or contradictory: %j', (stubs, message) => {
    expect(JSON.stringify(stubsSchema.safeParse(stubs).error?.issues)).toContain(
      message.replaceAll('"', '\\"'),
    )
  })
})
