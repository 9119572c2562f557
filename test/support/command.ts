import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

/** Runs the built command like a user: without a terminal, colours, or keys in the environment. */
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
