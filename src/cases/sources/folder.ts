import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasResults } from '../../results/journal.ts'
import { isSuiteFile } from './detect.ts'

const caseNames = /\.(jsonl|ndjson)$|\.cases\.(json|yaml|yml|csv|ts|js)$/

/** The case files and suites below a folder, sorted by name. Results that a run has left there are no cases. */
export function listCaseFiles(folder: string): string[] {
  const files: string[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name.startsWith('output-'))
      continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...listCaseFiles(path))
    else if ((caseNames.test(entry.name) && !hasResults(path)) || isSuiteFile(entry.name)) files.push(path)
  }
  return files
}
