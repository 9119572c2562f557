import { existsSync, readFileSync } from 'node:fs'
import type { Line } from '../support/lines.ts'
import { faultText } from './fault.ts'

const size = 30

interface SuiteCase {
  id: string
  input: string
  assert: unknown
}

/** Small cases that take a moment each. With `mixed`, some fail. */
export function suite(name: string, isMixed: boolean): SuiteCase[] {
  return Array.from({ length: size }, (_, index) => {
    const breaks: Record<string, string> = isMixed && index % 10 === 4 ? { status: '400' } : {}
    const input = `${name}:c${index} ${faultText({ delay: '15', ...breaks })}`
    const value = isMixed && index % 7 === 3 ? 'something else' : `:c${index} `
    return { id: `c${index}`, input, assert: { type: 'contains', value } }
  })
}

export function expectedStatus(index: number, isMixed: boolean): 'passed' | 'failed' {
  return isMixed && (index % 10 === 4 || index % 7 === 3) ? 'failed' : 'passed'
}

/** The case that a request belongs to. */
export function caseId(text: string): string {
  return /:(c\d+) /.exec(text)?.[1] ?? text
}

/** The complete lines, without one that a kill has cut off. */
export function readJournal(path: string): Line[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map(parseLine).filter((line) => line !== undefined)
}

/** Lines that cannot be read are ignored. */
function parseLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}

/** The cases that --resume need not run again. */
export function finishedIn(path: string): Set<string> {
  const last = new Map(results(readJournal(path)).map(({ id, status }) => [String(id), status]))
  return new Set(
    [...last].filter(([, status]) => status === 'passed' || status === 'failed').map(([id]) => id),
  )
}

function results(lines: readonly Line[]): Line[] {
  return lines.filter(({ type }) => type === 'result')
}

/** The cases for which the command reported a result, on the terminal or as events. */
export function shownIds(stdout: string, asJson: boolean): string[] {
  // A line that a kill has cut off does not count.
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
  if (!asJson) return [...whole.matchAll(/\[(c\d+)\]/g)].map(([, id]) => String(id))
  const events = whole.split('\n').filter((line) => line.includes('"type":"case_finished"'))
  return events.map((line) => String((JSON.parse(line) as Line).id))
}

/** The counts of the last line, and those of the lines before it. */
export function recount(lines: readonly Line[]): { counted: string; told: string } {
  const last = [...new Map(results(lines).map((line) => [line.id, line])).values()]
  const count = (wanted: (line: Line) => boolean) => last.filter(wanted).length
  const counted = {
    total: size,
    passed: count(({ status }) => status === 'passed'),
    failed: count(({ status }) => status === 'failed'),
    infrastructure_errors: count(({ status, fault }) => status === 'failed' && fault === 'infrastructure'),
    not_run: size - count(({ status }) => status === 'passed' || status === 'failed'),
  }
  const summary = lines.at(-1) ?? {}
  const told = Object.fromEntries(Object.keys(counted).map((name) => [name, summary[name]]))
  return { counted: JSON.stringify(counted), told: JSON.stringify(told) }
}
