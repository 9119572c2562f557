import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../../test/fixtures/scripts/project.ts'
import { InfrastructureError, TimeoutError } from '../../errors.ts'
import { findMock } from '../../scope/activation.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { Scope } from '../../scope/scope.ts'
import type { ScriptRequestHandler } from '../protocol/ask.ts'
import { toWireContext } from '../protocol/context-data.ts'
import type { FailureReason, TestReport } from '../protocol/report.ts'
import { runScript } from './run-script.ts'
import { createScriptHost, type ScriptHost } from './script-host.ts'
import { TestHost } from './test-host.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  await removeProjects()
})

type TestMessage =
  | ['begin' | 'end', string]
  | ['finished', string, TestReport]
  | ['failed', string, FailureReason]

/** Runs tests of a file. Processes are mocks, functions of the same file, or fail by their name. */
async function runTests(source: string, tests: string[], signal = new AbortController().signal) {
  const at = await writeProject({ 'app.yao': '', 'desk_test.ts': source })
  const file = at('desk_test.ts')
  const told: TestMessage[] = []
  const logs: string[] = []
  const controllers = new Map<string, AbortController>()
  const expire = (id: string) => controllers.get(id)?.abort(new TimeoutError('timeout after 1s'))
  const scripts: ScriptHost = createScriptHost()
  const answering: ScriptRequestHandler = {
    async answer(ask, scope) {
      if (ask.kind !== 'process') throw new Error(`nobody answers ${ask.kind}`)
      const mock = findMock(ask.name, scope.activation)
      if (mock !== undefined && scope.activation !== undefined) return mock(ask.args, scope.activation)
      if (ask.name === 'infrastructure') throw new InfrastructureError('http', '503 from the infrastructure')
      if (ask.name === 'late') expire(scope.key.id)
      if (ask.name === 'soon') return void setTimeout(() => expire(scope.key.id), 300)
      if (ask.name === 'never' || ask.name === 'late') return new Promise(() => {})
      return runScript(
        scripts,
        { kind: 'script', file, function: ask.name, args: ask.args },
        { name: ask.name, scope },
      )
    },
  }
  scripts.surroundings.answering = answering
  const host = new TestHost(
    file,
    { answering, listedSecrets: [], env: process.env, cwd: process.cwd() },
    false,
  )
  open.push(host, scripts)
  const begin = (name: string, sessionId: string): Scope => {
    told.push(['begin', name])
    const controller = new AbortController()
    controllers.set(name, controller)
    return createPlainScope({
      key: { id: name },
      context: { sessionId },
      signal: controller.signal,
      log: (line) => logs.push(line),
    })
  }
  const context = toWireContext(createPlainScope().context)
  await host.run(
    tests,
    { context, variables: {} },
    {
      begin,
      testFinished: (name, report) => void told.push(['finished', name, report]),
      testFailed: (name, reason) => void told.push(['failed', name, reason]),
      end: (name) => void told.push(['end', name]),
    },
    signal,
  )
  /** The last report about each test. */
  const outcomes = Object.fromEntries(
    told.flatMap(([what, name, outcome]) => {
      if (what === 'finished') return [[name, outcome.reason?.message ?? outcome.status]]
      return what === 'failed' ? [[name, `${outcome.kind}: ${outcome.message}`]] : []
    }),
  )
  return { told, logs, outcomes }
}

