import { ConfigError } from '../errors.ts'
import { needsExample } from './ai-user.ts'
import type { AnyTestCase } from './compile-case.ts'
import { takesWords } from './held-values.ts'

/** Refuses `aiUser` without `buildInput` where the first input of the conversation does not show where its words go. */
export function checkWordedInputs(testCase: AnyTestCase, id: string): void {
  const { input, messages = [], multiTurn } = testCase
  const all = [input, ...(multiTurn?.followUpInputs.map((followUp) => followUp.input) ?? [])]
  const place = all.findIndex(needsExample)
  if (place === -1) return
  const [first = input] = messages.map(({ content }) => content)
  if (typeof first === 'function' || takesWords(first)) return
  const where = place === 0 ? 'input' : `multiTurn.followUpInputs[${place - 1}].input`
  const problem = 'aiUser does not know where its words go in the first input: give it `buildInput`'
  throw new ConfigError({ code: 'bad_case', message: `${id}: ${where}: ${problem}` })
}
