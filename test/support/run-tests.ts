import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installViva, project, repository } from './viva.ts'

const reporters = ['default', 'json', 'junit'].map((name) => `--reporter=${name}`)
const outputs = ['json', 'junit'].map((name) => `--outputFile.${name}=${name}`)

/** Runs these tests with vitest in a project of their own, and returns what it prints. */
export function runTests(files: Record<string, string>, variables: Record<string, string> = {}): string {
  return reportTests(files, variables).printed
}

/** The same with what vitest writes to its reports. */
export function reportTests(files: Record<string, string>, variables: Record<string, string> = {}) {
  const cwd = project({ 'package.json': '{"type": "module"}', ...files })
  installViva(cwd, 'vitest', 'vite')
  const bin = join(repository, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, NO_COLOR: '1', VITEST: undefined, ...variables }
  const args = [bin, 'run', ...reporters, ...outputs]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env })
  const [json = '', junit = ''] = ['json', 'junit'].map((name) => readFileSync(join(cwd, name), 'utf8'))
  return { printed: stdout + stderr, json, junit }
}
