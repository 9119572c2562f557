import { LongText } from './long-text.tsx'

/** A text in a scrolling box, which must be reachable with the keyboard. */
export function ScrolledText({ text, class: className }: { text: string; class: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre class={className} tabIndex={0}>
      <LongText text={text} />
    </pre>
  )
}
