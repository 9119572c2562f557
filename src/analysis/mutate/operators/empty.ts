import { onlyText } from '../edit-reply.ts'
import type { Operator } from '../operator.ts'
import { replyText } from '../spoken.ts'

export const empty: Operator = {
  name: 'empty',
  about: 'The agent says nothing, and does nothing.',
  damage: ({ reply }) =>
    replyText(reply).trim() === '' ? [] : [{ what: 'said nothing', apply: () => onlyText(reply, '') }],
}
