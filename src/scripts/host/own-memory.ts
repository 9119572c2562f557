import { readFileSync } from 'node:fs'

/** The bytes that only this process uses. Includes shared pages where the system does not tell them apart. */
export function readOwnMemory(): number {
  return parseAnonymousMemory(readProcessStatus()) ?? process.memoryUsage.rss()
}

/** Reads the text of /proc/PID/status, on Linux. */
export function parseAnonymousMemory(status: string): number | undefined {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

function readProcessStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1')
  } catch {
    return ''
  }
}
