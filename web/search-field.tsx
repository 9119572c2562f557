import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface SearchFieldProps {
  query: string
  field: RefObject<HTMLInputElement | null>
  onQuery: (query: string) => void
}

/** The text field updates immediately; the rest of the page follows after a pause in typing. */
const pauseMs = 120

export function SearchField({ query, field, onQuery }: SearchFieldProps) {
  const [text, setText] = useState(query)
  const reported = useRef(query)
  useEffect(() => {
    if (query === reported.current) return
    reported.current = query
    setText(query)
  }, [query])
  useEffect(() => {
    if (text === reported.current) return
    const timer = setTimeout(() => {
      reported.current = text
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
