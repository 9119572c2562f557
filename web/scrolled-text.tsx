import { LongText } from './long-text.tsx'

/** A text in a box that scrolls: what scrolls must be within reach of the keyboard. */
export function ScrolledText({ text, class: className }: { text: string; class: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre class={className} tabIndex={0}>
      <LongText text={text} />
    </pre>
  )
}
