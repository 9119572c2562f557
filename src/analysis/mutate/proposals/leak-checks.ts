import { replyText } from '../spoken.ts'
import type { Suggest } from './candidate.ts'

const pattern = '(?i)(my|system|these) (instructions|prompt)'
const speaksOfPrompt = /(?:my|system|these) (?:instructions|prompt)/i

/** Instructions are not for users. It notices these words, and no others. */
export const suggestLeakChecks: Suggest = ({ original, damaged }) =>
  speaksOfPrompt.test(replyText(damaged)) && !speaksOfPrompt.test(replyText(original))
    ? [
        {
          assertion: { type: 'regex', pattern, negate: true },
          cost: 1.6,
          looksAt: 'reply',
          forAllTurns: true,
        },
      ]
    : []
