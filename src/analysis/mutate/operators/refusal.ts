import { onlyText } from '../edit-reply.ts'
import type { Operator } from '../operator.ts'
import { replyText } from '../spoken.ts'

const words = "I'm sorry, but I can't help with that."

/** What may be a refusal already is no worse as another one. */
const refuses = /\b(?:sorry|can(?:no|['’])t|unable|not able|only help|not allowed|decline|afraid)\b/i

export const refusal: Operator = {
  name: 'refusal',
  about: 'The agent refuses, and does nothing.',
  damage: ({ reply }) =>
    refuses.test(replyText(reply)) ? [] : [{ what: 'refused', apply: () => onlyText(reply, words) }],
}
