import type { ComponentChildren } from 'preact'

export function Notice({ children }: { children: ComponentChildren }) {
  return (
    <main class="notice">
      <h1 class="visually-hidden">viva</h1>
      <p role="status">{children}</p>
    </main>
  )
}
