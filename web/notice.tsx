import type { ComponentChildren } from 'preact'

export function Notice({ role, children }: { role: 'status' | 'alert'; children: ComponentChildren }) {
  return (
    <main class="notice">
      <h1 class="visually-hidden">viva</h1>
      <p role={role}>{children}</p>
    </main>
  )
}
