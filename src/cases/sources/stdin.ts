import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InputStream } from '../../system/shell.ts'
import type { CaseSource } from '../entry.ts'
import { jsonl } from '../formats/jsonl.ts'
import { type CaseFileOptions, type CaseFileSource, caseFileSource } from './case-file.ts'

/** `-i -`: JSONL on stdin. It can be read once only, so it is kept in a file while the run goes on. */
export function stdinSource(
  options: Pick<CaseFileOptions, 'surroundings' | 'settings'>,
  stdin: InputStream,
): CaseSource {
  let folder: string | undefined
  let kept: CaseFileSource | undefined
  return {
    label: 'stdin',
    async *index() {
      folder = mkdtempSync(join(tmpdir(), 'viva-stdin-'))
      const path = join(folder, 'stdin.jsonl')
      writeFileSync(path, '', { mode: 0o600 })
      for await (const chunk of stdin) appendFileSync(path, chunk)
      kept = caseFileSource({ ...options, path, file: '-', format: jsonl })
      yield* kept.index()
    },
    async load(entry) {
      return expectRead(kept).load(entry)
    },
    loadChanged: (entry, change) => expectRead(kept).loadChanged(entry, change),
    written: (entry) => expectRead(kept).read(entry),
    async close() {
      await kept?.close?.()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function expectRead(kept: CaseFileSource | undefined): CaseFileSource {
  if (kept === undefined) throw new Error('stdin was not read')
  return kept
}
