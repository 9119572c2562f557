import { statSync } from 'node:fs'
import { ConfigError } from '../errors.ts'
import { isJournal } from '../results/journal.ts'
import { keyText } from '../results/key.ts'
import { readStart, resultLines } from '../results/read-results.ts'
import type { Resumed } from '../run.ts'

/** What an interrupted run has left. `variants` are without secrets. */
export async function readResumed(path: string, variants: readonly string[]): Promise<Resumed> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new ConfigError({ code: 'no_such_file', message: `--resume ${path}: no such file` })
  }
  const start = isJournal(path) ? await readStart(path) : undefined
  if (start === undefined) {
    throw new ConfigError({ code: 'bad_journal', message: `--resume ${path}: not a results file of viva` })
  }
  if (start.variants.join() !== variants.join()) {
    const message = `--resume ${path}: its results are of ${start.variants.join(', ')}, not of ${variants.join(', ')}`
    throw new ConfigError({ code: 'other_agent', message })
  }
  const finished = new Map<string, string>()
  const written = new Map<string, string>()
  for await (const { result } of resultLines(path)) {
    const { status, case_hash: hash, retrying } = result
    written.set(keyText(result), hash)
    const open = status === 'interrupted' || status === 'not_run' || retrying
    // The last line of a key counts: one that was to be played once more, and was not, is open again.
    if (open) finished.delete(keyText(result))
    else finished.set(keyText(result), hash)
  }
  return { finished, written }
}
