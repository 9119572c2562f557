import { messageText } from '../../../results/transcript/message.ts'
import { shorten } from '../../../text/shorten.ts'
import type { Operator } from '../operator.ts'
import { replyText, wordsOf } from '../spoken.ts'

export const otherCase: Operator = {
  name: 'other_case',
  about: 'The reply is the answer to another question: that of another case.',
  damage: ({ reply, turn, suite, choose }) => {
    const question = messageText(turn.input.message.content)
    const [text, words] = [replyText(reply), new Set(wordsOf(replyText(reply)))]
    const others = suite.answers.filter((other) => {
      const said = replyText(other.reply)
      return other.input !== question && !isAlike(new Set(wordsOf(said)), words) && !says(text, said)
    })
    const other = choose(others, 'answer')
    if (other === undefined) return []
    const { content, output, messages, toolCalls } = other.reply
    const what = `answered "${shorten(other.input, 60)}" of ${other.id}`
    return [{ what, apply: () => ({ ...reply, content, output, messages, toolCalls }) }]
  },
}

/** So many words in common that one may do for the other. */
const alike = 0.5

function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / Math.max(1, Math.min(one.size, other.size)) > alike
}

/** Whether the whole of an answer is a part of another one. */
function says(text: string, other: string): boolean {
  return other.trim() === '' || text.includes(other)
}
