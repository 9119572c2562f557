import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'
import { test } from 'vitest'
import { prompts } from './call-model.mjs'

const { BENCH_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env
const model = createOpenAICompatible({ name: 'bench', baseURL, apiKey })('bench')

for (const prompt of prompts)
  test.concurrent(prompt, async ({ expect }) => {
    expect((await generateText({ model, prompt })).text).toContain('Hello')
  })
