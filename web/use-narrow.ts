import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Whether the element is narrower than that; beside an open case a wide window has a narrow table too. */
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
