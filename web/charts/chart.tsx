import type { ComponentChildren } from 'preact'

/** A figure with a title and, beside it, its main number. */
export function Chart({
  title,
  note,
  children,
}: {
  title: string
  note?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="chart">
      <h2>
        {title} {note ? <span class="note">{note}</span> : null}
      </h2>
      {children}
    </section>
  )
}
