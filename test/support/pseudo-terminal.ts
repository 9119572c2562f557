import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import { repository } from './viva.ts'

/** A terminal for tests: keys to type and output to read. */
export interface PseudoTerminal {
  /** Types keys; Enter is `\r`. */
  type(keys: string): void
  /** Waits until the text appears after what was seen before. Returns the output up to its end. */
  see(text: string | RegExp): Promise<string>
  /** All output so far, without colours and cursor movements. */
  shown(): string
  /** The lines that are left on the screen, without cleared ones. */
  lines(): string[]
  /** All raw output so far. */
  written(): string
  /** Waits for the end and returns the exit code. */
  ended(): Promise<number | null>
}

export interface PseudoTerminalOptions {
  cwd: string
  columns?: number
  env?: Record<string, string>
}

const limitMs = 20_000

/** `command` is a shell line, in which `viva` is the built command. */
export function openPseudoTerminal(
  command: string,
  { cwd, columns = 200, env = {} }: PseudoTerminalOptions,
): PseudoTerminal {
  const viva = `viva() { "${process.execPath}" "${join(repository, 'bin/viva.js')}" "$@"; }`
  const driver = join(repository, 'test/support/pseudo-terminal.py')
  const { OPENAI_API_KEY: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env
  const child = spawn('python3', [driver, String(columns), `${viva}; ${command}`], {
    cwd,
    env: { ...inherited, TERM: 'xterm', NO_COLOR: '1', ...env },
  })
  // Without its terminal the command gets a hang-up signal.
  onTestFinished(() => void child.kill())
  let written = ''
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  // An incomplete escape sequence is ignored: it would be read as text.
  const shown = () => stripVTControlCharacters(written.replace(/\u001b[^a-zA-Z]*$/, '')).replaceAll('\r', '')

  function find(text: string | RegExp): string | undefined {
    const rest = shown().slice(seen)
    const match = typeof text === 'string' ? { index: rest.indexOf(text), 0: text } : text.exec(rest)
    if (match === null || match.index === -1) return undefined
    return rest.slice(0, match.index + match[0].length)
  }
  const tooLate = (what: string) => new Error(`${what} within ${limitMs} ms; on the screen is:\n${shown()}`)
  return {
    type: (keys) => void child.stdin.write(keys),
    async see(text) {
      for (const started = Date.now(); ; await wait(10)) {
        const found = find(text)
        if (found !== undefined) {
          seen += found.length
          return found
        }
        if (child.exitCode !== null || Date.now() - started > limitMs) throw tooLate(`did not see ${text}`)
      }
    },
    shown,
    lines: () =>
      written
        .replaceAll('\r\n', '\n')
        .split('\n')
        .map((line) => stripVTControlCharacters(line.split('\r\u001b[2K').at(-1) ?? '')),
    written: () => written,
    async ended() {
      const late = wait(limitMs, 'late', { ref: false })
      if ((await Promise.race([closed, late])) === 'late') throw tooLate('did not end')
      return child.exitCode
    },
  }
}
