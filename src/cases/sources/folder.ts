import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { isWrittenByRun } from '../../results/written-by-run.ts'
import { isSuiteFile } from './detect.ts'

const caseNames = /\.(jsonl|ndjson)$|\.cases\.(json|yaml|yml|csv|ts|js)$/

/** The case files and suites below a folder, sorted by name. Results and recordings that a run has left there are no cases. */
export function listCaseFiles(folder: string): string[] {
  return listFilesBelow(folder).filter(isCaseFileOfFolder)
}

/** Files below a folder that look like cases, but whose names say nothing of the kind: nobody reads them. */
export function listOverlookedFiles(folder: string): string[] {
  return listFilesBelow(folder).filter(
    (path) => /\.(?:json|ya?ml)$/i.test(path) && !isCaseFileOfFolder(path) && looksLikeCases(path),
  )
}

function isCaseFileOfFolder(path: string): boolean {
  return (caseNames.test(path) && !isWrittenByRun(path)) || isSuiteFile(path)
}

/** Without what is hidden or installed, and without results. */
function listFilesBelow(folder: string): string[] {
  const files: string[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name.startsWith('output-'))
      continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...listFilesBelow(path))
    else files.push(path)
  }
  return files
}

const searchedBytes = 4096

function looksLikeCases(path: string): boolean {
  const beginning = Buffer.alloc(searchedBytes)
  const file = openSync(path, 'r')
  try {
    const text = beginning.toString('utf8', 0, readSync(file, beginning))
    return /(?:^|[\s{,-])"?id"?\s*:/.test(text) && /(?:^|[\s{,-])"?(?:input|turns|messages)"?\s*:/.test(text)
  } finally {
    closeSync(file)
  }
}
