import { useEffect, useState } from 'preact/hooks'
import type { ReportData } from './report-data.ts'
import { wordsOf } from './searched-texts.ts'

export interface Search {
  /** Results whose conversation has the words. */
  found: ReadonlySet<number>
  /** The share that has been looked at; undefined when nothing is looked for. */
  share?: number
}

const nothing: Search = { found: new Set() }
const shortestQuery = 2

/** Looks through the conversations in the background, a while after the last key. */
export function useSearch(data: ReportData, query: string): Search {
  const [{ of, search }, setSearch] = useState({ of: '', search: nothing })
  useEffect(() => {
    if (query.trim().length < shortestQuery) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const found = new Set<number>()
      let told: ReadonlySet<number> = nothing.found
      const tell = (more: readonly number[], share: number) => {
        for (const position of more) found.add(position)
        if (more.length > 0) told = new Set(found)
        setSearch({ of: query, search: { found: told, share } })
      }
      tell([], 0)
      // What cannot be searched is still found by what the table shows.
      data.search(wordsOf(query), tell, controller.signal).catch(() => tell([], 1))
    }, 150)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [data, query])
  // What was found for the words before these is no answer.
  return of === query ? search : nothing
}
