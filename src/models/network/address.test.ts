import { describe, expect, it } from 'vitest'
import { buildBasicAuth, findSecrets, redactAgentName } from './address.ts'

describe('agentToShow hides the secrets of an address', () => {
  it.each([
    ['http://h/chat', 'http://h/chat'],
    ['http://bob:pw@h/chat?key=1&b=2', 'http://…@h/chat?…'],
    ['https://token@h', 'https://…@h'],
    ['http://a@b:c@h/x@y', 'http://…@h/x@y'],
    ['a2a:https://bob:pw@h?key', 'a2a:https://…@h?…'],
    ['openai:http://h/v1?key=1#model', 'openai:http://h/v1?…#model'],
    ['http:bob:pw@h', 'http:…@h'],
    ['exec:ask "what?"', 'exec:ask "what?"'],
    ['./agent.ts#named', './agent.ts#named'],
  ])('%s is shown as %s', (name, shown) => {
    expect(redactAgentName(name)).toBe(shown)
  })
})

describe('secretsIn finds the secrets of an address', () => {
  it.each([
    ['http://h/chat', []],
    ['http://h?key=a+b%2Fc&empty=&lone', ['a+b%2Fc', 'lone', 'a b/c']],
    ['http://bob:p%40ss@h', ['bob', 'p@ss', 'bob:p@ss']],
    ['http://token@h', ['token', 'token:']],
    ['http://bob:50%@h', ['bob', '50%', 'bob:50%']],
  ])('of %s', (address, secrets) => {
    expect(findSecrets(new URL(address))).toEqual(secrets)
  })
})

it('a password with a stray percent sign is sent as it is', () => {
  expect(buildBasicAuth(new URL('http://bob:50%@h'))).toEqual({
    authorization: `Basic ${Buffer.from('bob:50%').toString('base64')}`,
  })
})
