import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { GivenFlags } from '../src/cli/flags.ts'
import { TerminalFront } from '../src/cli/terminal.ts'
import { createStart } from '../src/cli/work/test.ts'

import type { AgentFingerprint } from '../src/setup/fingerprint/parts.ts'
import { testSetup } from '../src/setup/phase-lists.ts'
import { fingerprintsPhase } from '../src/setup/phases/fingerprints.ts'
import { jsonl, project, repository } from './support/viva.ts'

const cases = { 'cases.jsonl': jsonl({ id: 'a', input: 'hello' }) }

async function fingerprint(cwd: string, given: GivenFlags = {}, env = {}): Promise<AgentFingerprint> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const shell = {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdin,
    stdout,
    stderr,
    onSignal: () => () => {},
    exit: () => {},
  }
  const flags = { input: ['cases.jsonl'], ...given }
  const start = createStart(flags, shell, new TerminalFront(flags, shell), new AbortController().signal)
  const all = await testSetup.use(start, async (opened) => fingerprintsPhase.open(opened))
  const [first] = all.values()
  if (first === undefined) throw new Error('no agent has a fingerprint')
  return first
}

function write(cwd: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
}

/** The parts that differ. */
function changes(before: AgentFingerprint, after: AgentFingerprint): string[] {
  const names = new Set([...Object.keys(before.parts), ...Object.keys(after.parts)])
  return [...names].filter((name) => before.parts[name] !== after.parts[name])
}

function demo(name: string): string {
  const cwd = project({})
  cpSync(join(repository, 'examples', name), cwd, { recursive: true })
  return cwd
}

