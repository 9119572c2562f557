import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Moves the focus back to the row of a closed case, or to the search field: immediately, so that no key is lost. */
export function useReturn(isOpen: boolean, otherwise: RefObject<HTMLElement | null>) {
  const row = useRef<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    if (isOpen) row.current = document.querySelector<HTMLElement>('tr.opened .open-case')
  })
  useLayoutEffect(() => {
    // Only now: nothing in a covered page can take the focus.
    if (wasOpen.current && !isOpen) {
      const target = row.current?.isConnected ? row.current : otherwise.current
      target?.focus({ preventScroll: true })
    }
    wasOpen.current = isOpen
  }, [isOpen, otherwise])
}
