import { describe, expect, it } from 'vitest'
import { createPlainScope } from '../../scope/plain-scope.ts'
import { visibleContext } from './context-effects.ts'

const { context } = createPlainScope()
const changes: [string, Partial<typeof context>][] = [
  ['the user', { userId: 'bob' }],
  ['the team', { teamId: 'other' }],
  ['the locale', { locale: 'de-de' }],
  ['the client', { client: { type: 'web', ip: '127.0.0.1' } }],
  ['what is authorized', { authorized: { role: 'admin' } }],
  ['the metadata', { metadata: { tier: 'gold' } }],
  ['a variable', { variables: { level: 2 } }],
  ['the memory', { memory: { ...context.memory, chat: { visits: 1 } } }],
  ['a store', { memory: { ...context.memory, stores: { cache: { a: 1 } } } }],
  ['what was sent in this turn', { sent: [{ id: '1', text: 'Wait' }] }],
]

describe('what a script can see', () => {
  it.each(changes)('changes with %s', (_, change) => {
    expect(visibleContext({ ...context, ...change })).not.toEqual(visibleContext(context))
  })

  it('changes with the options of its check', () => {
    expect(visibleContext(context, { metadata: { strict: true } })).not.toEqual(visibleContext(context))
  })

  it('is the same in another session, and whenever its memory expires', () => {
    const memory = { ...context.memory, ends: { 'chat.visits': 1_700_000_000_000 } }
    expect(visibleContext({ ...context, sessionId: 'another', memory })).toEqual(visibleContext(context))
  })
})
