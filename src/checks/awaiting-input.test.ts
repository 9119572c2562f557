import { expect, it } from 'vitest'
import type { Awaiting } from '../results/transcript/turn.ts'
import { judge, validationProblems } from './conversation.fixture.ts'

const asking: Awaiting = { awaiting: true, reason: 'content_is_question', match: 'Which type?' }
const done: Awaiting = { awaiting: false, reason: 'completed' }

it('compares with the detected state of the turn and names the reason', async () => {
  expect(await judge({ type: 'awaiting_input' }, { awaiting: asking })).toMatchObject({
    status: 'passed',
    reason: 'the agent waits for an answer (content_is_question: "Which type?")',
    expected: true,
    actual: true,
  })
  expect(await judge({ type: 'awaiting_input', value: true }, { awaiting: done })).toMatchObject({
    status: 'failed',
    reason: 'the agent does not wait for an answer (completed), expected waits for an answer',
  })
  expect((await judge({ type: 'awaiting_input', value: false }, { awaiting: done })).status).toBe('passed')
  expect(
    (await judge({ type: 'awaiting_input', value: false, negate: true }, { awaiting: done })).status,
  ).toBe('failed')
})

it('looks at the last reply after the conversation, or at the given turn', async () => {
  const answers = [{ awaiting: asking }, { awaiting: done }]
  expect((await judge({ type: 'awaiting_input', value: false }, answers, { where: 'final' })).status).toBe(
    'passed',
  )
  expect((await judge({ type: 'awaiting_input', turn: 1 }, answers, { where: 'final' })).status).toBe(
    'passed',
  )
  expect((await judge({ type: 'awaiting_input', scope: 'all' }, answers, { where: 'final' })).status).toBe(
    'failed',
  )
})

it('is unknown if the agent did not answer', async () => {
  expect((await judge({ type: 'awaiting_input', value: false }, { silent: true })).status).toBe('unknown')
})

it('accepts only true or false', () => {
  expect(validationProblems({ type: 'awaiting_input', value: 'yes' })).toHaveLength(1)
})
