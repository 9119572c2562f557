import { evalite } from 'evalite'
import { callModel, prompts } from './call-model.mjs'

evalite('bench', {
  data: prompts.map((input) => ({ input })),
  task: (input) => callModel(input),
  scorers: [{ name: 'contains', scorer: ({ output }) => (output.includes('Hello') ? 1 : 0) }],
})
