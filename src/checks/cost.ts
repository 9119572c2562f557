import { z } from 'zod'
import type { ModelUsage, Reply } from '../results/transcript/reply.ts'
import type { Context } from '../scope/context.ts'
import { formatDollars } from '../text/dollars.ts'
import { comparisonVerdict, defineAssertion } from './definition.ts'
import { show } from './describe.ts'
import { disclosureHint } from './disclosure-hint.ts'

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
    return ({ turns, scope }) => {
      const costs = turns.map(({ reply }) => reply?.usage?.cost)
      const unknown = turns[costs.indexOf(undefined)]
      if (unknown !== undefined) {
        const which = turns.length > 1 ? ` (turn ${unknown.number})` : ''
        const why = explainUnknown(unknown.reply, scope.context)
        return { status: 'unknown', reason: `the cost of the reply${which} is unknown: ${why}` }
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

/** What is missing, and what makes it known. */
function explainUnknown(reply: Reply | undefined, { agentId, disclosure }: Context): string {
  if (reply === undefined) return 'there is none'
  const { usage = {}, usageByModel = [usage], connector } = reply
  const unpriced: ModelUsage = usageByModel.find(({ cost }) => cost === undefined) ?? {}
  const { model, inputTokens, outputTokens } = unpriced
  if (inputTokens === undefined || outputTokens === undefined) {
    return `it has no token counts${disclosureHint(disclosure?.usage)}`
  }
  const name = model ?? connector ?? agentId
  const what = model === undefined ? 'its model has no price' : `the model ${show(model)} has no price`
  return `${what}. Add ${show(name)} to "prices" in the config`
}
