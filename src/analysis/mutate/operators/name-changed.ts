import type { ToolCall } from '../../../results/transcript/message.ts'
import { changeName } from '../change-value.ts'
import { replaceInReply } from '../edit-reply.ts'
import { findNames, namesInCalls } from '../facts.ts'
import type { Operator, ReplyPlace } from '../operator.ts'
import { replyText } from '../spoken.ts'

export const nameChanged: Operator = {
  name: 'name_changed',
  about: 'A name, a reference, or a value that a tool was given or returned, is another one in the reply.',
  damage: (place) => {
    const { reply } = place
    return findNames(replyText(reply), namesInCalls(callsUntil(place))).map(({ text }) => {
      const wrong = changeName(text)
      return { what: `${text} became ${wrong}`, apply: () => replaceInReply(reply, text, wrong) }
    })
  },
}

function callsUntil({ view, turn }: ReplyPlace): ToolCall[] {
  return view.turns
    .filter(({ number }) => number <= turn.number)
    .flatMap(({ reply }) => (reply === undefined || reply.toolCalls === 'hidden' ? [] : reply.toolCalls))
}
