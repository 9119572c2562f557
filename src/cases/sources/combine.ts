import type { CaseSource } from '../entry.ts'

/** Combines several sources; the file of an entry says from which one to load it. */
export function combineSources(label: string, sources: ReadonlyMap<string, CaseSource>): CaseSource {
  const only = sources.size === 1 ? [...sources.values()][0] : undefined
  return {
    label,
    ...(only?.file === undefined ? {} : { file: only.file }),
    async *index() {
      for (const source of sources.values()) yield* source.index()
    },
    async load(entry) {
      const source = sources.get(entry.file)
      if (source === undefined) throw new Error(`no source for ${entry.file}`)
      return source.load(entry)
    },
    async close() {
      for (const source of sources.values()) await source.close?.()
    },
  }
}
