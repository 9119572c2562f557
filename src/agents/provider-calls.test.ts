import { describe, expect, it } from 'vitest'
import type { Reply } from '../results/transcript/reply.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { withProviderCalls } from './provider-calls.ts'

const own = { id: 'a', name: 'book', arguments: {} }
const searched = { id: 'b', name: 'web_search', arguments: {} }
const completion: Reply = { output: 'Hi', content: 'Hi', messages: [], toolCalls: [own] }

describe('the reply of a model', () => {
  it('is the same object if its provider has run no tools', () => {
    expect(withProviderCalls(completion, createPlainScope())).toBe(completion)
  })

  it('has the calls of its provider before its own', () => {
    const reply = withProviderCalls({ ...completion, providerCalls: [searched] }, createPlainScope())
    expect(reply).toEqual({ ...completion, toolCalls: [searched, own] })
  })
})
