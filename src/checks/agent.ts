import { z } from 'zod'
import { defined } from '../json/defined.ts'
import { agentName } from '../text/agent-name.ts'
import { optionalOptions } from './context-options.ts'
import { defineAssertion, optionalName } from './definition.ts'
import { findingVerdict } from './judged.ts'
import { shownToJudge } from './shown-conversation.ts'

export const agentCheck = defineAssertion({
  type: 'agent',
  about:
    'A validator agent decides that the reply meets the criteria. It receives the reply, the conversation ' +
    'and the criteria, and answers `{"passed": true, "reason": …}`.',
  fields: {
    use: optionalName.describe(
      'The validator: an agent (`agents:` may be left out), or a script (`scripts:`); by default the built-in `viva.validator`.',
    ),
    value: z.unknown().optional().describe('The criteria, unless they are in `options.metadata.criteria`.'),
    options: optionalOptions.describe(
      'Options of the call, as for a case; `metadata` is added to its parameters.',
    ),
  },
  example: {
    type: 'agent',
    use: 'agents:workers.test.validator',
    options: { metadata: { criteria: 'The reply is polite' } },
  },
  looksAt: 'output',
  refine({ use = 'viva.validator', value, options }, problem) {
    const criteria = value ?? options?.metadata?.criteria
    if (agentName(use) === 'viva.validator' && (criteria === undefined || criteria === ''))
      problem('value', 'viva.validator needs criteria: "value", or "options.metadata.criteria"')
  },
  asks: ({ use = 'viva.validator' }) => [agentName(use)],
  asksModel: ({ use = 'viva.validator' }) => !use.startsWith('scripts:'),
  findProblems({ use = 'viva.validator', options }, helpers, problem) {
    const wrong = helpers.validatorProblem(agentName(use), options?.connector)
    if (wrong !== undefined) problem('use', wrong)
  },
  compile({ use = 'viva.validator', value, options = {} }, _where, helpers) {
    const given = { ...options, ...defined({ criteria: value }) }
    return async (subject) => {
      const shown = shownToJudge(subject)
      return findingVerdict(await helpers.validate(agentName(use), shown, given, subject.scope), subject)
    }
  },
})
