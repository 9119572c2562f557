import { z } from 'zod'
import { formatDollars } from '../text/dollars.ts'
import { comparisonVerdict, defineAssertion } from './definition.ts'

export const costCheck = defineAssertion({
  type: 'cost',
  about:
    'The reply cost at most this much, including tools; as a final assertion, all replies together. ' +
    'Simulators and judges are not included. The result is `unknown` if a price is unknown.',
  fields: {
    max: z
      .number({ error: () => 'cost needs a "max": a number of US dollars, like 0.01' })
      .min(0, 'the "max" of cost must not be below 0')
      .describe('The maximum cost, in US dollars.'),
  },
  example: { type: 'cost', max: 0.01 },
  looksAt: 'turns',
  compile({ max }) {
    return ({ turns }) => {
      const costs = turns.map(({ reply }) => reply?.usage?.cost)
      const unknown = costs.indexOf(undefined)
      if (unknown !== -1) {
        const which = turns.length > 1 ? ` (turn ${turns[unknown]?.number})` : ''
        const reason = `the cost of the reply${which} is unknown: it has no token counts, or its model has no price ("prices" in the config)`
        return { status: 'unknown', reason }
      }
      const spent = costs.reduce<number>((sum, part) => sum + (part ?? 0), 0)
      const which = turns.length > 1 ? `${turns.length} replies` : 'the reply'
      const verdict = comparisonVerdict(
        spent <= max,
        `${which} cost ${formatDollars(spent)}`,
        `at most ${formatDollars(max)}`,
      )
      return { ...verdict, expected: max, actual: spent }
    }
  },
})
