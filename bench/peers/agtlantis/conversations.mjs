import { createOpenAIProvider } from '@agtlantis/core'
import { aiUser } from '@agtlantis/eval'
import { callModel, prompts } from './call-model.mjs'
import { runSuite } from './suite.mjs'

const { BENCH_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env

const user = aiUser({
  provider: createOpenAIProvider({ apiKey, baseURL }).withDefaultModel('user'),
  systemPrompt: 'You are curious, and want to hear about numbers.',
  formatHistory: ({ history }) => history.map(({ output }) => `Agent: ${output}`).join('\n'),
  buildInput: (content, { history }) => ({
    content,
    history: history.flatMap((turn) => [
      { role: 'user', content: turn.input.content },
      { role: 'assistant', content: turn.output },
    ]),
  }),
})
const isThirdTurn = { type: 'custom', check: ({ lastOutput }) => lastOutput.includes('turn 3') }

await runSuite(
  ({ content, history }) => callModel(content, { model: 'turns', history }),
  prompts.map((content, index) => ({
    id: `T${index}`,
    input: { content },
    multiTurn: { followUpInputs: [{ input: user, turns: Infinity }], terminateWhen: [isThirdTurn] },
  })),
)
