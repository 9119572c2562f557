import { test } from 'vitest'
import { callModel, prompts } from './call-model.mjs'

for (const prompt of prompts)
  test.concurrent(prompt, async ({ expect }) => {
    expect(await callModel(prompt)).toContain('Hello')
  })
