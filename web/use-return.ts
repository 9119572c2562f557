import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Whoever closes a case is back in its row, or else in the search field: at once, or the next key would go astray. */
export function useReturn(isOpen: boolean, otherwise: RefObject<HTMLElement | null>) {
  const row = useRef<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    if (isOpen) row.current = document.querySelector<HTMLElement>('tr.opened .open-case')
  })
  useLayoutEffect(() => {
    // Only now: as long as a case covers the page, nothing in that takes the focus.
    if (wasOpen.current && !isOpen) {
      const target = row.current?.isConnected ? row.current : otherwise.current
      target?.focus({ preventScroll: true })
    }
    wasOpen.current = isOpen
  }, [isOpen, otherwise])
}
