import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { demo, project, repository, spawnViva } from './support/viva.ts'

/** The files of viva and its packages that a command loads, relative to the repository. */
async function loadedFiles(cwd: string, ...args: string[]): Promise<string[]> {
  const coverage = project()
  const { exitCode, stderr } = await spawnViva(args, { cwd, env: { NODE_V8_COVERAGE: coverage } })
  expect([exitCode, stderr]).toEqual([0, ''])
  const loaded = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url))
  })
  return loaded.flatMap((path) => (path.startsWith(repository) ? path.slice(repository.length) : []))
}

const chunkNames = (files: readonly string[]) =>
  files.flatMap((file) => /^dist\/cli\/(\w+)/.exec(file)?.[1] ?? [])

describe('starting the command', () => {
  it('--version loads nothing but the version and what prints it', async () => {
    const files = await loadedFiles(project(), '--version')
    expect(new Set(chunkNames(files))).toEqual(new Set(['main']))
  })

  it('--help does not load what a run needs', async () => {
    const files = await loadedFiles(project(), 'test', '--help')
    expect(new Set(chunkNames(files))).toEqual(new Set(['main', 'program', 'rolldown']))
  })

  it('a scripted case loads few files, and no adapter, compiler, client or generator', async () => {
    const inputs = 'assistants/expense/tests/inputs.jsonl'
    const args = ['-i', inputs, '--run', '^greeting$', '-o', 'x.jsonl']
    const files = await loadedFiles(demo(), 'test', ...args)
    expect(new Set(chunkNames(files))).toEqual(
      new Set(['main', 'program', 'rolldown', 'test', 'run', 'results']),
    )
    expect(files.length).toBeLessThanOrEqual(12)
    expect(files.filter((file) => file.startsWith('node_modules'))).toEqual([])
  })
})
