import { changeNumber } from '../change-value.ts'
import { replaceInReply } from '../edit-reply.ts'
import { findNumbers } from '../facts.ts'
import type { Operator } from '../operator.ts'
import { replyText } from '../spoken.ts'

export const numberChanged: Operator = {
  name: 'number_changed',
  about: 'A number in the reply is another one.',
  damage: ({ reply }) =>
    findNumbers(replyText(reply)).map(({ text }) => {
      const wrong = changeNumber(text)
      return { what: `${text} became ${wrong}`, apply: () => replaceInReply(reply, text, wrong) }
    }),
}
