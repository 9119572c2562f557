import { isRecord, textOrJson } from './json.ts'

/** `{{ name }}` */
const placeholder = /\{\{([^{}]*)\}\}/g

/** What a placeholder stands for. One that shall stay as it is stands for itself, as it is `written`. */
export type LookUp = (name: string, written: string) => unknown

/** Every name that the texts in it hold, keys aside. */
export function placeholdersIn(template: unknown): string[] {
  if (typeof template === 'string')
    return Array.from(template.matchAll(placeholder), ([, name = '']) => name.trim())
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(placeholdersIn)
}

/**
 * The template with its placeholders filled in. A text that is one placeholder becomes the value itself, of
 * whatever type; a key whose value is not there is left out.
 */
export function fillTemplate(template: unknown, lookUp: LookUp, write = textOrNothing): unknown {
  if (typeof template === 'string') {
    const [, name] = /^\{\{([^{}]*)\}\}$/.exec(template) ?? []
    return name === undefined ? fillText(template, lookUp, { write }) : lookUp(name.trim(), template)
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, lookUp, write) ?? null)
  if (!isRecord(template)) return template
  const entries = Object.entries(template).map(([key, item]) => [key, fillTemplate(item, lookUp, write)])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

interface Filling {
  /** Its first group that matches is the name. */
  pattern?: RegExp
  /** How a value is written into the text. */
  write?: (value: unknown) => string
}

/** In one pass: nothing that is put in is looked through again. */
export function fillText(
  text: string,
  lookUp: LookUp,
  { pattern = placeholder, write = textOrNothing }: Filling = {},
): string {
  return text.replace(pattern, (written: string, ...groups: unknown[]) => {
    const name = groups.find((group) => typeof group === 'string')
    return write(lookUp(name?.trim() ?? '', written))
  })
}

export function textOrNothing(value: unknown): string {
  return value === null ? '' : textOrJson(value)
}
