import { shorten } from '../text/shorten.ts'

/** A line that cannot be read, with the id of its case, where so much is left of it. */
export function describeUnreadable(number: number, text: string): string {
  const id = /"id":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return id === undefined ? `line ${number}` : `line ${number} (${shorten(id, 60)})`
}

const mostListed = 10

export function listFirst(items: readonly string[]): string {
  const more = items.length - mostListed
  return `${items.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
