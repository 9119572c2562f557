import type { Data } from '../results/transcript/message.ts'
import { cutText } from '../text/shorten.ts'

/** Narrows JSON from the other side without trusting it: undefined for anything that is not an object. */
export function asData(value: unknown): Data | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : undefined
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Whether a field for errors tells of one: some always send it, and leave it empty. */
export function hasError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== ''
}

/** The start of a long text, on one line, for a message. */
export function excerpt(text: string, length: number): string {
  const line = text
    .slice(0, length * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > length || text.length > length * 2 ? `${cutText(line, length)}…` : line
}
