import { expect, it } from 'vitest'
import { judge, validationProblems } from './conversation.fixture.ts'

const latency = (max: unknown, more = {}) => ({ type: 'latency', max, ...more })
const answers = [{ durationMs: 1500 }, { durationMs: 3000 }, { durationMs: 20 }]

it('compares the time of the reply', async () => {
  expect(await judge(latency('2s'), answers, { turn: 1 })).toMatchObject({
    status: 'passed',
    reason: 'the reply took 1.5s',
    expected: '2s',
    actual: '1.5s',
  })
  expect(await judge(latency('2s'), answers, { turn: 2 })).toMatchObject({
    status: 'failed',
    reason: 'the reply took 3.0s, expected at most 2s',
  })
})

it('compares the slowest reply after the conversation', async () => {
  expect(await judge(latency('2s'), answers, { where: 'final' })).toMatchObject({
    status: 'failed',
    reason: 'the slowest reply (turn 2) took 3.0s, expected at most 2s',
  })
  expect((await judge(latency('3s'), answers, { where: 'final' })).status).toBe('passed')
  expect((await judge(latency('2s', { scope: 'last' }), answers, { where: 'final' })).status).toBe('passed')
  expect((await judge(latency('2s', { turn: 2 }), answers, { where: 'final' })).status).toBe('failed')
})

it('is unknown if there was no reply', async () => {
  expect((await judge(latency('2s'), { silent: true })).status).toBe('unknown')
})

it("requires a duration in Go's form", () => {
  expect(validationProblems(latency('2 s'))).toEqual([
    `max: bad duration "2 s": use Go's form, like "30s", "1m30s" or "250ms"`,
  ])
  for (const wrong of [latency(2000), { type: 'latency' }])
    expect(validationProblems(wrong)).toEqual(['max: latency needs a "max": a duration, like "2s"'])
  expect(validationProblems(latency('2s', { path: 'a' }))).toEqual([
    'path: "path" selects a part of the output, but latency looks at whole turns',
  ])
})
