import { fileURLToPath } from 'node:url'

export interface Place {
  file: string
  /** From 1. */
  line: number
  /** From 1, in UTF-16 units as editors count. */
  column: number
}

export function placeAt(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n')
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** The lines around a place, with a caret under it. */
export function codeFrame(text: string, { line, column }: { line: number; column: number }): string {
  const lines = text.split('\n')
  const first = Math.max(1, line - 2)
  const last = Math.min(lines.length, line + 2)
  const width = String(last).length
  const frame: string[] = []
  for (let number = first; number <= last; number += 1) {
    const shown = (lines[number - 1] ?? '').trimEnd()
    frame.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${shown}`.trimEnd())
    if (number === line) frame.push(`  ${' '.repeat(width)} | ${toBlanks(shown.slice(0, column - 1))}^`)
  }
  return frame.join('\n')
}

/** Spaces as wide as the text, keeping its tabs, so that the caret is under the right letter. */
function toBlanks(text: string): string {
  return text.replace(/[^\t]/g, ' ')
}

/** Whether it is the user's own code, not an installed package. */
export function isUserFile(file: string): boolean {
  return !/[\\/]node_modules[\\/]/.test(file)
}

export function fileUrlToPath(url: string): string | undefined {
  return url.startsWith('file:') ? fileURLToPath(url) : undefined
}

interface LocatedError extends Error {
  vivaPlace: Place
}

/** Adds the place to a load error. A plain property, because it must cross from the hooks' thread on Node 20. */
export function addErrorPlace(error: Error, place: Place): LocatedError {
  return Object.assign(error, { vivaPlace: place })
}

export function errorPlace(error: unknown): Place | undefined {
  return typeof error === 'object' && error !== null ? (error as Partial<LocatedError>).vivaPlace : undefined
}
