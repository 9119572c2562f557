import { parseJson } from '../../../json/json.ts'

/** A place in the generated text, and its place in the source. All numbers start at 0. */
export interface Segment {
  line: number
  column: number
  sourceLine: number
  sourceColumn: number
}

export interface SourceMap {
  source: string
  segments: Segment[]
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const inlineMap = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/

/** Reads the map that `compile` put at the end of a file. A map left by a build of the user describes other files. */
export function readInlineMap(file: string, text: string): SourceMap | undefined {
  const [, encoded] = inlineMap.exec(text) ?? []
  if (encoded === undefined) return undefined
  const map = parseJson(Buffer.from(encoded, 'base64').toString()) as RawMap | undefined
  if (map?.sources?.length !== 1 || map.sources[0] !== file) return undefined
  return { source: map.sourcesContent?.[0] ?? '', segments: decodeMappings(map.mappings ?? '') }
}

interface RawMap {
  sources?: string[]
  sourcesContent?: string[]
  mappings?: string
}

/** In the order of the generated text. All values except the column continue from segment to segment across lines. */
export function decodeMappings(mappings: string): Segment[] {
  let sourceLine = 0
  let sourceColumn = 0
  return mappings.split(';').flatMap((encodedLine, line) => {
    let column = 0
    return encodedLine.split(',').flatMap((encoded) => {
      const [moved, source, lines = 0, columns = 0] = decodeNumbers(encoded)
      if (moved === undefined) return []
      column += moved
      sourceLine += lines
      sourceColumn += columns
      // A segment of one number says that what follows has no source.
      return source === undefined ? [] : [{ line, column, sourceLine, sourceColumn }]
    })
  })
}

/** Base64 digits of six bits: the highest bit says that more follow, and the lowest bit of a number is its sign. */
export function decodeNumbers(encoded: string): number[] {
  const numbers: number[] = []
  let value = 0
  let weight = 1
  for (const letter of encoded) {
    const digit = digits.indexOf(letter)
    if (digit === -1) throw new Error(`"${letter}" is not a digit of a source map`)
    value += (digit & 31) * weight
    weight *= 32
    if ((digit & 32) !== 0) continue
    const magnitude = Math.floor(value / 2)
    numbers.push(value % 2 === 1 ? -magnitude : magnitude)
    value = 0
    weight = 1
  }
  return numbers
}
