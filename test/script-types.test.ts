import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { project, repository } from './support/viva.ts'

const test = `import type {} from 'vivavoce/scripts'
export function TestA(t: testing.T, ctx: agent.Context) {
  const { assert } = t
  const reply = Process<{ content: string }>('agents.expense.Stream', ctx, 'hi')
  assert.Equal(reply.content, 'x')
  ctx.memory.chat.Set('a', 1)
  t.assert.Agent(reply.content, 'validator', { metadata: { criteria: 'x' } })
  const { contents } = ctx.mcp.ReadResource('echo', ctx.mcp.ListResources('echo', '').resources[0]?.uri ?? '')
  assert.Equal(JSON.parse(contents[0]?.text ?? ''), {})
  assert.Equal(ctx.mcp.GetPrompt('echo', 'greet', { name: 'Ann' }).messages[0]?.content.text, 'Hi')
  assert.Equal(ctx.mcp.GetSample('echo', 'tool', 'ping', 0).input?.count, ctx.mcp.ListSamples('echo', 'tool', 'ping').total)
  log.Info('%s has %d', ctx.User.ID, 1)
  time.Sleep(1)
  const found = http.Get<{ name: string }>('http://a/', { q: 1 }, { accept: '*/*' })
  assert.Equal(found.data.name, $L('x'))
  const files: FS = new FS('data')
  const size: number = files.WriteFile('a.txt', files.ReadFileBase64('b'))
  const store: Store = new Store('cache')
  store.Set('size', size, 60)
  store.GetSet('made', (key) => key.length)
  ctx.search.Web('viva', { limit: 5 })
  const { code, message } = new Exception('not found', 404)
  assert.Equal([code, message], [404, 'not found'])
  // @ts-expect-error there is no such folder
  new FS('etc')
  // @ts-expect-error there is no such assertion
  t.assert.Equals(1, 1)
}
`

it('vivavoce/scripts has types for everything that scripts can use without an import', () => {
  const cwd = project({ 'a_test.ts': test })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(repository, join(cwd, 'node_modules/vivavoce'))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, 'a_test.ts'], { cwd, encoding: 'utf8' })
  expect(stdout).toBe('')
}, 30_000)
