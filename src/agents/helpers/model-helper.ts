import type { Model } from '../../models/model.ts'
import type { Data, Message } from '../../results/transcript/message.ts'
import { listMessages } from '../../results/transcript/turn.ts'
import { type Agent, plainSession, type Session } from '../agent.ts'

/** What a built-in helper says to its model. */
export interface HelperPrompts {
  instructions(params: Data): string
  message(params: Data): string
  /** JSON Schema of the answer, for models that can be held to one. */
  answer?(params: Data): Data
}

/** A built-in agent that is a model with instructions. */
export function modelHelper(
  id: string,
  model: (connector: unknown) => Model,
  { instructions, message, answer }: HelperPrompts,
): Agent {
  return helperAgent(id, async ({ input, view, options }, scope) => {
    const params = (options.metadata ?? {}) as Data
    // An answer that is sent back stands after the question that it answered.
    const [, ...corrections] = [...listMessages(view), input.message]
    const messages: Message[] = [
      { role: 'system', content: instructions(params) },
      { role: 'user', content: message(params) },
      ...corrections,
    ]
    const schema = answer && { answerSchema: answer(params) }
    return model(options.connector).generate({ messages, tools: [], settings: {}, ...schema }, scope)
  })
}

/** An agent that works for the test: what it does besides answering is of no interest. */
export function helperAgent(id: string, send: Session['send']): Agent {
  return { id, input: 'messages', history: 'given', tools: 'hidden', open: async () => plainSession(send) }
}

/** What else the author asks for: all parameters but the known ones, whose names stand in a text. */
export function otherWords(params: Data, known: string): string[] {
  const names = known.split(' ')
  const others = Object.entries(params).filter(([key]) => !names.includes(key))
  return others.length === 0 ? [] : [`Also: ${JSON.stringify(Object.fromEntries(others))}`]
}

/** The strict form that providers ask for: all keys, no others. */
export function objectSchema(properties: Data): Data {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
