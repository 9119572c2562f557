import { changeDate } from '../change-value.ts'
import { replaceInReply } from '../edit-reply.ts'
import { findDates } from '../facts.ts'
import type { Operator } from '../operator.ts'
import { replyText } from '../spoken.ts'

export const dateChanged: Operator = {
  name: 'date_changed',
  about: 'A date, a weekday or a time of day in the reply is another one.',
  damage: ({ reply }) =>
    findDates(replyText(reply)).map(({ text }) => {
      const wrong = changeDate(text)
      return { what: `${text} became ${wrong}`, apply: () => replaceInReply(reply, text, wrong) }
    }),
}
