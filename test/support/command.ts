import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { runProgram } from '../../src/cli/program.ts'

export const repository = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(repository, 'bin/viva.js')
const program = pathToFileURL(join(repository, 'dist/cli/program.js')).href

export interface Ended {
  exitCode: number | null
  stdout: string
  stderr: string
}

export interface VivaOptions {
  cwd: string
  env?: Record<string, string>
  /** For commands in a process of their own. */
  stdin?: string
  /** How often the progress is printed, for commands in this process. */
  logProgressEveryMs?: number
}

/**
 * Runs the built command in this process, with streams, environment and working folder of its own. That costs a tenth
 * of a process; where signals, terminals, crashes or packaging matter, `spawnViva` starts the binary.
 */
export async function viva(args: readonly string[], { cwd, env, ...more }: VivaOptions): Promise<Ended> {
  const built: { runProgram: typeof runProgram } = await import(/* @vite-ignore */ program)
  const stdout = collect()
  const stderr = collect()
  const exitCode = await built.runProgram(args, {
    ...more,
    cwd,
    env: environment(env),
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    onSignal: () => () => {},
    exit(code) {
      throw new Error(`the command wants to exit with ${code}`)
    },
  })
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

function collect(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** As a user's: no colours, no key. */
function environment(own: Record<string, string> = {}): Record<string, string | undefined> {
  const { OPENAI_API_KEY: _, FORCE_COLOR: __, NO_COLOR: ___, ...inherited } = process.env
  return { ...inherited, ...own }
}

/** Starts the built binary, as a user does: no terminal, no colours, no key in the environment. */
export function startViva(args: readonly string[], { cwd, env, stdin }: VivaOptions): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: environment(env),
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(stdin)
  return child
}

/** Runs the built binary to its end. */
export async function spawnViva(args: readonly string[], options: VivaOptions): Promise<Ended> {
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
