import { useState } from 'preact/hooks'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  text: string | (() => string)
  label: string
  /** What is copied, for those who hear the page. */
  of?: string
  title?: string
}

export function CopyButton({ text, label, of, title }: CopyButtonProps) {
  const [said, setSaid] = useState<string>()
  const copy = async () => {
    setSaid((await copyText(typeof text === 'string' ? text : text())) ? 'Copied' : 'Not allowed here')
    setTimeout(() => setSaid(undefined), 1500)
  }
  return (
    <button type="button" class="quiet copy" onClick={copy} {...(title === undefined ? {} : { title })}>
      <span aria-live="polite">{said ?? label}</span>
      {of ? <span class="visually-hidden"> {of}</span> : null}
    </button>
  )
}
