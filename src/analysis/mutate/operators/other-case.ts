import { messageText } from '../../../results/transcript/message.ts'
import type { Reply } from '../../../results/transcript/reply.ts'
import { shorten } from '../../../text/shorten.ts'
import type { Operator } from '../operator.ts'
import { replyText, wordsOf } from '../spoken.ts'

export const otherCase: Operator = {
  name: 'other_case',
  about: 'The reply is the answer to another question: that of another case.',
  damage: ({ reply, turn, suite, choose }) => {
    const question = messageText(turn.input.message.content)
    const others = suite.answers.filter(
      (other) => other.input !== question && !isAlike(other.reply, reply) && !says(reply, other.reply),
    )
    const other = choose(others, 'answer')
    if (other === undefined) return []
    const { content, output, messages, toolCalls } = other.reply
    const what = `answered "${shorten(other.input, 60)}" of ${other.id}`
    return [{ what, reply: { ...reply, content, output, messages, toolCalls } }]
  },
}

/** So many words in common that one may do for the other. */
const alike = 0.5

function isAlike(left: Reply, right: Reply): boolean {
  const [one, other] = [new Set(wordsOf(replyText(left))), new Set(wordsOf(replyText(right)))]
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / Math.max(1, Math.min(one.size, other.size)) > alike
}

/** Whether the whole of an answer is a part of another one. */
function says(reply: Reply, other: Reply): boolean {
  return replyText(other).trim() === '' || replyText(reply).includes(replyText(other))
}
