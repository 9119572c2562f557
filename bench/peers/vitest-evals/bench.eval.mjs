import { expect } from 'vitest'
import { createHarness, describeEval } from 'vitest-evals'
import { callModel, prompts } from './call-model.mjs'

const message = (role, content) => ({ type: 'message', role, content })
const harness = createHarness({
  name: 'bench',
  run: async ({ input }) => {
    const output = await callModel(input)
    return { output, events: [message('user', input), message('assistant', output)] }
  },
})

describeEval('bench', { harness }, (it) => {
  for (const prompt of prompts)
    it.concurrent(prompt, async ({ run }) => {
      expect((await run(prompt)).output).toContain('Hello')
    })
})
