import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { builtFile } from '../../system/built-file.ts'
import type { Environment } from '../../system/environment.ts'
import { waitForEnd } from '../../system/process-group.ts'
import { shortenStart } from '../../text/shorten.ts'
import type { HostSettings } from '../protocol/host-settings.ts'

const maxOutputLength = 4000

export function forkHost(
  settings: HostSettings,
  { env, cwd }: { env: Environment; cwd: string },
): ChildProcess {
  return fork(builtFile('script-host.js'), [JSON.stringify(settings)], {
    // Not the runner's own flags: a second `--inspect` would take the same port.
    execArgv: ['--no-warnings'],
    env,
    cwd,
    serialization: 'json',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own process group: Ctrl-C does not reach it, and its children end with it.
    detached: true,
  })
}

/** Collects the process's own output, which is never printed, and keeps its end. */
export function collectOutput(child: ChildProcess, onText: (text: string) => void): () => string {
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      last = shortenStart(last + text, maxOutputLength)
      onText(text)
    })
  }
  return () => last
}

/** Waits for the process to end and says how: `was killed by SIGABRT: FATAL ERROR: … JavaScript heap out of memory`. */
export async function describeEnd(child: ChildProcess, lastWords: () => string): Promise<string> {
  const { code, signal, problem } = await waitForEnd(child)
  if (problem !== undefined) return `could not be started: ${problem}`
  const [lastWord] = /fatal .*/i.exec(lastWords()) ?? []
  return `${signal === null ? `exited with code ${code}` : `was killed by ${signal}`}${lastWord ? `: ${lastWord}` : ''}`
}

/** Lets a runner end that forgot to close the host; the host then ends by itself. */
export function doNotKeepRunnerAlive(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
}
