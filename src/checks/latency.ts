import { z } from 'zod'
import { durationSchema } from '../json/validation/duration-schema.ts'
import { parseDuration, shortTime } from '../text/duration.ts'
import { comparisonVerdict, defineAssertion } from './definition.ts'

export const latencyCheck = defineAssertion({
  type: 'latency',
  about:
    'The reply came within this time, including the time of its tools. As a final assertion: every reply came ' +
    'within this time.',
  fields: {
    max: z
      .string({ error: () => 'latency needs a "max": a duration, like "2s"' })
      .pipe(durationSchema)
      .describe('The maximum time, as a Go duration: `2s`, `1m30s`, `250ms`.'),
  },
  example: { type: 'latency', max: '2s' },
  looksAt: 'turns',
  compile({ max }) {
    const limit = parseDuration(max) ?? 0
    return ({ turns }) => {
      const slowest = turns.reduce((slow, turn) => (turn.durationMs > slow.durationMs ? turn : slow))
      const taken = slowest.durationMs
      const which = turns.length > 1 ? `the slowest reply (turn ${slowest.number})` : 'the reply'
      const verdict = comparisonVerdict(taken <= limit, `${which} took ${shortTime(taken)}`, `at most ${max}`)
      return { ...verdict, expected: max, actual: shortTime(taken) }
    }
  },
})
