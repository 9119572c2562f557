import { ConfigError } from '../errors.ts'
import { needsExample } from './ai-user.ts'
import type { AnyTestCase } from './compile-case.ts'
import { takesWords } from './held-values.ts'

/**
 * Refuses `aiUser` without `buildInput` where its words make no input: it words the first input of the conversation anew,
 * and begins one with a text.
 */
export function checkWordedInputs(testCase: AnyTestCase, id: string, takesNoTexts: () => boolean): void {
  const { input, messages = [], multiTurn } = testCase
  const all = [input, ...(multiTurn?.followUpInputs.map((followUp) => followUp.input) ?? [])]
  const place = all.findIndex(needsExample)
  if (place === -1) return
  const [first = input] = messages.map(({ content }) => content)
  const where = place === 0 ? 'input' : `multiTurn.followUpInputs[${place - 1}].input`
  const problem = (message: string) =>
    new ConfigError({ code: 'bad_case', message: `${id}: ${where}: ${message}: give it \`buildInput\`` })
  if (typeof first !== 'function' && !takesWords(first))
    throw problem('aiUser does not know where its words go in the first input')
  if (place === 0 && messages.length === 0 && takesNoTexts())
    throw problem('aiUser begins with a text, but no other input of the suite is one')
}

/** Whether the inputs that are written in these cases show that the agent takes no texts. */
export function onlyObjects(cases: readonly AnyTestCase[]): boolean {
  const inputs = cases.flatMap((testCase) => [
    testCase?.input,
    ...(testCase?.multiTurn?.followUpInputs?.map?.((followUp) => followUp?.input) ?? []),
  ])
  const written = inputs.filter((input) => typeof input !== 'function' && input !== undefined)
  return written.length > 0 && !written.some((input) => typeof input === 'string')
}
