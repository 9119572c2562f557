import type { AssertionInput } from '../checks/assertion-type.ts'
import type { AuthoredCase, AuthoredTurn } from './case-schema.ts'
import type { Path } from './formats/case-format.ts'

/** A check that is added to a case: to a turn of its author, by its index, to the case, or at the end. */
export interface AddedCheck {
  at: { turn: number } | 'case' | 'end'
  assertion: AssertionInput
}

/** A list of checks in a case that is new, or longer than before. */
export interface ChangedList {
  path: Path
  /** What is there, in the file or from its defaults; undefined if nothing is. */
  before: unknown
  added: AssertionInput[]
}

/** The lists that get longer, so that a file can be edited where they are. */
export function listChangedLists(authored: AuthoredCase, added: readonly AddedCheck[]): ChangedList[] {
  const changes = new Map<string, ChangedList>()
  for (const { at, assertion } of added) {
    const path = pathOf(authored, at)
    const name = JSON.stringify(path)
    const change = changes.get(name) ?? { path, before: readPath(authored, path), added: [] }
    change.added.push(assertion)
    changes.set(name, change)
  }
  return [...changes.values()]
}

/** The case as it is with more checks. */
export function addChecks(authored: AuthoredCase, added: readonly AddedCheck[]): AuthoredCase {
  return listChangedLists(authored, added).reduce<AuthoredCase>(
    (changed, change) => withValue(changed, change.path, changedList(change)) as AuthoredCase,
    authored,
  )
}

/** One check needs no list. */
export function changedList({ before, added }: ChangedList): unknown {
  if (before === undefined) return added.length === 1 ? added[0] : added
  return [...(Array.isArray(before) ? before : [before]), ...added]
}

/** Whether checks of a part are written as `expected`, which a list of checks would replace. */
export function isExpectedOnly({
  assert,
  assertions,
  expected,
}: Pick<AuthoredTurn, 'assert' | 'assertions' | 'expected'>): boolean {
  return assert === undefined && assertions === undefined && expected !== undefined
}

function pathOf(authored: AuthoredCase, at: AddedCheck['at']): Path {
  if (at === 'end') return ['final_assertions']
  const part = at === 'case' ? authored : authored.turns?.[at.turn]
  const key = part?.assertions === undefined ? 'assert' : 'assertions'
  return at === 'case' ? [key] : ['turns', at.turn, key]
}

function readPath(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    value,
  )
}

function withValue(value: unknown, [key, ...rest]: Path, leaf: unknown): unknown {
  if (key === undefined) return leaf
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? withValue(item, rest, leaf) : item))
  const fields = typeof value === 'object' && value !== null ? value : {}
  return { ...fields, [key]: withValue(Reflect.get(fields, key), rest, leaf) }
}
