import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const repository = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(repository, 'bin/viva.js')

export interface Ended {
  exitCode: number | null
  stdout: string
  stderr: string
}

export interface VivaOptions {
  cwd: string
  env?: Record<string, string>
}

/** The built command, as a user runs it: no terminal, no colours, no key in the environment. */
export function startViva(args: readonly string[], { cwd, env = {} }: VivaOptions): ChildProcess {
  const { OPENAI_API_KEY: _, FORCE_COLOR: __, NO_COLOR: ___, ...inherited } = process.env
  return spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function viva(args: readonly string[], options: VivaOptions): Promise<Ended> {
  return ended(startViva(args, options))
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exitCode, stdout, stderr }
}

/** An empty folder of the test's own, filled with the given files. */
export function project(files: Record<string, string> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Makes viva a dependency of a project, and other packages of ours with it. */
export function installViva(cwd: string, ...others: string[]): void {
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(repository, join(cwd, 'node_modules/vivavoce'))
  for (const name of others)
    symlinkSync(join(repository, 'node_modules', name), join(cwd, 'node_modules', name))
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

export type Line = Record<string, unknown>

export function readJsonl(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

export function results(path: string): Line[] {
  return readJsonl(path).filter((line) => line.type === 'result')
}

export function jsonl(...cases: unknown[]): string {
  return cases.map((item) => `${JSON.stringify(item)}\n`).join('')
}

export interface Played extends Ended {
  /** Of both streams. */
  output: string
  /** What came out, a line a case. */
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

/** An agent that repeats what it is told. */
export const echoAgent = 'export default (input) => `you said: ${input}`\n'
