import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../errors.ts'

const caseNames = /\.(jsonl|ndjson)$|\.cases\.(json|yaml|yml|csv|ts|js)$/

/** Left out in silence, their cases would seem to have passed. */
const laterNames = /\.suite\.(ts|js)$/

/** The case files below a folder, in the order of their names. */
export function caseFilesIn(folder: string): string[] {
  const files: string[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name.startsWith('output-'))
      continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...caseFilesIn(path))
    else if (caseNames.test(entry.name)) files.push(path)
    else if (laterNames.test(entry.name)) {
      throw new ConfigError({ code: 'not_yet', message: `${path}: suites are not supported yet` })
    }
  }
  return files
}
