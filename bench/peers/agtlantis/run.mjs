import { callModel, prompts } from './call-model.mjs'
import { runSuite } from './suite.mjs'

await runSuite(
  (input) => callModel(input),
  prompts.map((input, index) => ({ id: `T${index}`, input })),
)
