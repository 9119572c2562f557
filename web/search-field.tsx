import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface SearchFieldProps {
  query: string
  field: RefObject<HTMLInputElement | null>
  onQuery: (query: string) => void
}

/** Whoever types sees what they type at once; the rest of the page follows when they pause. */
const pauseMs = 120

export function SearchField({ query, field, onQuery }: SearchFieldProps) {
  const [text, setText] = useState(query)
  const told = useRef(query)
  useEffect(() => {
    if (query === told.current) return
    told.current = query
    setText(query)
  }, [query])
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      onQuery(text)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text, onQuery])
  return (
    <div class="search-field">
      <input
        ref={field}
        type="search"
        placeholder="Search results and conversations"
        aria-label="Search results and conversations"
        aria-keyshortcuts="/"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </div>
  )
}
