import { createEvalSuite, createJsonReporter, createJudge } from '@agtlantis/eval'
import { parallel } from './call-model.mjs'

/** A judge with one criterion that needs no model. */
const judge = createJudge({
  provider: undefined,
  criteria: [
    {
      id: 'contains',
      name: 'contains',
      description: 'The reply contains Hello.',
      validator: (output) => ({ valid: output.includes('Hello') }),
    },
  ],
})

export async function runSuite(execute, cases) {
  const agent = {
    config: { name: 'bench' },
    prompt: { id: 'bench', version: '1.0.0', system: '', renderUserPrompt: String },
    execute: async (input) => ({ result: await execute(input) }),
  }
  const report = await createEvalSuite({ agent, judge }).run(cases, { concurrency: parallel })
  createJsonReporter('reports').save(report, 'bench')
  if (report.summary.passed !== cases.length) process.exitCode = 1
}
