import { useEffect, useState } from 'preact/hooks'
import { type HashState, readHash, writeHash } from './hash-state.ts'

/** What the page shows, kept in its address: links, back and forward work. */
export function useHashState(): [HashState, (next: HashState, how: 'push' | 'replace') => void] {
  const [state, setState] = useState(() => readHash(location.hash))
  useEffect(() => {
    const read = () => setState(readHash(location.hash))
    addEventListener('popstate', read)
    addEventListener('hashchange', read)
    return () => {
      removeEventListener('popstate', read)
      removeEventListener('hashchange', read)
    }
  }, [])
  return [
    state,
    (next, how) => {
      setState(next)
      remember(writeHash(next), how)
    },
  ]
}

function remember(hash: string, how: 'push' | 'replace') {
  if (hash === (location.hash || '#')) return
  try {
    if (how === 'push') history.pushState(null, '', hash)
    else history.replaceState(null, '', hash)
  } catch {
    // Some frames may not touch their history; the page works without.
  }
}
