import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { followImports } from './imports.ts'

function follow(entry: string, files: Record<string, string>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'viva-imports-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const { files: found, isOpen } = followImports(join(root, entry))
  return { files: [...found].map((path) => relative(root, path)).sort(), isOpen }
}

describe('the files that a module loads', () => {
  it('are those it imports, re-exports and requires, as far as they go', () => {
    const { files, isOpen } = follow('agent.ts', {
      'agent.ts': `import { a } from './lib/a.js'\nimport './side.mjs'\nexport * from './b'\nimport data from "./data.json"`,
      'lib/a.ts': `const c = require('../c.cjs'); export const later = () => import('./later.ts')`,
      'lib/later.ts': '',
      'side.mjs': '',
      'b/index.ts': `import '../agent.ts'`,
      'c.cjs': '',
      'data.json': '{}',
      'unused.ts': '',
    })
    expect(files).toEqual([
      'agent.ts',
      'b/index.ts',
      'c.cjs',
      'data.json',
      'lib/a.ts',
      'lib/later.ts',
      'side.mjs',
    ])
    expect(isOpen).toBe(false)
  })

  it('leave out what is installed', () => {
    const files = {
      'agent.mjs': `import { z } from 'zod'\nimport fs from 'node:fs'`,
      'node_modules/zod/package.json': '{"main":"index.js"}',
      'node_modules/zod/index.js': '',
    }
    expect(follow('agent.mjs', files).files).toEqual(['agent.mjs'])
  })

  it('are found in a file that does not compile, and include one that is missing', () => {
    const files = { 'agent.mjs': `import './a.mjs'\nimport './gone.mjs'\nexport default (`, 'a.mjs': '' }
    expect(follow('agent.mjs', files).files).toEqual(['a.mjs', 'agent.mjs', 'gone.mjs', 'gone.mts'])
  })

  it('include the file that a script test tests', () => {
    const files = { 'setup_test.ts': '', 'setup.ts': `import './util'`, 'util.ts': '' }
    expect(follow('setup_test.ts', files).files).toEqual(['setup.ts', 'setup_test.ts', 'util.ts'])
  })

  it.each([
    'const name = "./a.mjs"; await import(name)',
    'Process("models.pet.Find", 1)',
    'const call = "scripts.tests.Check"',
  ])('may be others too: %s', (text) => {
    expect(follow('a.mjs', { 'a.mjs': text }).isOpen).toBe(true)
  })
})
