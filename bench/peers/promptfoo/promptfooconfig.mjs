import { prompts } from './call-model.mjs'

export default {
  prompts: ['{{prompt}}'],
  providers: [{ id: 'openai:chat:bench', config: { apiBaseUrl: process.env.BENCH_URL } }],
  tests: prompts.map((prompt) => ({ vars: { prompt }, assert: [{ type: 'contains', value: 'Hello' }] })),
}
