import { readFileSync } from 'node:fs'

/** The bytes that this process has for itself. Where the system does not tell them apart, shared pages count too. */
export function ownMemory(): number {
  return anonymousMemory(readStatus()) ?? process.memoryUsage.rss()
}

/** From the text of /proc/PID/status, on Linux. */
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
