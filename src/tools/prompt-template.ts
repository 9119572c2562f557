import type { Data } from '../results/transcript/message.ts'

type Part = { text: string } | { argument: string; written: string } | { condition: string; parts: Part[] }

/** A text with `{{argument}}` and `{{#if argument}}…{{/if}}` in it. */
export type PromptTemplate = readonly Part[]

const tag = /\{\{\s*(#if\s+|\/if|)([\w.-]*)\s*\}\}/g

/** Throws when an `{{#if}}` and its end do not match. */
export function parsePromptTemplate(text: string): PromptTemplate {
  const root: Part[] = []
  const open = [root]
  const add = (part: Part) => open.at(-1)?.push(part)
  let at = 0
  for (const found of text.matchAll(tag)) {
    const [written, kind = '', argument = ''] = found
    if (kind === '' && argument === '') continue
    add({ text: text.slice(at, found.index) })
    at = found.index + written.length
    if (kind === '/if') {
      open.pop()
      if (open.length === 0) throw new Error('{{/if}} without an {{#if}}')
    } else if (kind === '') {
      add({ argument, written })
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
  return parts
    .map((part) => {
      if ('text' in part) return part.text
      if ('condition' in part) return given(part.condition) ? fillPromptTemplate(part.parts, args, known) : ''
      const value = given(part.argument)
      if (value === undefined || value === null) return known.has(part.argument) ? '' : part.written
      return textOfArgument(value)
    })
    .join('')
}

export function textOfArgument(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
