import { useEffect, useState } from 'preact/hooks'

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const listen = () => setMatches(media.matches)
    listen()
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [query])
  return matches
}
