import { useLayoutEffect } from 'preact/hooks'

/** Keys for the whole page, except while typing or in a dialog. Arrow keys scroll as usual. */
export function useKeys(keys: Record<string, () => void>) {
  // A layout effect, because after the paint the next key could still call the previous action.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (document.querySelector('dialog[open]')) return
      const at = event.target instanceof Element ? event.target : undefined
      const typing = at?.closest('input, select, textarea')
      if (typing && event.key !== 'Escape') return
      const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
      if (action === undefined) return
      event.preventDefault()
      if (typing instanceof HTMLElement) typing.blur()
      else action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