describe('a mock', () => {
  it('answers the test and everything it calls, until the test is over', async () => {
    const { outcomes } = await runTests(
      `export const Find = (id) => 'real ' + id
      export const Outer = (id) => Process('Find', id) + ' by Outer'
      function TestMocked(t) {
        t.mock('Find', (id) => 'mocked ' + id)
        t.mock('plain', { a: 1 })
        t.assert.Equal([Process('Find', 1), Process('Outer', 2), Process('plain')], ['mocked 1', 'mocked 2 by Outer', { a: 1 }])
      }
      function TestAfter(t) { t.assert.Equal(Process('Outer', 3), 'real 3 by Outer') }`,
      ['TestMocked', 'TestAfter'],
    )
    expect(outcomes).toEqual({ TestMocked: 'passed', TestAfter: 'passed' })
  })

  it('may call the process that it replaces, and scripts that call it again', async () => {
    const { outcomes } = await runTests(
      `export const Find = (id) => 'real ' + id
      export const Outer = (id) => Process('Find', id) + ' by Outer'
      function TestIt(t) {
        const asked = []
        t.mock('Find', (id) => { asked.push(id); return 'mock of ' + Process('Find', id) })
        t.assert.Equal(Process('Find', 1), 'mock of real 1')
        t.mock('Find', (id) => 'second of ' + Process('Outer', id))
        t.assert.Equal(Process('Find', 2), 'second of real 2 by Outer')
        t.assert.Equal(asked, [1])
      }`,
      ['TestIt'],
    )
    expect(outcomes).toEqual({ TestIt: 'passed' })
  })

  it('receives a ctx as one', async () => {
    const { outcomes, logs } = await runTests(
      `function TestIt(t, ctx) {
        t.mock('Find', (given, id) => { given.Send('found'); return given.User.ID + id })
        ctx.User.ID = 'eve'
        t.assert.Equal(Process('Find', ctx, 1), 'eve1')
      }`,
      ['TestIt'],
    )
    expect(outcomes).toEqual({ TestIt: 'passed' })
    expect(logs).toEqual(['ctx.Send M1 found'])
  })

  it('that fails with an infrastructure error is not a failure of the code', async () => {
    const { told } = await runTests(
      `export const Outer = () => Process('Find')
      function TestIt(t) { t.mock('Find', () => Process('infrastructure')); Process('Outer') }`,
      ['TestIt'],
    )
    expect(told[1]).toMatchObject([
      'finished',
      'TestIt',
      { reason: { message: /503/, infrastructure: 'http' } },
    ])
  })

  it.each([
    ['throws', `() => { throw new TypeError('no room') }`, 'TypeError: no room'],
    ['is async', 'async () => 1', 'an async function cannot answer here'],
    ['does not return JSON', '() => new Map()', 'the result is a Map: a mock must return JSON data'],
  ])('that %s fails its caller', async (_, mock, message) => {
    const { outcomes } = await runTests(
      `export const Outer = () => { try { return Process('Find') } catch (error) { return String(error) } }
      function TestIt(t) { t.mock('Find', ${mock}); t.assert.Contains(Process('Outer'), ${JSON.stringify(message)}) }`,
      ['TestIt'],
    )
    expect(outcomes).toEqual({ TestIt: 'passed' })
  })
})

describe('tests of one file', () => {
  it('are reported in order', async () => {
    const { told } = await runTests('function TestA() {}\nfunction TestB(t) { t.assert.True(false) }', [
      'TestA',
      'TestB',
    ])
    expect(told).toMatchObject([
      ['begin', 'TestA'],
      ['finished', 'TestA', { status: 'passed' }],
      ['end', 'TestA'],
      ['begin', 'TestB'],
      ['finished', 'TestB', { status: 'failed' }],
      ['end', 'TestB'],
    ])
  })

  it('continue in another process when one ends it, even during a request', async () => {
    const { outcomes } = await runTests(
      `function TestExit(t) { t.mock('end', () => process.exit(7)); Process('end') }
      function TestKill() { process.kill(process.pid, 'SIGKILL') }
      function TestFine() {}`,
      ['TestExit', 'TestKill', 'TestFine'],
    )
    expect(outcomes).toEqual({
      TestExit: 'crashed: process.exit(7) was called',
      TestKill: 'crashed: the script host was killed by SIGKILL',
      TestFine: 'passed',
    })
  })

  it('continue when one runs out of time while it is blocked', async () => {
    const { told } = await runTests(`function TestLate() { Process('late') }\nfunction TestFine() {}`, [
      'TestLate',
      'TestFine',
    ])
    expect(told).toMatchObject([
      ['begin', 'TestLate'],
      ['failed', 'TestLate', { kind: 'timeout', message: 'timeout after 1s' }],
      ['end', 'TestLate'],
      ['begin', 'TestFine'],
      ['finished', 'TestFine', { status: 'passed' }],
      ['end', 'TestFine'],
    ])
  })

  it('continue when one breaks the promises that its own end depends on', async () => {
    const noResult = expect.stringContaining('crashed: its process ended before the test had a result')
    const { outcomes } = await runTests(
      `function TestBroken() { Promise.prototype.then = null }
      async function TestHanging() { Promise.prototype.then = null; await new Promise(() => {}) }
      function TestFine() {}`,
      ['TestBroken', 'TestHanging', 'TestFine'],
    )
    expect(outcomes).toEqual({ TestBroken: noResult, TestHanging: noResult, TestFine: 'passed' })
  })

  it('continue when one runs out of time that stopped its whole process', async () => {
    const { outcomes } = await runTests(
      `function TestStopped() { Process('soon'); process.kill(process.pid, 'SIGSTOP'); for (;;) {} }
      function TestFine() {}`,
      ['TestStopped', 'TestFine'],
    )
    expect(outcomes).toEqual({ TestStopped: 'timeout: timeout after 1s', TestFine: 'passed' })
  })

  it('end when the run is stopped', async () => {
    const controller = new AbortController()
    const running = runTests(`function TestLong() { Process('never') }`, ['TestLong'], controller.signal)
    await pause(20)
    controller.abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
  })
})
