import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { demo, ended, jsonl, project, repository, spawnViva } from './support/viva.ts'

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

/** A project with one case, and the arguments that run it over HTTP. */
async function caseOverHttp(): Promise<{ cwd: string; args: string[] }> {
  const server = await startFakeOpenAIServer({ answer: () => 'hello' })
  onTestFinished(() => server.close())
  const cwd = project({ 'cases.jsonl': jsonl({ id: 'a', input: 'hi' }) })
  return { cwd, args: ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`, '-o', 'x.jsonl'] }
}

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

  it('a case over HTTP loads one file more for its agent and one for the client', async () => {
    const { cwd, args } = await caseOverHttp()
    const files = await loadedFiles(cwd, ...args)
    expect(new Set(chunkNames(files))).toEqual(
      new Set(['main', 'program', 'rolldown', 'test', 'run', 'results', 'openai', 'undici']),
    )
    expect(files.filter((file) => file.startsWith('node_modules'))).toEqual([])
  })

  it('a short run does not wait until V8 has optimized the HTTP parser', async () => {
    const { cwd, args } = await caseOverHttp()
    const command = ['--trace-wasm-compilation-times', join(repository, 'bin/viva.js'), ...args]
    const { exitCode, stdout } = await ended(spawn(process.execPath, command, { cwd }))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('using Liftoff')
    expect(stdout).not.toContain('using TurboFan')
  })
})
