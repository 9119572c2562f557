import { JsonView } from './json-view.tsx'
import { Text, Value } from './value.tsx'

/** The content of a message: a text, or parts. */
export function MessageContent({ content }: { content: unknown }) {
  if (!Array.isArray(content)) return content === null ? null : <Value value={content} />
  return (
    <>
      {content.map((part: unknown, index) => {
        const text = readPartText(part)
        return text === undefined ? (
          <JsonView key={index} value={part} open={false} />
        ) : (
          <Text key={index} text={text} />
        )
      })}
    </>
  )
}

function readPartText(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  if (typeof part !== 'object' || part === null) return undefined
  const { text } = part as { text?: unknown }
  return typeof text === 'string' ? text : undefined
}
