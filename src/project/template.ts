import { isRecord } from '../json/json.ts'
import { nearest } from '../text/nearest.ts'

/** What `{{…}}` may name in a request; of those with a dot, a part by its own name. */
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

/** Every name that the texts in it hold, keys aside. */
export function placeholdersIn(template: unknown): string[] {
  if (typeof template === 'string') return Array.from(template.matchAll(placeholder), ([, name = '']) => name)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(placeholdersIn)
}

/** Says what is wrong with the first name that is not known. */
export function templateProblem(template: unknown): string | undefined {
  const unknown = placeholdersIn(template).find(
    (name) => !plainNames.includes(name) && !dottedName.test(name),
  )
  if (unknown === undefined) return undefined
  const guess = nearest(unknown, plainNames)
  return `unknown placeholder {{${unknown}}}${guess === undefined ? '' : `: did you mean {{${guess}}}?`}`
}

/**
 * The template with its placeholders filled in. A text that is one placeholder becomes the value itself, of
 * whatever type; a key whose value is not there is left out.
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

/** Always a text: values that are none are put in as compact JSON, missing ones as nothing. */
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
