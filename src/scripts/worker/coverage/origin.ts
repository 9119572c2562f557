import { readInlineMap, type Segment } from './source-map.ts'

/** Where the text that ran comes from: the TypeScript that it was compiled from, or itself. */
export interface TextOrigin {
  source: string
  /** The first place within a range that is also in the source; undefined when the compiler generated all of it. */
  first(start: number, end: number): OriginPlace | undefined
  /** The line of a place of the source, from 1. */
  lineAt(sourceOffset: number): number
}

interface OriginPlace {
  offset: number
  sourceOffset: number
}

export function findOrigin(file: string, text: string): TextOrigin {
  const map = readInlineMap(file, text)
  if (map === undefined) {
    const first = (start: number) => ({ offset: start, sourceOffset: start })
    return { source: text, first, lineAt: createLineFinder(text) }
  }
  const places = toOriginPlaces(map.segments, lineStarts(text), lineStarts(map.source))
  return {
    source: map.source,
    first(start, end) {
      const place = places[countUpTo(places.length, (index) => (places[index]?.offset ?? 0) < start)]
      return place !== undefined && place.offset < end ? place : undefined
    },
    lineAt: createLineFinder(map.source),
  }
}

function toOriginPlaces(segments: Segment[], starts: number[], sourceStarts: number[]): OriginPlace[] {
  return segments.map(({ line, column, sourceLine, sourceColumn }) => ({
    offset: (starts[line] ?? 0) + column,
    sourceOffset: (sourceStarts[sourceLine] ?? 0) + sourceColumn,
  }))
}

function createLineFinder(text: string): (offset: number) => number {
  const starts = lineStarts(text)
  return (offset) => countUpTo(starts.length, (index) => (starts[index] ?? 0) <= offset)
}

/** Splits at everything that JavaScript treats as the end of a line, as the compiler does. */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|[\n\r\u2028\u2029]/g), (end) => end.index + end[0].length)]
}

/** Counts how many indexes satisfy a condition that holds for a prefix of them. */
function countUpTo(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
