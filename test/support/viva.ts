import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Ended, repository, viva } from './command.ts'
import { jsonl, type Line, results } from './lines.ts'

export { type Ended, ended, repository, spawnViva, startViva, type VivaOptions, viva } from './command.ts'
export { jsonl, type Line, readJsonl, results } from './lines.ts'

/** A new folder for the test with the given files. */
export function project(files: Record<string, string> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** A run that several tests look at, made for the first of them. Its folder is gone when that test ends. */
export function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= run()
    return made
  }
}

/** Makes viva, and other packages of this repository, dependencies of a project. */
export function installViva(cwd: string, ...others: string[]): void {
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(repository, join(cwd, 'node_modules/vivavoce'))
  for (const name of others) {
    const path = join(cwd, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(repository, 'node_modules', name), path)
  }
}

/** A copy of the demo app. */
export function demo(name = 'expense'): string {
  const folder = project()
  cpSync(join(repository, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/(\.viva|output-\d+\.jsonl)/.test(path),
  })
  return folder
}

export interface Played extends Ended {
  /** The output of both streams. */
  output: string
  /** The result lines, one per case. */
  lines: Line[]
}

/** Plays these cases in an app with the built command. */
export async function play(
  cwd: string,
  cases: string | readonly unknown[],
  flags: readonly string[] = [],
): Promise<Played> {
  writeFileSync(join(cwd, 'cases.jsonl'), typeof cases === 'string' ? cases : jsonl(...cases))
  const args = ['test', '-i', 'cases.jsonl', '-o', 'results.jsonl', ...flags]
  const { exitCode, stdout, stderr } = await viva(args, { cwd })
  const written = join(cwd, 'results.jsonl')
  const lines = existsSync(written) ? results(written) : []
  return { exitCode, stdout, stderr, output: stdout + stderr, lines }
}

/** An agent that repeats its input. */
export const echoAgent = 'export default (input) => `you said: ${input}`\n'
