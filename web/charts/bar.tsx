export interface Part {
  /** The CSS class of its colour. */
  name: string
  count: number
}

/** A bar of one or more parts, each as long as its share of the whole. The same figures must be beside it as text. */
export function Bar({ parts, whole }: { parts: readonly Part[]; whole: number }) {
  let start = 0
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-ground" x="0" y="0" width="100" height="8" />
      {parts.map(({ name, count }) => {
        // A part that is not zero is always visible.
        const width = count === 0 || whole === 0 ? 0 : Math.max(1, (100 * count) / whole)
        const x = Math.min(start, 100 - width)
        start += width
        return <rect key={name} class={`bar-part ${name}`} x={x} y="0" width={width} height="8" />
      })}
    </svg>
  )
}
