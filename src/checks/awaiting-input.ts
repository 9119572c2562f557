import { z } from 'zod'
import { comparisonVerdict, defineAssertion } from './definition.ts'
import { show } from './describe.ts'

export const awaitingInputCheck = defineAssertion({
  type: 'awaiting_input',
  about:
    'The agent waits for an answer after its reply (or, with `"value": false`, does not wait). A final ' +
    'assertion checks the last reply.',
  fields: { value: z.boolean().optional().describe('Whether it waits (default `true`).') },
  example: { type: 'awaiting_input', value: true },
  looksAt: 'turns',
  compile({ value = true }) {
    return ({ turns }) => {
      const turn = turns.findLast(({ reply }) => reply !== undefined)
      if (turn === undefined) return { status: 'unknown', reason: 'the agent gave no reply' }
      const { awaiting, reason, match } = turn.awaiting
      const why = match === undefined ? reason : `${reason}: ${show(match)}`
      const verdict = comparisonVerdict(
        awaiting === value,
        `the agent ${describeAwaiting(awaiting)} (${why})`,
        describeAwaiting(value),
      )
      return { ...verdict, expected: value, actual: awaiting }
    }
  },
})

function describeAwaiting(awaiting: boolean): string {
  return awaiting ? 'waits for an answer' : 'does not wait for an answer'
}
