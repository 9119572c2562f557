import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface FoldProps {
  title: ComponentChildren
  open?: boolean
  class?: string
  /** Rendered only when it is open. */
  children: () => ComponentChildren
}

export function Fold({ title, open = false, class: className = '', children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(open)
  return (
    <details
      class={`fold-box ${className}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {isOpen ? children() : null}
    </details>
  )
}
