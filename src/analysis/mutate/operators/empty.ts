import { onlyText } from '../edit-reply.ts'
import type { Operator } from '../operator.ts'
import { spokenText } from '../spoken.ts'

export const empty: Operator = {
  name: 'empty',
  about: 'The agent says nothing, and does nothing.',
  damage: ({ reply }) =>
    spokenText(reply).trim() === '' ? [] : [{ what: 'said nothing', reply: onlyText(reply, '') }],
}
