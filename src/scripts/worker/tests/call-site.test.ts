import { describe, expect, it } from 'vitest'
import type { TestObject } from '../../protocol/testing.ts'
import { captureSite, findErrorSite } from './call-site.ts'
import { inFile, runTest } from './testing.fixture.ts'

const file = '/project/src/setup_test.ts'

function userTest(...lines: string[]): (t: TestObject) => unknown {
  return inFile(file, ['(function TestSetup(t) {', ...lines, '})'])
}

describe('the place of a failure', () => {
  it('is the line that called the assertion', async () => {
    const report = await runTest(
      userTest('t.assert.True(true)', '', 't.assert.True(false)', 't.assert.Len([], 1)'),
    )
    expect(report.reason?.at).toBe(`${file}:4`)
    expect(report.failures.map(({ at }) => at)).toEqual([`${file}:4`, `${file}:5`])
  })

  it('is that line too when the assertion ends later', async () => {
    const report = await runTest(userTest('t.assert.Panic(async () => { await 1 })', 'return 1'))
    expect(report.failures[0]?.at).toBe(`${file}:2`)
  })

  it('is the line that called t', async () => {
    for (const name of ['fail', 'error', 'fatal', 'skip']) {
      const report = await runTest(userTest('', '', `t.${name}('because')`))
      expect(report.reason).toMatchObject({ message: 'because', at: `${file}:4` })
    }
  })

  it('is the line that threw', async () => {
    const report = await runTest(userTest('', 'const nothing = undefined', 'nothing.x = 1'))
    expect(report.reason).toMatchObject({ kind: 'threw', at: `${file}:4` })
    expect(report.reason?.message).toMatch(/^TypeError: /)
  })

  it('is in user code, even when a library made the call', async () => {
    const helper: (call: () => void) => void = inFile('/project/node_modules/helper/index.js', [
      '(function helper(call) { call() })',
    ])
    const test: (t: TestObject, help: typeof helper) => void = inFile(file, [
      '(function (t, help) {',
      'help(t.fail)',
      '})',
    ])
    const report = await runTest((t) => test(t, helper))
    expect(report.reason?.at).toBe(`${file}:2`)
  })

  it('does not depend on the user’s settings', async () => {
    const { stackTraceLimit, prepareStackTrace } = Error
    const prepared = () => 'not a stack'
    Error.stackTraceLimit = 0
    Error.prepareStackTrace = prepared
    try {
      const report = await runTest(userTest('t.assert.True(false)'))
      expect(report.failures[0]?.at).toBe(`${file}:2`)
      expect(Error.stackTraceLimit).toBe(0)
      expect(Error.prepareStackTrace).toBe(prepared)
    } finally {
      Error.stackTraceLimit = stackTraceLimit
      Error.prepareStackTrace = prepareStackTrace
    }
  })

  it('is unknown without a caller', () => {
    expect(captureSite()()).toBeUndefined()
    expect(findErrorSite('text')).toBeUndefined()
    expect(findErrorSite(undefined)).toBeUndefined()
  })
})

describe('the place in a stack', () => {
  const site = (...frames: string[]) =>
    findErrorSite({ message: 'm', stack: ['Error: m', ...frames].join('\n') })

  it.each([
    ['    at file:///project/a.ts:3:4', '/project/a.ts:3'],
    ['    at async file:///project/a.ts:3:4', '/project/a.ts:3'],
    ['    at async Object.run [as go] (/project/my files (1)/a.ts:3:4)', '/project/my files (1)/a.ts:3'],
    ['    at new Foo (file:///project/a%20b.ts?again=1:3:4)', '/project/a b.ts:3'],
  ])('of %s is found', (frame, place) => {
    expect(site(frame)).toBe(place)
  })

  it.each([
    '    at node:internal/main:1:2',
    '    at Array.map (<anonymous>)',
    '    at eval (eval at run (/project/a.ts:3:4), <anonymous>:1:1)',
    '    at lib (/project/node_modules/lib/index.js:1:2)',
  ])('is not in %s', (frame) => {
    expect(site(frame, '    at /project/b.ts:7:8')).toBe('/project/b.ts:7')
  })

  it('is not in a stack that the message quotes', () => {
    const message = 'failed:\n    at /project/other.ts:1:1'
    expect(findErrorSite({ message, stack: `Error: ${message}\n    at /project/a.ts:3:4` })).toBe(
      '/project/a.ts:3',
    )
  })

  it('is that of a load error', () => {
    const error = Object.assign(new SyntaxError('no'), {
      vivaPlace: { file: '/project/x.ts', line: 9, column: 1 },
    })
    expect(findErrorSite(error)).toBe('/project/x.ts:9')
  })
})
