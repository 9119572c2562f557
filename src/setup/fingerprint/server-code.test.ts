import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findServerCode } from './server-code.ts'

const cwd = mkdtempSync(join(tmpdir(), 'viva-server-code-'))
for (const name of ['server.mjs', 'server.py', 'hook.mjs', 'tone.env', 'data.json'])
  writeFileSync(join(cwd, name), '')
afterAll(() => rmSync(cwd, { recursive: true }))

describe('the code of an MCP server', () => {
  it.each([
    ['node server.mjs', ['server.mjs'], true],
    ['/usr/bin/node server.mjs data.json --quiet', ['server.mjs', 'data.json'], true],
    ['bun run server.mjs', ['server.mjs'], true],
    ['node missing.mjs', [], false],
    ['node missing.mjs server.mjs', ['server.mjs'], false],
    ['node --env-file=tone.env --import=./hook.mjs server.mjs', ['server.mjs'], false],
    ['node server.mjs --rules=data.json', ['server.mjs'], false],
    ['python3 server.py --rules hook.mjs', ['server.py', 'hook.mjs'], false],
    ['npx some-server', [], false],
  ])('%s', (text, files, isSeen) => {
    const [command = '', ...args] = text.split(' ')
    const found = findServerCode({ command, args }, cwd)
    expect(found.files.map((path) => basename(path))).toEqual(files)
    expect(found.isSeen).toBe(isSeen)
  })

  it('is not seen where NODE_OPTIONS may load more', () => {
    const env = { NODE_OPTIONS: '--import ./hook.mjs' }
    expect(findServerCode({ command: 'node', args: ['server.mjs'], env }, cwd).isSeen).toBe(false)
  })
})
