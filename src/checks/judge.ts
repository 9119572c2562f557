import { z } from 'zod'
import { defined } from '../json/defined.ts'
import { agentName } from '../text/agent-name.ts'
import { optionalOptions } from './context-options.ts'
import { defineAssertion } from './definition.ts'
import { findingVerdict } from './judged.ts'
import { shownToJudge } from './shown-conversation.ts'

const text = z.string().min(1).regex(/\S/, 'must not be blank')
const share = z.number().min(0).max(1)

export const judgeCheck = defineAssertion({
  type: 'judge',
  about:
    'A judge decides that the reply meets the criteria. It sees the conversation up to this turn with its ' +
    'tool calls (in a final assertion, the whole conversation), gives its reason before its verdict, and may ' +
    'say that it cannot decide, which never passes.',
  fields: {
    criteria: z
      .union([text, z.array(text).min(1)], {
        error: () => 'judge needs "criteria": a text, or a list of texts',
      })
      .describe('What must be true; every item of a list must be.'),
    rubric: z
      .union([text, z.record(z.string(), text)])
      .optional()
      .describe('How to score: a text, or scores with their meaning (`{"1": "…", "0.5": "…"}`).'),
    threshold: share.gt(0).optional().describe('The lowest score that passes.'),
    samples: z
      .int()
      .min(1)
      .max(15)
      .optional()
      .describe('How often the judge is asked (default 1). More than half of the answers must agree.'),
    use: text
      .optional()
      .describe('The judge: an agent or a script. The default is the built-in `viva.judge`.'),
    options: optionalOptions.describe(
      'Options of the call, as for a case; `metadata` is added to its parameters.',
    ),
  },
  example: { type: 'judge', criteria: ['It is polite', 'It names the total'], samples: 3 },
  looksAt: 'output',
  asks: ({ use = 'viva.judge' }) => [agentName(use)],
  asksModel: ({ use = 'viva.judge' }) => !use.startsWith('scripts:'),
  findProblems({ use = 'viva.judge', options }, helpers, problem) {
    const wrong = helpers.validatorProblem(agentName(use), options?.connector)
    if (wrong !== undefined) problem(use === 'viva.judge' ? [] : 'use', wrong)
  },
  compile({ criteria, rubric, threshold, samples, use = 'viva.judge', options = {} }, _where, helpers) {
    return async (subject) => {
      const params = {
        ...options.metadata,
        test_mode: 'judge',
        criteria,
        ...defined({ rubric, expected: helpers.expected }),
        ...shownToJudge(subject),
      }
      const request = { criteria, params, options, ...defined({ threshold, samples }) }
      return findingVerdict(await helpers.judge(agentName(use), request, subject.scope), subject)
    }
  },
})
