import { z } from 'zod'
import { type Message, textOf } from '../transcript/message.ts'
import { messagesOf } from '../transcript/turn.ts'
import { defineAssertion } from './definition.ts'

export const agent = defineAssertion({
  type: 'agent',
  about:
    'A validator agent finds that the reply meets the criteria. It is told the reply, the conversation and the criteria, and answers `{"passed": true, "reason": …}`.',
  fields: {
    use: z
      .string({ error: () => 'agent needs a "use": the validator, like "agents:workers.test.validator"' })
      .min(1)
      .describe('The validator: an agent (`agents:` may be left out), or a script (`scripts:`).'),
    value: z.unknown().optional().describe('The criteria, unless they are in `options.metadata.criteria`.'),
    options: z
      .strictObject({
        connector: z.string().optional().describe('Instead of the validator’s own'),
        metadata: z.record(z.string(), z.unknown()).optional().describe('Told to the validator'),
      })
      .optional()
      .describe('How the validator is asked.'),
  },
  example: {
    type: 'agent',
    use: 'agents:workers.test.validator',
    options: { metadata: { criteria: 'The reply is polite' } },
  },
  looksAt: 'output',
  asks: ({ use }) => [nameOf(use)],
  findProblems({ use, options }, helpers, problem) {
    const wrong = helpers.validatorProblem(nameOf(use), options?.connector)
    if (wrong !== undefined) problem('use', wrong)
  },
  compile({ use, value, options = {} }, _where, helpers) {
    const given = { ...options, ...(value === undefined ? {} : { criteria: value }) }
    return async ({ output, turns, view, scope }) => {
      const shown = {
        output,
        input: turns.at(-1)?.input.value ?? null,
        conversation: messagesOf(view).filter(isSpoken).map(spoken),
      }
      const { passed, reason, score } = await helpers.validate(nameOf(use), shown, given, scope)
      return {
        status: passed ? 'passed' : 'failed',
        reason,
        actual: output,
        ...(score !== undefined && { score }),
      }
    }
  },
})

function nameOf(use: string): string {
  return use.replace(/^agents:/, '')
}

function isSpoken({ role, content }: Message): boolean {
  return (role === 'user' || role === 'assistant') && textOf(content) !== ''
}

function spoken({ role, content }: Message) {
  return { role, content: textOf(content) }
}
