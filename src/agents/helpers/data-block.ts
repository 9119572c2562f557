import { createHash } from 'node:crypto'
import { jsonLine } from '../../json/json-line.ts'

/**
 * What was said, for a model that must judge it and not obey it: one JSON value a line, between two lines that the
 * data cannot contain.
 */
export function dataBlock(values: readonly unknown[]): string {
  const lines = values.map(jsonLine)
  const mark = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
  return [`BEGIN DATA ${mark}`, ...lines, `END DATA ${mark}`].join('\n')
}
