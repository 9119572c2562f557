import type { Model } from '../../models/model.ts'
import type { Data, Message } from '../../results/transcript/message.ts'
import { listMessages } from '../../results/transcript/turn.ts'
import { type StartWait, type Tool, waitOutsideCase } from '../../tools/tool.ts'
import { type Agent, plainSession, type Session } from '../agent.ts'
import { answerWithTools, type ToolLoop } from '../package/tool-loop.ts'

/** What a built-in helper says to its model. */
export interface HelperPrompts {
  instructions(params: Data, hasTools: boolean): string
  message(params: Data): string
  /** JSON Schema of the answer, for models that can be held to one. */
  answer?(params: Data): Data
}

/** Tools that its model may call. */
export interface HelperTools {
  load(scope: StartWait): Promise<Tool[]>
  limits: Pick<ToolLoop, 'maxTurn' | 'maxTurnKey'>
}

/** A built-in agent that is a model with instructions, and perhaps tools. */
export function modelHelper(
  id: string,
  model: (connector: unknown) => Model,
  { instructions, message, answer }: HelperPrompts,
  own?: HelperTools,
): Agent {
  const agent = helperAgent(id, async ({ input, view, options }, scope) => {
    const params = (options.metadata ?? {}) as Data
    // An answer that is sent back stands after the question that it answered.
    const [, ...corrections] = [...listMessages(view), input.message]
    const messages: Message[] = [
      { role: 'system', content: instructions(params, own !== undefined) },
      { role: 'user', content: message(params) },
      ...corrections,
    ]
    const schema = answer && { answerSchema: answer(params) }
    const request = { messages, settings: {}, ...schema }
    const chosen = model(options.connector)
    if (own === undefined) return chosen.generate({ ...request, tools: [] }, scope)
    const { maxTurn, maxTurnKey } = own.limits
    const loop = { agentId: id, tools: await own.load(scope), maxTurn, maxTurnKey, loop: true }
    return (await answerWithTools(loop, chosen, request, scope)).reply
  })
  return own === undefined
    ? agent
    : { ...agent, tools: 'served', toolNames: (signal) => listNames(own, signal) }
}

async function* listNames({ load }: HelperTools, signal: AbortSignal): AsyncGenerator<string> {
  for (const { name } of await load(waitOutsideCase(signal))) yield name
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
