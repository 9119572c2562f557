import { placeholdersIn } from '../json/template.ts'
import { findNearest } from '../text/nearest.ts'

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

/** Says what is wrong with the first name that is not known. */
export function templateProblem(template: unknown): string | undefined {
  const unknown = placeholdersIn(template).find(
    (name) => !plainNames.includes(name) && !dottedName.test(name),
  )
  if (unknown === undefined) return undefined
  const guess = findNearest(unknown, plainNames)
  return `unknown placeholder {{${unknown}}}${guess === undefined ? '' : `: did you mean {{${guess}}}?`}`
}
