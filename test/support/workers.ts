import type { ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { ended, startViva } from './command.ts'

export interface StartedWorker {
  process: ChildProcess
  /** What it has printed so far. */
  output(): string
  /** Waits until it has printed this. */
  printed(text: string): Promise<void>
  ended: ReturnType<typeof ended>
}

/** Starts `viva worker`, which is killed at the end of the test. */
export function startWorker(
  url: string,
  cwd: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): StartedWorker {
  const child = startViva(['worker', '--queue', url, ...flags], { cwd, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { process: child, ...untilPrinted(child), ended: ended(child) }
}

/** What a process prints, and how to wait for it. */
export function untilPrinted(child: ChildProcess): Pick<StartedWorker, 'output' | 'printed'> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer | string) => {
      output += String(chunk)
    })
  return {
    output: () => output,
    async printed(text) {
      const until = Date.now() + 30_000
      while (!output.includes(text)) {
        if (Date.now() > until || child.exitCode !== null) throw new Error(`it printed:\n${output}`)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    },
  }
}
