import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseSource } from '../cases/entry.ts'
import { type CaseFileOptions, caseFileSource } from './case-file.ts'
import { jsonl } from './jsonl.ts'

/** `-i -`: JSONL on stdin. It can be read once only, so it is kept in a file while the run goes on. */
export function stdinSource(options: Pick<CaseFileOptions, 'surroundings' | 'settings'>): CaseSource {
  const folder = mkdtempSync(join(tmpdir(), 'viva-stdin-'))
  const path = join(folder, 'stdin.jsonl')
  const kept = caseFileSource({ ...options, path, file: '-', format: jsonl })
  return {
    label: 'stdin',
    async *index() {
      writeFileSync(path, '', { mode: 0o600 })
      for await (const chunk of process.stdin) appendFileSync(path, chunk as Buffer)
      yield* kept.index()
    },
    load: (entry) => kept.load(entry),
    async close() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
