import { fillText } from '../json/template.ts'
import type { Data } from '../results/transcript/message.ts'

type Part = { text: string } | { condition: string; parts: Part[] }

/** A text with `{{argument}}` and `{{#if argument}}…{{/if}}` in it. */
export type PromptTemplate = readonly Part[]

const tag = /\{\{\s*(#if\s+|\/if)([\w.-]*)\s*\}\}/g

/** Throws when an `{{#if}}` and its end do not match. */
export function parsePromptTemplate(text: string): PromptTemplate {
  const root: Part[] = []
  const open = [root]
  const add = (part: Part) => open.at(-1)?.push(part)
  let at = 0
  for (const found of text.matchAll(tag)) {
    const [written, kind = '', argument = ''] = found
    add({ text: text.slice(at, found.index) })
    at = found.index + written.length
    if (kind === '/if') {
      open.pop()
      if (open.length === 0) throw new Error('{{/if}} without an {{#if}}')
    } else {
      const parts: Part[] = []
      add({ condition: argument, parts })
      open.push(parts)
    }
  }
  if (open.length > 1) throw new Error('{{#if}} without an {{/if}}')
  add({ text: text.slice(at) })
  return root
}

/** Unknown names stay as they are written; names in `known` without a value become empty. */
export function fillPromptTemplate(parts: PromptTemplate, args: Data, known: ReadonlySet<string>): string {
  const given = (name: string) => (Object.hasOwn(args, name) ? args[name] : undefined)
  const lookUp = (name: string, written: string) => given(name) ?? (known.has(name) ? '' : written)
  return parts
    .map((part) => {
      if ('text' in part) return fillText(part.text, lookUp)
      return given(part.condition) ? fillPromptTemplate(part.parts, args, known) : ''
    })
    .join('')
}
