import { useEffect, useState } from 'preact/hooks'

/** On small screens a case covers the page, see `page.css`. */
const smallScreen = '(max-width: 899px)'

/** Whether an open case covers the page, which then neither scrolls nor takes the focus. */
export function useCoveredPage(isOpen: boolean): boolean {
  const [isSmall, setIsSmall] = useState(() => matchMedia(smallScreen).matches)
  useEffect(() => {
    const media = matchMedia(smallScreen)
    const listen = () => setIsSmall(media.matches)
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [])
  useEffect(() => {
    document.documentElement.classList.toggle('case-is-open', isOpen)
  }, [isOpen])
  return isOpen && isSmall
}
