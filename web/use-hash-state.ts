import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type HashState, readHash, writeHash } from './hash-state.ts'

/** Computes the new state from the current one. */
export type ChangeState = (next: (state: HashState) => HashState, how: 'push' | 'replace') => void

/** The state of the page, kept in its address, so that links, back and forward work. */
export function useHashState(): [HashState, ChangeState] {
  const [state, setState] = useState(() => readHash(location.hash))
  const latest = useRef(state)
  const become = useCallback((next: HashState) => {
    latest.current = next
    setState(next)
  }, [])
  useEffect(() => {
    const read = () => become(readHash(location.hash))
    addEventListener('popstate', read)
    addEventListener('hashchange', read)
    return () => {
      removeEventListener('popstate', read)
      removeEventListener('hashchange', read)
    }
  }, [become])
  const change = useCallback<ChangeState>(
    (next, how) => {
      become(next(latest.current))
      remember(writeHash(latest.current), how)
    },
    [become],
  )
  return [state, change]
}

function remember(hash: string, how: 'push' | 'replace') {
  if (hash === (location.hash || '#')) return
  try {
    if (how === 'push') history.pushState(null, '', hash)
    else history.replaceState(null, '', hash)
  } catch {
    // Some frames may not change their history; the page works without it.
  }
}
