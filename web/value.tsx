import { parseJson } from '../src/json/json.ts'
import { JsonView } from './json-view.tsx'
import { LongText } from './long-text.tsx'

/** Shows a text as text and data as JSON. */
export function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span class="not-recorded">not recorded</span>
  if (typeof value === 'string') return <Text text={value} />
  return <JsonView value={value} />
}

/** Shows a text; one that is JSON as a whole is shown as JSON. */
export function Text({ text }: { text: string }) {
  if (text === '') return <span class="not-recorded">empty</span>
  const data = /^\s*[{[]/.test(text) && text.length < 200_000 ? parseJson(text) : undefined
  if (typeof data === 'object' && data !== null) return <JsonView value={data} />
  return (
    <div class="text">
      <LongText text={text} />
    </div>
  )
}
