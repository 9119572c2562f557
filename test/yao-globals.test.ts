import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { play, project, results, viva } from './support/viva.ts'

/** Runs the tests of one file in an app. */
async function tests(source: string, files: Record<string, string> = {}) {
  const cwd = project({ 'app.yao': '{}', 'scripts/own_test.ts': source, ...files })
  const ended = await viva(['test', '-i', 'scripts/own_test.ts', '-o', 'x.jsonl'], { cwd })
  const lines = ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl'))
  return { ...ended, cwd, lines, outcomes: lines.map(({ id, status, error }) => [id, status, error]) }
}

/** Runs one test body. */
async function body(code: string, files: Record<string, string> = {}) {
  const { lines, ...ended } = await tests(`function TestOwn(t, ctx) {\n${code}\n}\n`, files)
  return { ...ended, result: lines[0] }
}

async function passes(code: string, files: Record<string, string> = {}) {
  const { result, cwd, stderr } = await body(code, files)
  expect([result?.status, result?.error, stderr]).toEqual(['passed', undefined, ''])
  return { result, cwd }
}

async function server(): Promise<string> {
  const listening = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ message: 'hello', method: request.method, url: request.url }))
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listening.closeAllConnections()
    listening.close()
  })
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

describe('globals of Yao in scripts', () => {
  it('globals may also be imported from @yao/runtime', async () => {
    await passes(`t.assert.Equal(Greet('ada'), ['hello ada', 'Exception|400'])`, {
      'scripts/own.ts': `import { Exception, FS, Process, Store, log, time, http, $L } from '@yao/runtime'
          function Greet(name: string) {
            log.Trace('greeting %s', name)
            const store = new Store('names')
            store.Set('name', name)
            new FS('data').WriteFile('name.txt', $L('hello ') + store.Get('name'))
            time.Sleep(1)
            try { throw new Exception('bad', 400) } catch (error) {
              return [new FS('system').ReadFile('/name.txt'), error.name]
            }
          }`,
    })
  })

  it('log writes to the log of the test, and time.Sleep waits', async () => {
    const { result } = await passes(`
      log.Trace('[x] %s', 'a'); log.Debug('%d', 1); log.Info('%v', { a: 1 }); log.Warn('%.2f', 1); log.Error('plain', 7)
      time.Sleep(5)
      t.assert.Panic(() => log.Fatal('gone'))
      t.assert.Panic(() => log.Panic('gone'))`)
    expect(result?.logs).toEqual([
      'log.trace: [x] a',
      'log.debug: 1',
      'log.info: {"a":1}',
      'log.warn: 1.00',
      'log.error: plain 7',
      'log.fatal: gone',
      'log.panic: gone',
    ])
  })

  it('an Exception that is thrown fails the test with its message', async () => {
    const { result: failed, exitCode } = await body(`throw new Exception('no such pet', 404)`)
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('no such pet') })
    expect(exitCode).toBe(1)
  })

  it('FS reads and writes files of the app, and no others', async () => {
    const { cwd } = await passes(
      `const data = new FS('data'), app = new FS('app'), script = new FS('script')
      t.assert.Equal(data.ReadFile('/seed.txt'), 'seed')
      data.WriteFile('/new/a.txt', 'a'); data.AppendFile('new/a.txt', 'b')
      t.assert.Equal([data.ReadFile('new/a.txt'), data.ReadDir('/', true)], ['ab', ['/new', '/new/a.txt', '/seed.txt']])
      t.assert.Equal([app.ReadFile('data/new/a.txt'), script.Exists('own_test.ts')], ['ab', true])
      for (const path of ['../app.yao', '/../app.yao', 'new/../../app.yao']) t.assert.Panic(() => data.ReadFile(path))
      t.assert.False(data.Exists('/etc/passwd'))`,
      { 'data/seed.txt': 'seed' },
    )
    expect(readFileSync(join(cwd, 'data/new/a.txt'), 'utf8')).toBe('ab')
  })

  it('FS does not leave the app through a link', async () => {
    const outside = project({ 'secret.txt': 'secret' })
    const cwd = project({
      'app.yao': '{}',
      'scripts/own_test.ts': `function TestOwn(t) {
        const data = new FS('data')
        t.assert.Panic(() => data.ReadFile('link/secret.txt'))
        t.assert.Panic(() => data.WriteFile('link/new.txt', 'x'))
      }`,
      'data/a': '',
    })
    symlinkSync(outside, join(cwd, 'data/link'))
    const { stdout } = await viva(['test', '-i', 'scripts/own_test.ts'], { cwd })
    expect(stdout).toContain('1 passed')
    expect(existsSync(join(outside, 'new.txt'))).toBe(false)
  })

  it('FS outside an app is an error', async () => {
    const cwd = project({ 'own_test.ts': `function TestOwn() { new FS('data').ReadFile('a') }` })
    const { stdout } = await viva(['test', '-i', 'own_test.ts'], { cwd })
    expect(stdout).toContain('is not in an app')
  })

  it('stores are shared within a test, and empty in the next', async () => {
    const { outcomes } = await tests(
      `const store = new Store('cache')
      function TestOne(t) {
        store.Set('a', 1); Process('scripts.other.Add', 'a')
        t.assert.Equal([store.Get('a'), store.Keys(), new Store('else').Len()], [2, ['a'], 0])
      }
      function TestTwo(t) { t.assert.Equal([store.Get('a') === undefined, store.Len()], [true, 0]) }`,
      { 'scripts/other.ts': `function Add(key) { new Store('cache').Incr(key) }` },
    )
    expect(outcomes).toEqual([
      ['TestOne', 'passed', undefined],
      ['TestTwo', 'passed', undefined],
    ])
  })

  it('http makes requests, which mocks and the config can replace', async () => {
    const url = await server()
    const { result } = await passes(
      `const { code, status, data, message, headers } = http.Get('${url}/pets', { kind: 'cat' })
      t.assert.Equal([code, status, message, data.url, headers['Content-Type'][0]], [200, 200, 'hello', '/pets?kind=cat', 'application/json'])
      t.assert.Equal([http.Post('${url}', { a: 1 }).data.method, Process('http.Put', '${url}', 'x').data.method], ['POST', 'PUT'])
      t.assert.Equal([http.Get('file:///etc/passwd').code, http.Send('GET', '${url}').code], [0, 200])
      t.assert.Equal(http.Delete('http://nowhere.invalid/'), { code: 204 })
      t.mock('http.Get', (asked, query) => ({ code: 418, data: [asked, query] }))
      t.assert.Equal(http.Get('http://nowhere.invalid/', { q: 1 }), { code: 418, data: ['http://nowhere.invalid/', { q: 1 }] })`,
      { 'viva.config.ts': 'export default { processes: { "http.Delete": { result: { code: 204 } } } }' },
    )
    expect(result?.logs).toEqual(['Process http.Delete: answered by viva.config'])
  })

  it('ctx.search is answered by mocks and the config', async () => {
    const { result } = await passes(
      `t.mock('ctx.search.Web', (query, options) => ({ query, items: Array(options.limit).fill('x') }))
      t.assert.Equal(ctx.search.Web('viva', { limit: 2 }), { query: 'viva', items: ['x', 'x'] })
      t.assert.Equal(ctx.search.KB('viva'), [])`,
      { 'viva.config.ts': 'export default { processes: { "ctx.search.KB": { result: [] } } }' },
    )
    expect(result?.logs).toEqual(['Process ctx.search.KB: answered by viva.config'])
  })

  it('ctx.search without a mock is an error that says how to mock it', async () => {
    const { result: failed } = await body(`ctx.search.Web('viva')`)
    expect(failed?.error).toContain(
      'unknown process "ctx.search.Web": it is a service of the Yao engine, which viva does not have.',
    )
    expect(failed?.error).toContain('t.mock("ctx.search.Web", (...args) => ({}))')
  })

  it('Query is reported as a service that viva does not have', async () => {
    const { result } = await body(`new Query('default').Get({ from: 'pets' })`)
    expect(result?.error).toContain('Query is a service of the Yao engine, which viva does not have')
  })

  it('globals that a test replaces are restored for the next test', async () => {
    const { outcomes } = await tests(
      `function TestOne(t) { globalThis.log = null; http.Get = () => 1; globalThis.FS = class {}; t.assert.Equal(http.Get(), 1) }
      function TestTwo(t) { log.Info('x'); t.assert.Equal([http.Get('nonsense').code, new FS('app').Exists('app.yao')], [0, true]) }`,
    )
    expect(outcomes).toEqual([
      ['TestOne', 'passed', undefined],
      ['TestTwo', 'passed', undefined],
    ])
  })
})

it('the scripts of a case share a store, which is empty for every case', async () => {
  const cwd = project({
    'app.yao': '{}',
    'agent.ts': 'export default (input) => input',
    'scripts/counts.ts': `
      function Before() { new Store('seen').Set('n', 10) }
      function Check(output) { return { pass: new Store('seen').Incr('n') === Number(output), message: 'counted' } }`,
  })
  const check = { type: 'script', script: 'scripts.counts.Check' }
  const cases = [
    { id: 'a', input: '11', before: 'scripts.counts.Before', assert: check },
    { id: 'b', input: '1', assert: check },
    { id: 'c', input: '11', before: 'scripts.counts.Before', assert: check },
  ]
  const { lines } = await play(cwd, cases, ['-n', './agent.ts'])
  expect(lines.map(({ id, status }) => [id, status])).toEqual([
    ['a', 'passed'],
    ['b', 'passed'],
    ['c', 'passed'],
  ])
})
