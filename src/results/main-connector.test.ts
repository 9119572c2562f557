import { describe, expect, it } from 'vitest'
import { mainConnector } from './main-connector.ts'
import type { Turn } from './transcript/turn.ts'

const turnBy = (connector: string | undefined): Turn => ({
  number: 1,
  source: 'static',
  input: { value: 'hi', message: { role: 'user', content: 'hi' } },
  reply: { output: '', content: '', messages: [], toolCalls: [], ...(connector && { connector }) },
  checks: [],
  awaiting: { awaiting: false, reason: 'completed' },
  durationMs: 1,
})

describe('mainConnector', () => {
  it.each([
    ['the connector of all turns', ['a', 'a'], 'a'],
    ['the one that answered most turns', ['b', 'a', 'a'], 'a'],
    ['the first of two that answered equally many', ['b', 'a', 'a', 'b'], 'b'],
    ['that of the turns with a connector', [undefined, undefined, 'a'], 'a'],
    ['undefined when no connector answered', [undefined], undefined],
    ['undefined without turns', [], undefined],
  ])('is %s', (_, connectors, expected) => {
    expect(mainConnector({ history: [], turns: connectors.map(turnBy) })).toBe(expected)
  })
})
