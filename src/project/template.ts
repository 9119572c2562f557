import { isRecord } from '../json/json.ts'
import { nearest } from '../text/nearest.ts'

/** The names that `{{…}}` accepts in a request. */
const plainNames = [
  'input',
  'sessionId',
  'session',
  'turn',
  'history',
  'messages',
  'userId',
  'teamId',
  'locale',
  'metadata',
  'options',
]
const dottedName = /^(?:metadata|options|env)\.[^.\s]+(?:\.[^.\s]+)*$/
const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g
const onlyPlaceholder = /^\{\{\s*([^{}]*?)\s*\}\}$/

/** The names of all placeholders in string values; keys are not searched. */
export function placeholdersIn(template: unknown): string[] {
  if (typeof template === 'string') return Array.from(template.matchAll(placeholder), ([, name = '']) => name)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(placeholdersIn)
}

/** A message about the first unknown placeholder. */
export function templateProblem(template: unknown): string | undefined {
  const unknown = placeholdersIn(template).find(
    (name) => !plainNames.includes(name) && !dottedName.test(name),
  )
  if (unknown === undefined) return undefined
  const guess = nearest(unknown, plainNames)
  return `unknown placeholder {{${unknown}}}${guess === undefined ? '' : `: did you mean {{${guess}}}?`}`
}

/**
 * Fills in the placeholders of a template. A string that is only a placeholder becomes the value itself, of
 * any type; a key without a value is omitted.
 */
export function fillTemplate(template: unknown, lookUp: (name: string) => unknown): unknown {
  if (typeof template === 'string') {
    const name = onlyPlaceholder.exec(template)?.[1]
    return name === undefined ? fillText(template, lookUp) : lookUp(name)
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, lookUp) ?? null)
  if (!isRecord(template)) return template
  const entries = Object.entries(template).map(([key, item]) => [key, fillTemplate(item, lookUp)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Always returns a string: other types are inserted as compact JSON, missing values as an empty string. */
export function fillText(
  template: string,
  lookUp: (name: string) => unknown,
  encode: (text: string) => string = (text) => text,
): string {
  return template.replace(placeholder, (_, name: string) => {
    const value = lookUp(name)
    if (value === undefined || value === null) return ''
    return encode(typeof value === 'string' ? value : JSON.stringify(value))
  })
}
