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

const wrapped = `import type { ModuleContext } from 'vivavoce'
interface Tool { description: string; execute: (input: { id: string }) => Promise<number> }
declare const search: Tool
declare function first<T>(items: T[]): Promise<T>
declare function find(id: string): Promise<string>
declare function find(index: number): Promise<number>
declare function steps(): AsyncGenerator<number>
declare function stream(): AsyncIterable<number>
export default async function answer(_input: string, ctx: ModuleContext) {
  const tools = ctx.tools({ add: (a: number, b: number) => a + b, async load(id: string) { return { id } }, search })
  const sum: Promise<number> = tools.add(1, 2)
  const { id } = await tools.load('A1')
  const same: Tool = tools.search
  const kept = ctx.tools({ first, find, steps, stream })
  const item: Promise<string> = kept.first(['a'])
  const [name, place]: [string, number] = [await kept.find('A1'), await kept.find(1)]
  for await (const step of kept.steps()) step.toFixed()
  for await (const part of await kept.stream()) part.toFixed()
  // @ts-expect-error it is wrapped in a promise
  for await (const part of kept.stream()) part.toFixed()
  // @ts-expect-error its argument is a text
  tools.load(1)
  // @ts-expect-error there is no such tool
  tools.lod('A1')
  // @ts-expect-error tools are in an object
  ctx.tools('add')
  return [await sum, id, same.description, await item, name, place]
}
`

it('users get types for everything that scripts can use without an import, and for the context of modules', () => {
  const cwd = project({ 'a_test.ts': test, 'agent.ts': wrapped })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(repository, join(cwd, 'node_modules/vivavoce'))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,esnext.disposable',
  ]
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, 'a_test.ts', 'agent.ts'], {
    cwd,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
}, 30_000)
