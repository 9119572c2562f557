import { pluralize } from '../../text/counted.ts'

/** The part of the inputs that is run. Without any of these, everything. */
export interface Part {
  /** The cases of these files, as absolute paths. */
  files?: ReadonlySet<string>
  /** The cases with these agents, as `-n` names them. */
  agents?: ReadonlySet<string>
  /** The cases that did not pass when they ran last in this session. */
  failed?: true
}

export const everything: Part = {}

/** What has to be run so that nothing of either part is left out. */
export function mergeParts(one: Part | undefined, other: Part): Part {
  if (one === undefined) return other
  if (one.files && other.files) return { files: new Set([...one.files, ...other.files]) }
  if (one.agents && other.agents) return { agents: new Set([...one.agents, ...other.agents]) }
  return one.failed && other.failed ? one : everything
}

const mostNamed = 3

/** `2 cases of tests/orders.jsonl, changed`; undefined where everything is run. */
export function describePart(part: Part, cases: number, show: (path: string) => string): string | undefined {
  const count = pluralize(cases, 'case')
  if (part.files) return `${count} of ${listNames([...part.files].map(show))}, changed`
  if (part.agents) return `${count} with ${listNames([...part.agents])}, changed`
  return part.failed && `${count} that did not pass`
}

/** `a, b, c and 4 more` */
export function listNames(names: readonly string[]): string {
  const more = names.length - mostNamed
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
