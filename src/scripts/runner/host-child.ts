import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'
import { killDescendants } from '../../system/owner.ts'
import { shortenStart } from '../../text/shorten.ts'
import type { HostSettings } from '../protocol/host-settings.ts'

/** How long the last output of a process may take to arrive after it ended. */
const lastWordsMs = 200
const maxLastWords = 4000

export function forkHost(
  settings: HostSettings,
  { env, cwd }: { env: Environment; cwd: string },
): ChildProcess {
  return fork(hostFile(), [JSON.stringify(settings)], {
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

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  killDescendants(child)
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended, or the system has no process groups.
    child.kill('SIGKILL')
  }
}

/** When built, it is beside this module in `dist`; when run from the sources, in `dist` at the root of the package. */
function hostFile(): string {
  const places = ['./script-host.js', '../../../dist/script-host.js'].map(
    (path) => new URL(path, import.meta.url),
  )
  const found = places.map((url) => fileURLToPath(url)).find((path) => existsSync(path))
  if (found === undefined) throw new Error('dist/script-host.js is missing: build vivavoce first')
  return found
}

/** Collects the process's own output, which is never printed, and keeps its end. */
export function collectOutput(child: ChildProcess, onText: (text: string) => void): () => string {
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      last = shortenStart(last + text, maxLastWords)
      onText(text)
    })
  }
  return () => last
}

/** Waits for the process to end and describes how it did. */
export function endOf(child: ChildProcess, lastWords: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(`could not be started: ${messageOf(error)}`)
    })
    child.once('exit', (code, signal) => {
      const tell = () => resolve(describeEnd(code, signal, lastWords()))
      // Its pipes may hold its last output, but its children may also keep them open for ever.
      const timer = setTimeout(tell, lastWordsMs)
      child.once('close', () => {
        clearTimeout(timer)
        tell()
      })
    })
  })
}

/** Lets a runner end that forgot to close the host; the host then ends by itself. */
export function doNotKeepRunnerAlive(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
}

/** `was killed by SIGABRT: FATAL ERROR: … JavaScript heap out of memory` */
function describeEnd(code: number | null, signal: NodeJS.Signals | null, output: string): string {
  const [lastWord] = /fatal .*/i.exec(output) ?? []
  return `${signal === null ? `exited with code ${code}` : `was killed by ${signal}`}${lastWord ? `: ${lastWord}` : ''}`
}
