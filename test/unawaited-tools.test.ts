import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { play as playIn, project } from './support/viva.ts'

const agents = `
import { writeFileSync } from 'node:fs'

const refund = async ({ id }) => {
  writeFileSync('refunded', id)
  return { id }
}
export const careless = async (input, ctx) => {
  void ctx.tools({ refund }).refund({ id: 'A1' }).catch(() => {})
  return 'done'
}

export const hanging = async (input, ctx) => {
  const { lookUp } = ctx.tools({ lookUp: () => new Promise(() => {}) })
  return await lookUp({})
}

let tools
let calls = 0
let meet
const together = new Promise((resolve) => { meet = resolve })
export const caching = async (input, ctx) => {
  calls += 1
  if (calls === 3) meet()
  await together
  tools ??= ctx.tools({ lookUp: async ({ ms }) => { await new Promise((end) => setTimeout(end, ms)); return ms } })
  return await tools.lookUp({ ms: 30 })
}

/** Wraps its tools in every call, but goes on with what it has built in the first one. */
let built
export const building = async (input, ctx) => {
  const tools = ctx.tools({ lookUp: async () => new Promise((end) => setTimeout(end, 30, 'shipped')) })
  calls += 1
  if (calls === 3) meet()
  await together
  built ??= () => tools.lookUp({})
  return await built()
}

const sessions = new Map()
export const keeping = async (input, ctx) => {
  const tools = ctx.tools({ lookUp: async () => 'shipped' })
  if (!sessions.has(ctx.sessionId)) sessions.set(ctx.sessionId, tools)
  return await sessions.get(ctx.sessionId).lookUp({}).catch(() => 'Sorry, I cannot do that.')
}

/** One call after the other, whoever makes them. */
let last = Promise.resolve()
export const queueing = (input, ctx) => {
  const { lookUp } = ctx.tools({ lookUp: async () => input })
  last = last.then(() => lookUp({}))
  return last
}
`

const play = async (name: string, cases: readonly object[], ...flags: string[]) => {
  const cwd = project({ 'agent.mjs': agents })
  return { cwd, ...(await playIn(cwd, cases, ['-n', `./agent.mjs#${name}`, ...flags])) }
}

describe('a tool whose end the agent does not await', () => {
  const notCalled = { id: 'a', input: 'x', assert: { type: 'tool_not_called', name: 'refund' } }

  it('is called and listed', async () => {
    const { cwd, lines } = await play('careless', [notCalled])
    expect(existsSync(join(cwd, 'refunded'))).toBe(true)
    expect(lines).toMatchObject([
      { status: 'failed', fault: 'agent', tool_calls: [{ name: 'refund', args: { id: 'A1' } }] },
    ])
  })

  it('is listed without a result where its stub takes longer than the agent', async () => {
    const stubs = { refund: { result: 1, delay: '1h' } }
    const { cwd, lines } = await play('careless', [{ ...notCalled, stubs }])
    expect(existsSync(join(cwd, 'refunded'))).toBe(false)
    expect(lines).toMatchObject([{ status: 'failed', tool_calls: [{ name: 'refund', stubbed: true }] }])
    expect(lines[0]?.tool_calls).not.toMatchObject([{ error: expect.anything() }])
  })

  it('is refused with --stub-all', async () => {
    const { cwd, lines } = await play('careless', [notCalled], '--stub-all')
    expect(existsSync(join(cwd, 'refunded'))).toBe(false)
    expect(lines).toMatchObject([
      { fault: 'infrastructure', error: 'refund was called and is not stubbed (--stub-all)' },
    ])
  })
})

describe('a tool that never answers', () => {
  it('is a failure of the agent that it belongs to, unless its stub is what takes so long', async () => {
    const stubs = { lookUp: { result: 1, delay: '1h' } }
    const { lines } = await play('hanging', [
      { id: 'own', input: 'x', timeout: '1s' },
      { id: 'stubbed', input: 'x', timeout: '1s', stubs },
    ])
    expect(lines).toMatchObject([
      { id: 'own', fault: 'agent', error: 'timeout after 1s' },
      { id: 'stubbed', fault: 'infrastructure', error: 'timeout after 1s, waiting for tool lookUp' },
    ])
  })
})

describe('tools that are wrapped in one call and used in another', () => {
  const cases = ['a', 'b', 'c'].map((id) => ({
    id,
    input: id,
    assert: { type: 'tool_called', name: 'lookUp' },
  }))

  const note =
    'code of one call of the agent used lookUp as ctx.tools had returned it to another call (call ctx.tools in every call of the agent, and build there what keeps its tools)'

  it.each(['caching', 'building'])(
    'count for no case while the first call is under way: %s',
    async (name) => {
      const { exitCode, lines } = await play(name, cases, '--parallel', '3')
      expect(exitCode).toBe(3)
      expect(lines.map(({ status, fault, tool_calls, logs }) => [status, fault, tool_calls, logs])).toEqual(
        cases.map(() => [
          'failed',
          'infrastructure',
          'hidden',
          [`${note}, so that the tool calls of this turn are unknown`],
        ]),
      )
    },
  )

  it('are an error while the first call is under way and a stub may have answered', async () => {
    const { lines } = await play(
      'building',
      cases.map(({ id, input }) => ({ id, input, ...(id === 'a' && { stubs: { lookUp: { result: 1 } } }) })),
      '--parallel',
      '3',
    )
    expect(lines.map(({ fault, error }) => [fault, error])).toEqual(cases.map(() => ['infrastructure', note]))
  })

  it.each([[], ['--stub-all']])(
    'are an error of a later turn, even if the agent catches it: flags %j',
    async (...flags) => {
      const turns = [{ input: 'one' }, { input: 'two', assert: { type: 'tool_not_called', name: 'lookUp' } }]
      const stubs = { lookUp: { result: 1 } }
      const { exitCode, lines } = await play('keeping', [{ id: 'a', turns, stubs }], ...flags)
      expect(exitCode).toBe(3)
      expect(lines).toMatchObject([{ status: 'failed', fault: 'infrastructure', error: note }])
    },
  )

  it('are fine in a queue that the calls share', async () => {
    const { lines } = await play('queueing', cases, '--parallel', '3')
    expect(lines.map(({ status, output }) => [status, output])).toEqual([
      ['passed', 'a'],
      ['passed', 'b'],
      ['passed', 'c'],
    ])
  })
})
