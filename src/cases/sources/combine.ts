import type { Problem } from '../../errors.ts'
import type { CaseEntry, CaseSource } from '../entry.ts'

async function* indexAll(sources: Iterable<CaseSource>): AsyncGenerator<CaseEntry | Problem> {
  for (const source of sources) yield* source.index()
}

/** Combines several sources; the file of an entry says from which one to load it. */
export function combineSources(label: string, sources: ReadonlyMap<string, CaseSource>): CaseSource {
  const only = sources.size === 1 ? [...sources.values()][0] : undefined
  return {
    label,
    ...(only?.file === undefined ? {} : { file: only.file }),
    index: () => (only ? only.index() : indexAll(sources.values())),
    load(entry) {
      const source = sources.get(entry.file)
      if (source === undefined) throw new Error(`no source for ${entry.file}`)
      return source.load(entry)
    },
    loadChanged(entry, change) {
      const source = sources.get(entry.file)
      if (source?.loadChanged === undefined) throw new Error(`${entry.id} of ${entry.file} is not data`)
      return source.loadChanged(entry, change)
    },
    written: (entry) => sources.get(entry.file)?.written?.(entry),
    async close() {
      for (const source of sources.values()) await source.close?.()
    },
  }
}