describe('the fingerprint of a module agent', () => {
  const files = {
    ...cases,
    'agent.mjs': `import { greet } from './lib/greet.mjs'\nexport default (input) => greet(input)`,
    'lib/greet.mjs': 'export const greet = (input) => `hello ${input}`',
    'other.mjs': 'export default 1',
  }

  it('has the file with all it imports, and nothing else of the project', async () => {
    const cwd = project(files)
    const found = await fingerprint(cwd, { name: ['./agent.mjs'] })
    expect(Object.keys(found.parts)).toEqual([
      'agent.mjs',
      'export of agent.mjs',
      'lib/greet.mjs',
      'settings of the config',
      'version of Node.js',
      'version of viva',
    ])
    expect(found.unseen).toBeUndefined()
    write(cwd, { 'lib/greet.mjs': 'export const greet = (input) => `bye ${input}`', 'other.mjs': '' })
    expect(changes(found, await fingerprint(cwd, { name: ['./agent.mjs'] }))).toEqual(['lib/greet.mjs'])
  })

  it('is the same in another folder', async () => {
    const [one, other] = [project(files), project(files)]
    const flags = { name: ['./agent.mjs'] }
    expect(await fingerprint(one, flags)).toEqual(await fingerprint(other, flags))
  })

  it.each([
    ['fetch("https://example.com")', 'agent.mjs uses the network'],
    ['readFileSync("prompt.md")', 'agent.mjs reads files'],
    ['import(String(1))', 'agent.mjs imports what it names only when it runs'],
  ])('does not see all of one that calls %s', async (call, reason) => {
    const text = `import { readFileSync } from '${call.startsWith('read') ? 'node:fs' : 'node:path'}'\nexport default () => ${call}`
    const cwd = project({
      ...cases,
      'agent.mjs': text.replace("readFileSync } from 'node:path", "join } from 'node:path"),
    })
    expect(await fingerprint(cwd, { name: ['./agent.mjs'] })).toMatchObject({
      unseen: reason,
      unseenNames: ['agent.mjs'],
    })
  })

  it('has the lock file of packages, and looks into them', async () => {
    const cwd = project({
      ...cases,
      'agent.mjs': `import { pure } from 'pure'\nexport default (input) => pure(input)`,
      'package-lock.json': '{"packages":{}}',
      'node_modules/pure/package.json': '{"name":"pure","main":"index.js","type":"module"}',
      'node_modules/pure/index.js': `export { pure } from './lib.js'`,
      'node_modules/pure/lib.js': 'export const pure = (input) => input',
    })
    const found = await fingerprint(cwd, { name: ['./agent.mjs'] })
    expect(Object.keys(found.parts)).toContain('package-lock.json')
    expect(found.unseen).toBeUndefined()
    write(cwd, { 'node_modules/pure/lib.js': 'export const pure = (input) => fetch(input)' })
    const { unseen } = await fingerprint(cwd, { name: ['./agent.mjs'] })
    expect(unseen).toBe('agent.mjs imports pure, which uses the network')
    write(cwd, { 'node_modules/pure/lib.js': 'export const pure = (input) => (0, eval)(input)' })
    expect((await fingerprint(cwd, { name: ['./agent.mjs'] })).unseen).toBe(
      'agent.mjs imports pure, which runs code that it makes itself',
    )
  })

  it('has the versions of installed packages where there is no lock file', async () => {
    const cwd = project({
      ...cases,
      'agent.mjs': `import { pure } from 'pure'\nexport default (input) => pure(input)`,
      'node_modules/.package-lock.json': '{"packages":{}}',
      'node_modules/pure/package.json': '{"name":"pure","main":"index.mjs"}',
      'node_modules/pure/index.mjs': `export { deep as pure } from 'deep'`,
      'node_modules/deep/package.json': '{"name":"deep","version":"1.0.0","main":"index.mjs"}',
      'node_modules/deep/index.mjs': 'export const deep = (input) => input',
    })
    const flags = { name: ['./agent.mjs'] }
    const found = await fingerprint(cwd, flags)
    expect(found.unseen).toBeUndefined()
    const version = '{"name":"deep","version":"2.0.0","main":"index.mjs"}'
    write(cwd, { 'node_modules/deep/package.json': version })
    expect(changes(found, await fingerprint(cwd, flags))).toEqual(['node_modules/deep/package.json'])
    write(cwd, { 'node_modules/.package-lock.json': '{"packages":{"deep":{}}}' })
    expect(changes(found, await fingerprint(cwd, flags))).toContain('node_modules/.package-lock.json')
  })

  it('does not see metadata that look like a secret, which it must not keep', async () => {
    const cwd = project({ ...files, 'ctx.json': '{"metadata": {"plan": "a", "plan_token": "x"}}' })
    const { unseen } = await fingerprint(cwd, { name: ['./agent.mjs'], ctx: 'ctx.json' })
    expect(unseen).toBe('--ctx has what looks like a secret, which is not kept')
    write(cwd, { 'ctx.json': '{"metadata": {"plan": "a"}}' })
    expect((await fingerprint(cwd, { name: ['./agent.mjs'], ctx: 'ctx.json' })).unseen).toBeUndefined()
  })

  it('has the variables of the environment that it names, but no secrets', async () => {
    const cwd = project({
      ...cases,
      'agent.mjs': 'export default () => `${process.env.SHOP_NAME} ${process.env.SHOP_TOKEN}`',
    })
    const flags = { name: ['./agent.mjs'] }
    const found = await fingerprint(cwd, flags, { SHOP_NAME: 'one', SHOP_TOKEN: 'secret-1' })
    expect(
      changes(found, await fingerprint(cwd, flags, { SHOP_NAME: 'two', SHOP_TOKEN: 'secret-2' })),
    ).toEqual(['environment variable SHOP_NAME'])
  })
})

