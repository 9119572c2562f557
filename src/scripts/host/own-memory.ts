import { readFileSync } from 'node:fs'

/** The bytes that only this process uses. Includes shared pages where the system does not tell them apart. */
export function ownMemory(): number {
  return anonymousMemory(readStatus()) ?? process.memoryUsage.rss()
}

/** Reads the text of /proc/PID/status, on Linux. */
export function anonymousMemory(status: string): number | undefined {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1')
  } catch {
    return ''
  }
}
