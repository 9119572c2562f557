import { Eval } from 'braintrust'
import { callModel, parallel, prompts } from './call-model.mjs'

const { results, summary } = await Eval(
  'bench',
  {
    data: () => prompts.map((input) => ({ input })),
    task: (input) => callModel(input),
    scores: [({ output }) => ({ name: 'contains', score: output.includes('Hello') ? 1 : 0 })],
    maxConcurrency: parallel,
  },
  { noSendLogs: true },
)
if (results.length !== prompts.length || summary.scores.contains.score !== 1) process.exitCode = 1
