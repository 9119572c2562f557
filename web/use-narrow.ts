import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Whether the element is narrower than `limit`: beside an open case, the table is narrow in a wide window too. */
export function useNarrow(element: RefObject<HTMLElement | null>, limit: number): boolean {
  const [narrow, setNarrow] = useState(() => innerWidth < limit)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(() => setNarrow(current.clientWidth < limit))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, limit])
  return narrow
}
