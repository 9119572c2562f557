import { expect, it } from 'vitest'
import { reportTests, runTests } from './support/run-tests.ts'

const head = `import { createEvalSuite, InfrastructureError } from 'vivavoce'
import { agentCase } from 'vivavoce/vitest'
import { expect } from 'vitest'
const suite = createEvalSuite({ agent: { execute: (text: string) => text } })
`

it('whatever a test throws, its failure has the message, the conversation and the place', () => {
  const printed = runTests({
    'orders.test.ts': `${head}
const getter = Object.defineProperties(new Error('getters only'), { expected: { get: () => 1 }, actual: { get: () => 2 } })
const hostile = Object.defineProperties(new Error('cannot be read'), { stack: { get() { throw new Error('no') } }, cause: { get() { throw new Error('no') } } })
const circular = new Error('in a circle')
circular.cause = circular
const proxy = Proxy.revocable({}, {})
proxy.revoke()
const look = (id: string, thrown: unknown) => agentCase(suite, { id, input: 'said' }, () => { throw thrown })
look('aborted', new DOMException('the operation timed out', 'TimeoutError'))
look('frozen', Object.freeze(new Error('frozen message')))
look('getter', getter)
look('hostile', hostile)
look('circular', circular)
look('caused', new Error('outer', { cause: Object.assign(new Error('inner'), { name: 'OrderError' }) }))
look('proxy', proxy.proxy)
look('text', 'only a text')
look('object', { code: 7, why: 'an object' })
look('nothing', undefined)
look('parts', new AggregateError([new Error('first part'), 'second part'], 'all parts failed'))
`,
  })
  expect(printed).toContain('Tests  11 failed')
  expect(printed).not.toContain('dist/vitest.js')
  for (const said of [
    'TimeoutError: the operation timed out',
    'Error: frozen message',
    'Error: getters only',
    'Error: cannot be read',
    'Error: in a circle',
    'Error: outer',
    'Error: an error that cannot be read',
    'Error: only a text',
    "Error: { code: 7, why: 'an object' }",
    'Error: undefined',
    'AggregateError: all parts failed',
  ])
    expect(printed).toContain(`${said}\n\n1 user: "said"\n1 agent: "said"`)
  expect(printed).toContain('Error: first part\n ❯ orders.test.ts:23:35')
  expect(printed).toContain('Error: second part')
  expect(printed).toContain('Caused by: OrderError: inner\n ❯ orders.test.ts:18:')
  for (const place of ['13:17', '14:30', '6:40', '16:6', '20:6'])
    expect(printed).toContain(`orders.test.ts:${place}`)
})

it('what a test throws has no secrets and no control characters in any report', () => {
  const secret = 'sk-of-the-vitest-run-1'
  const { printed, json, junit } = reportTests(
    {
      'orders.test.ts': `${head}
import assert from 'node:assert'
const secret = \`\${process.env.MY_API_KEY} \\u001b[31m\\u001b]0;owned\\u0007\`
class Hidden { text = secret; toJSON() { return 'hidden' } }
const look = (id: string, check: (text: string) => unknown) => agentCase(suite, { id, input: 'said' }, async () => { await check(secret) })
look('text', (text) => { throw text })
look('object', (text) => { throw { text } })
look('cause', (text) => { throw new Error('outer', { cause: new Error(text, { cause: text }) }) })
look('parts', (text) => { throw new AggregateError([new Error(text), text], text) })
look('name', (text) => { throw Object.assign(new Error('named'), { name: text, code: text, [text]: text, body: { text } }) })
look('equal', (text) => assert.equal(text, 'x'))
look('deepEqual', (text) => assert.deepEqual({ text }, { text: 'x' }))
look('own stack', (text) => { const error = new Error(text); error.message = 'changed'; throw error })
look('pattern', (text) => expect({ is: /x/ }).toEqual({ is: new RegExp(text.replaceAll('[', '.')) }))
look('hidden', (text) => expect({ of: new Hidden() }).toEqual({ of: 1 }))
look('soft', (text) => { expect.soft(text).toBe('x') })
look('soft cause', (text) => { expect.soft(() => { throw new Error('outer', { cause: new AggregateError([new Error(text), text], text) }) }).not.toThrow() })
look('soft object', async (text) => {
  expect.soft({ text }).toEqual({ text: 'x' })
  await expect.soft(Promise.reject(new Error(text))).resolves.toBe('x')
})
`,
    },
    { MY_API_KEY: secret },
  )
  expect(printed).toContain('Tests  13 failed')
  expect(printed).toContain('[redacted] \\x1b')
  expect(printed).toContain('Caused by: Error: [redacted]')
  for (const report of [printed, json, junit]) {
    expect(report).not.toContain(secret)
    expect(report).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  }
  expect(json).not.toMatch(/[^\\]\\u00[01]/)
})