describe('the fingerprint of a package', () => {
  const expense = { input: ['assistants/expense/tests/inputs.jsonl'] }

  it('has its prompts, its connector, its servers and their scripts', async () => {
    const cwd = demo('expense')
    const found = await fingerprint(cwd, expense)
    expect(Object.keys(found.parts)).toEqual([
      'assistants/expense/package.yao',
      'assistants/expense/prompts.yml',
      'connector scripted',
      'settings of the config',
      'version of viva',
    ])
    expect(found.unseen).toBeUndefined()
  })

  it('has all of the app if its hooks call others by name', async () => {
    const cwd = demo('cafe')
    const found = await fingerprint(cwd, { input: ['assistants/barista/tests/inputs.jsonl'] })
    expect(Object.keys(found.parts)).toEqual(
      expect.arrayContaining([
        'MCP server menu',
        'agent/prompts.yml',
        'assistants/barista/assets/manners.md',
        'assistants/barista/locales/de.yml',
        'assistants/barista/src/orders.ts',
        'assistants/till/prompts.yml',
        'connector till',
        'connectors/barista.ts',
        'environment variable CAFE_TOWN',
        'mcps/mapping/menu/schemes/price.in.yao',
        'scripts/menu.ts',
      ]),
    )
    expect(found).toMatchObject({ unseen: 'scripts/menu.ts reads files', unseenNames: ['barista'] })
  })
})

describe('the fingerprint of agents that viva does not see', () => {
  const config = (more: object) =>
    JSON.stringify({ agents: { shop: { url: 'http://127.0.0.1:1/chat' } }, ...more })
  const gpt = {
    agents: { shop: { connector: 'gpt', prompt: 'Be brief.' } },
    connectors: { gpt: { type: 'openai', options: { model: 'gpt-5', key: 'sk-one' } } },
  }

  it('says why, and what the config can name', async () => {
    const cwd = project({ ...cases, 'viva.config.json': config({}) })
    expect(await fingerprint(cwd, { name: ['shop'] })).toMatchObject({
      unseen: 'viva does not see the code of an HTTP agent',
      unseenNames: ['shop'],
    })
  })

  it('has the files that the config names', async () => {
    const cwd = project({
      ...cases,
      'viva.config.json': config({ fingerprint: { shop: ['server', 'lib/*.py'] } }),
      'server/app.py': '1',
      'server/prompts/a.md': '2',
      'lib/a.py': '3',
    })
    const { parts, unseen } = await fingerprint(cwd, { name: ['shop'] })
    expect(unseen).toBeUndefined()
    expect(Object.keys(parts)).toEqual(
      expect.arrayContaining(['server/app.py', 'server/prompts/a.md', 'lib/a.py']),
    )
  })

  it('has the settings of a model, without its key', async () => {
    const cwd = project({ ...cases, 'viva.config.json': JSON.stringify(gpt) })
    const found = await fingerprint(cwd, { name: ['shop'] })
    expect(found).toMatchObject({
      unseen: 'the model of connector gpt may change behind its name',
      unseenNames: ['gpt'],
    })
    const { options } = gpt.connectors.gpt
    const other = (more: object) => ({
      ...gpt,
      connectors: { gpt: { type: 'openai', options: { ...options, ...more } } },
    })
    write(cwd, { 'viva.config.json': JSON.stringify(other({ key: 'sk-two' })) })
    expect(changes(found, await fingerprint(cwd, { name: ['shop'] }))).toEqual([])
    write(cwd, {
      'viva.config.json': JSON.stringify({ ...other({ model: 'gpt-6' }), fingerprint: { gpt: [] } }),
    })
    const named = await fingerprint(cwd, { name: ['shop'] })
    expect(changes(found, named)).toEqual(['connector gpt'])
    expect(named.unseen).toBeUndefined()
  })

  it.each([
    ['a file that is missing', { shop: ['gone.py'] }, 'fingerprint of shop: there is no file gone.py'],
    ['a pattern without files', { shop: ['lib/*.rs'] }, 'fingerprint of shop: no file matches lib/*.rs'],
    ['a file outside of the project', { shop: ['..'] }, 'fingerprint of shop: .. is outside of the project'],
    ['an unknown name', { shpo: [] }, 'fingerprint of shpo: there is no agent and no connector of that name'],
  ])('refuses %s', async (_, named, message) => {
    const cwd = project({ ...cases, 'viva.config.json': config({ fingerprint: named }) })
    await expect(fingerprint(cwd, { name: ['shop'] })).rejects.toThrow(message)
  })
})
