import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installViva, type Line, play, project, results, viva } from './support/viva.ts'

/** Runs these tests in an app with some scripts. */
async function tests(source: string) {
  const cwd = project({
    'app.yao': '{}',
    'scripts/own_test.ts': source,
    'scripts/other.ts': `
      function Files(ctx) { try { return ctx.workspace.ReadDir('/') } catch { return [] } }
      function Pets() { try { return Process('models.pet.Get', {}) } catch { return [] } }`,
  })
  const ended = await viva(['test', '-i', 'scripts/own_test.ts', '-o', 'x.jsonl'], { cwd })
  const lines = new Map(results(join(cwd, 'x.jsonl')).map((line) => [String(line.id), line]))
  return { ...ended, lines }
}

const missing = (name: string) => ({
  status: 'failed',
  fault: 'infrastructure',
  error_kind: 'stub',
  error: expect.stringMatching(
    new RegExp(
      `^unknown process "${name}": it is a service of the Yao engine[^]*t\\.mock\\("${name}", \\(\\.\\.\\.args\\) => \\(\\{\\}\\)\\)`,
    ),
  ),
})

describe('script tests that need services of the Yao engine', () => {
  it('a test cannot pass because a member of ctx is missing', async () => {
    const { lines, exitCode } = await tests(`
      function TestPanic(t, ctx) { t.assert.Panic(() => ctx.sandbox.Exec(['ls'])) }
      function TestPage(t, ctx) { t.assert.Panic(() => ctx.call('Save', { id: 1 })) }
      async function TestAsync(t, ctx) { await t.assert.Panic(async () => ctx.computer.Info()) }
      function TestSearch(t, ctx) { t.assert.Panic(() => ctx.search.DB('pets')) }
      function TestImage(t, ctx) { t.assert.Panic(() => ctx.llm.GenerateImage('draw', {})) }
      function TestCatch(t, ctx) {
        let error
        try { ctx.workspace.ReadFile('a.txt') } catch (caught) { error = caught }
        t.assert.Error(error)
      }
      function TestNoPanic(t, ctx) { t.assert.NoPanic(() => ctx.space.Set('a', 1)) }
      function TestElsewhere(t, ctx) { t.assert.Equal(Process('scripts.other.Files', ctx), []) }`)
    expect(Object.fromEntries(lines)).toMatchObject({
      TestPanic: missing('ctx.sandbox.Exec'),
      TestPage: missing('ctx.call'),
      TestAsync: missing('ctx.computer.Info'),
      TestSearch: missing('ctx.search.DB'),
      TestImage: missing('ctx.llm.GenerateImage'),
      TestCatch: missing('ctx.workspace.ReadFile'),
      TestNoPanic: missing('ctx.space.Set'),
      TestElsewhere: missing('ctx.workspace.ReadDir'),
    })
    expect(exitCode).toBe(3)
    expect(lines.get('TestPanic')?.error).toContain('or test the code without it:\n  ctx.sandbox = undefined')
  })

  it('unknown members of ctx are undefined, and missing services may be mocked or removed', async () => {
    const { lines, stdout } = await tests(`
      function TestOther(t, ctx) {
        t.assert.Equal([ctx.nothing, ctx.Sandbox, ctx.sandbox.Nothing], [undefined, undefined, undefined])
        t.assert.Panic(() => ctx.nothing())
      }
      function TestMock(t, ctx) {
        t.mock('ctx.sandbox.Exec', ([command]) => command + ' ran')
        t.assert.Equal(ctx.sandbox.Exec(['ls']), 'ls ran')
      }
      function TestRemoved(t, ctx) {
        ctx.sandbox = undefined
        t.assert.Equal(ctx.sandbox ? ctx.sandbox.ListDir('/') : 'no sandbox', 'no sandbox')
      }`)
    expect(
      [...lines.values()].map(({ id, status }) => [id, status]),
      stdout,
    ).toEqual([
      ['TestOther', 'passed'],
      ['TestMock', 'passed'],
      ['TestRemoved', 'passed'],
    ])
  })

  it('a missing service is an infrastructure error even when the test or the code it calls catches the error', async () => {
    const { lines, exitCode } = await tests(`
      function TestProcess(t) {
        let pets
        try { pets = Process('model.list') } catch {}
        t.assert.Len(pets, 2)
      }
      function TestNested(t) { t.assert.Len(Process('scripts.other.Pets'), 2) }
      function TestPanic(t) { t.assert.Panic(() => Process('models.pet.Delete', 1)) }
      function TestQuery(t) { t.assert.Panic(() => new Query('default')) }
      function TestTime(t) { t.assert.Panic(() => time.After(5, 'scripts.x.Y')) }
      function TestStream(t) { t.assert.Panic(() => http.Stream('GET', 'http://127.0.0.1/', () => 1)) }
      function TestUpload(t) { t.assert.Panic(() => http.Post('http://127.0.0.1/', {}, { file: '/a.txt' })) }
      function TestFiles(t) {
        let zipped = false
        try { new FS('data').Zip('a', 'a.zip'); zipped = true } catch {}
        t.assert.True(zipped)
      }`)
    expect(Object.fromEntries(lines)).toMatchObject({
      TestProcess: missing('model.list'),
      TestNested: missing('models.pet.Get'),
      TestPanic: missing('models.pet.Delete'),
      TestQuery: { fault: 'infrastructure', error: expect.stringContaining('Query is a service of the Yao') },
      TestTime: { fault: 'infrastructure', error: expect.stringContaining('time.After is not supported') },
      TestStream: { fault: 'infrastructure', error: expect.stringContaining('http.Stream: viva does not') },
      TestUpload: { fault: 'infrastructure', error: expect.stringContaining('http.Post with files') },
      TestFiles: { fault: 'infrastructure', error: expect.stringContaining('FS.Zip: viva does not have it') },
    })
    expect(lines.get('TestNested')?.error).toContain('This error was caught; then the test failed: ')
    expect(exitCode).toBe(3)
  })

  it('a service missing in BeforeAll is an infrastructure error of every test', async () => {
    const { lines } = await tests(`
      let pets = 0
      function BeforeAll() { try { pets = Process('models.pet.Insert', [], []) } catch {} }
      function TestOne(t) { t.assert.Equal(pets, 2) }
      function TestTwo(t) { t.assert.Equal(pets, 2) }`)
    expect(Object.fromEntries(lines)).toMatchObject({
      TestOne: missing('models.pet.Insert'),
      TestTwo: missing('models.pet.Insert'),
    })
  })

  it('a service missing in one test does not affect the next test', async () => {
    const { lines, exitCode } = await tests(`
      function TestOne(t) { try { Process('models.pet.Get', 1) } catch {} }
      function TestTwo(t) { t.assert.Equal(1, 2) }
      function TestThree(t) { t.assert.Equal(1, 1) }`)
    expect(Object.fromEntries(lines)).toMatchObject({
      TestOne: missing('models.pet.Get'),
      TestTwo: { status: 'failed', fault: 'agent' },
      TestThree: { status: 'passed' },
    })
    expect(exitCode).toBe(1)
  })
})

