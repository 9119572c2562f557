import { useState } from 'preact/hooks'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  text: string | (() => string)
  label: string
  /** What is copied, for screen readers. */
  of?: string
  title?: string
}

export function CopyButton({ text, label, of, title }: CopyButtonProps) {
  const [note, setNote] = useState<string>()
  const copy = async () => {
    setNote((await copyText(typeof text === 'string' ? text : text())) ? 'Copied' : 'Copying is not allowed')
    setTimeout(() => setNote(undefined), 1500)
  }
  return (
    <button type="button" class="quiet copy" onClick={copy} {...(title === undefined ? {} : { title })}>
      <span aria-live="polite">{note ?? label}</span>
      {of ? <span class="visually-hidden"> {of}</span> : null}
    </button>
  )
}
