import { describe, expect, it } from 'vitest'
import type { Agent, TurnRequest } from '../../agents/agent.ts'
import { ConfigError } from '../../errors.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { Scope } from '../../scope/scope.ts'
import { validate } from './validate.ts'

/** Asks a validator that says this. */
async function ask(said: unknown, options: unknown = undefined, value: unknown = 'the output') {
  const requests: TurnRequest[] = []
  const scopes: Scope[] = []
  const content = typeof said === 'string' ? said : ''
  const agent: Agent = {
    id: 'judge',
    input: 'messages',
    history: 'given',
    tools: 'hidden',
    open: async (scope) => ({
      async send(request) {
        requests.push(request)
        scopes.push(scope)
        return { output: said, content, messages: [], toolCalls: 'hidden' }
      },
      close: async () => {},
    }),
  }
  const verdict = await validate(
    { kind: 'validate', value, agent: 'judge', options },
    { validator: async () => agent },
    createPlainScope(),
  )
  return { verdict, request: requests[0], scope: scopes[0] }
}

describe('a verdict', () => {
  it.each<[string, unknown, object]>([
    ['data', { passed: true, reason: 'fine', score: 0.9 }, { passed: true, reason: 'fine', score: 0.9 }],
    ['JSON', '{"passed": false, "reason": "bad"}', { passed: false, reason: 'bad' }],
    ['fenced JSON', '```json\n{"passed": true, "reason": "ok"}\n```', { passed: true, reason: 'ok' }],
    ['other words', { pass: false, message: 'bad' }, { passed: false, reason: 'bad' }],
    ['no words', { passed: true }, { passed: true, reason: 'it says passed' }],
    ['no words for no', { passed: false, reason: null }, { passed: false, reason: 'it says failed' }],
    ['words that are data', { passed: true, reason: { a: 1 } }, { passed: true, reason: '{"a":1}' }],
    ['a score that is none', { passed: true, reason: 'ok', score: '1' }, { passed: true, reason: 'ok' }],
  ])('may be given as %s', async (_, said, verdict) => {
    expect((await ask(said)).verdict).toEqual(verdict)
  })

  it.each<[string, unknown]>([
    ['prose', 'I cannot say'],
    ['nothing', ''],
    ['null', null],
    ['a bare word', 'true'],
    ['a list', [{ passed: true }]],
    ['a text for a truth value', { passed: 'true' }],
    ['a number for a truth value', { passed: 1 }],
    ['an empty object', {}],
    ['JSON in prose', 'Well: {"passed": true, "reason": "ok"}.'],
    ['JSON without a verdict', '{"reason": "passed"}'],
  ])('is not %s', async (_, said) => {
    await expect(ask(said)).rejects.toMatchObject({
      name: 'InfrastructureError',
      kind: 'bad_response',
      message: expect.stringMatching(/^judge gave no verdict/),
    })
  })

  it('that cannot be read is shown in short', async () => {
    await expect(ask('x'.repeat(10_000))).rejects.toThrow(/^.{1,400}$/)
  })
})

describe('a validator', () => {
  it('is told what to judge in its message and its metadata', async () => {
    const options = { metadata: { criteria: 'be kind', tone: 'warm' }, seed: 1 }
    const { request, scope } = await ask({ passed: true }, options, { a: [1] })
    const params = { criteria: 'be kind', tone: 'warm', test_mode: 'validator', output: { a: [1] } }
    expect(JSON.parse(String(request?.input.value))).toEqual(params)
    expect(request?.options).toEqual({ seed: 1, metadata: params })
    expect(scope?.role).toBe('judge')
  })

  it('is told criteria that stand beside the metadata', async () => {
    const { request } = await ask({ passed: true }, { criteria: 'be kind' })
    expect(JSON.parse(String(request?.input.value))).toMatchObject({ criteria: 'be kind' })
  })

  it('judges what it is given, whatever the metadata says', async () => {
    const { request } = await ask(
      { passed: true },
      { metadata: { output: 'another', test_mode: 'simulator' } },
    )
    expect(JSON.parse(String(request?.input.value))).toEqual({ test_mode: 'validator', output: 'the output' })
  })

  it.each([null, undefined, 'be kind', [], { metadata: 'be kind' }])(
    'takes options that are none: %j',
    async (options) => {
      expect((await ask({ passed: true }, options)).verdict.passed).toBe(true)
    },
  )

  it('that is not there is the mistake of the user', async () => {
    const missing = new ConfigError({ code: 'unknown_agent', message: 'unknown agent "judge"' })
    const asked = validate(
      { kind: 'validate', value: 1, agent: 'judge', options: {} },
      { validator: () => Promise.reject(missing) },
      createPlainScope(),
    )
    await expect(asked).rejects.toBe(missing)
  })
})
