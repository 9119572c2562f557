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
  const [search, setSearch] = useState(nothing)
  useEffect(() => {
    setSearch(nothing)
    if (query.trim().length < shortestQuery) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const found = new Set<number>()
      setSearch({ found, share: 0 })
      const tell = (more: readonly number[], share: number) => {
        for (const position of more) found.add(position)
        setSearch({ found: more.length > 0 ? new Set(found) : found, share })
      }
      // What cannot be searched is still found by what the table shows.
      data.search(wordsOf(query), tell, controller.signal).catch(() => setSearch({ found, share: 1 }))
    }, 250)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [data, query])
  return search
}