describe('cases that need services of the Yao engine', () => {
  const app = (hooks: string) =>
    project({
      'app.yao': '{}',
      'assistants/desk/package.yao': JSON.stringify({ name: 'Desk', connector: 'mind' }),
      'assistants/desk/prompts.yml': '- {role: system, content: Be kind.}',
      'assistants/desk/src/index.ts': hooks,
      'connectors/mind.conn.yao': JSON.stringify({
        type: 'scripted',
        options: { rules: [{ reply: 'Hello' }] },
      }),
    })
  const ask = async (hooks: string, value: string) => {
    const one = { id: 'one', input: 'Hi', assert: { type: 'contains', value } }
    const played = await play(app(hooks), [one], ['-n', 'desk'])
    return { ...played, line: (played.lines[0] ?? {}) as Line }
  }
  const catching = `function Next() {
    try { return { data: { pets: Process('model.list').length } } } catch { return { data: 'Nobody knows' } }
  }`

  it('a case that fails after a hook caught the error is an infrastructure error', async () => {
    const { line, exitCode } = await ask(catching, 'pets')
    expect(line).toMatchObject(missing('model.list'))
    expect(line.error).toContain('"stubs": { "model.list": { "result": {} } }')
    expect(line.error).toContain(
      'This error was caught; then the case failed: output does not contain "pets"',
    )
    expect(exitCode).toBe(3)
  })

  it('a case whose hook throws another error instead is an infrastructure error too', async () => {
    const hooks = `function Create() { try { Process('user.Get', 1) } catch { throw new Error('no such user') } }`
    const { line } = await ask(hooks, 'Hello')
    expect(line).toMatchObject(missing('user.Get'))
    expect(line.error).toContain('no such user')
  })

  it('a case passes when the hook copes with the missing service', async () => {
    expect((await ask(catching, 'Nobody')).line).toMatchObject({
      status: 'passed',
      logs: ['Process model.list: viva does not have it, and it is not stubbed'],
    })
  })

  it('a case that fails without a missing service is a failure of the agent', async () => {
    const stubbed = await ask(`function Next() { return { data: 'Nobody knows' } }`, 'pets')
    expect(stubbed.line).toMatchObject({ status: 'failed', fault: 'agent', error_kind: 'assertion' })
  })

  it('ctx.sandbox, ctx.computer and ctx.workspace are undefined in hooks, so that code can test for them', async () => {
    const hooks = `function Next(ctx) {
      return { data: [ctx.sandbox, ctx.computer, ctx.workspace].every((member) => member === undefined) ? 'none' : 'some' }
    }`
    expect((await ask(hooks, 'none')).line).toMatchObject({ status: 'passed' })
  })
})

it('a case of a suite that fails after its agent caught the error is an infrastructure error', async () => {
  const cwd = project({
    'desk.suite.ts': `
      import { createEvalSuite } from 'vivavoce'
      const agent = { name: 'desk', async execute() { try { return Process('model.list') } catch { return 'Nobody knows' } } }
      export default createEvalSuite({ agent })
      export const cases = [{ id: 'one', input: 'Hi', expectedOutput: 'Two pets' }]`,
  })
  installViva(cwd)
  const { exitCode, stderr } = await viva(['test', '-i', 'desk.suite.ts', '-o', 'x.jsonl'], { cwd })
  expect([exitCode, stderr]).toEqual([3, ''])
  expect(results(join(cwd, 'x.jsonl'))).toMatchObject([missing('model.list')])
})