it('a soft assertion keeps its difference', () => {
  const printed = runTests({
    'orders.test.ts': `${head}
agentCase(suite, { id: 'soft', input: 'said' }, ({ output }) => {
  expect.soft({ output }).toEqual({ output: 'other' })
})
`,
  })
  expect(printed).toMatch(/-\s+"output": "other",\n\+\s+"output": "said",/)
  expect(printed).toContain('orders.test.ts:7:27')
})

it('line breaks of Windows are a difference that is shown', () => {
  const printed = runTests({
    'orders.test.ts': `${head}
agentCase(suite, { id: 'lines', input: 'a\\r\\nb' }, ({ output }) => expect(output).toBe('a\\nb'))
agentCase(suite, { id: 'fields', input: 'a\\r\\nb' }, ({ output }) => expect({ output }).toEqual({ output: 'a\\nb' }))
agentCase(suite, { id: 'case', input: 'a\\r\\nb', expectedOutput: 'a\\nb' })
`,
  })
  expect(printed.match(/\+ +("output": ")?a\\+x0d\n/g)).toHaveLength(3)
})

it('a judge or a condition that fails is not the failure of the agent', () => {
  const printed = runTests({
    'orders.test.ts': `${head}
const down = { evaluate: async () => { throw new InfrastructureError('connection', 'judge is down') } }
const broken = { evaluate() { throw new TypeError('judge is broken') } }
const silent = { evaluate: async () => ({}) }
const throws = () => { throw new Error('condition is broken') }
const content = { evaluate: async () => ({ passed: true, overallScore: 100, verdicts: [] }) }
let plays = 0
// The last play is the one that cannot be judged.
const last = <Judge>(one: Judge, other: Judge) => (plays++ % 4 === 3 ? other : one)
const gated = { iterations: 4, gates: { case: 1 } }
agentCase(suite, { id: 'down', input: 'x' }, (result) => expect(result).toPassJudge(last<any>(content, down)), gated)
agentCase(suite, { id: 'broken', input: 'x' }, (result) => expect(result).toPassJudge(last<any>(content, broken)), gated)
agentCase(suite, { id: 'silent', input: 'x' }, (result) => expect(result).toPassJudge(last<any>(content, silent)), gated)
agentCase(suite, { id: 'throws', input: 'x' }, (result) => expect(result).toReachCheckpoint(last<any>(() => true, throws)), gated)
agentCase(suite, { id: 'own', input: 'x' }, () => { if (last(false, true)) throw new InfrastructureError('connection', 'x') }, gated)
agentCase(suite, { id: 'blamed', input: 'x' }, () => { if (last(false, true)) throw new Error('wrong') }, gated)
agentCase(suite, { id: 'never', input: 'x' }, (result) => expect(result).toPassJudge(down), gated)
agentCase(suite, { id: 'ungated', input: 'x' }, (result) => expect(result).toPassJudge(down))
`,
  })
  expect(printed).toContain('Tests  3 failed | 5 passed')
  expect(printed).toContain('3 of 4 plays passed, and 100% must; play 4: wrong')
  expect(printed).toContain(
    "0 of 4 plays passed, and 100% must; play 1: judge is down (not the agent's fault)",
  )
  expect(printed).toContain("InfrastructureError: judge is down (not the agent's fault)")
})

it('a test can be skipped where it looks at the result', () => {
  const printed = runTests({
    'orders.test.ts': `${head}
import { getCurrentTest } from 'vitest/suite'
agentCase(suite, { id: 'left out', input: 'x' }, () => (getCurrentTest() as any).context.skip('not here'))
`,
  })
  expect(printed).toContain('1 skipped')
})
