import type { AssertionInput, SimilarAssertionInput } from '../checks/assertion-type.ts'
import type { Check } from '../checks/check.ts'
import { type CheckHelpers, noCheckHelpers } from '../checks/check-helpers.ts'
import type { Where } from '../checks/definition.ts'
import { type Assertion, assertionSchema, compileAssertion, findProblems } from '../checks/list.ts'
import { ConfigError } from '../errors.ts'
import { describePath } from '../json/validation/issues.ts'

type NeedsProject = { type: 'state' | 'snapshot' | 'script' | 'agent' | 'judge' }
type AnyGroup = Extract<AssertionInput, { assertions: unknown }>

/** A group without its assertions: `Omit` of a union would have only the fields that all groups have. */
type EmptyGroup<Group = AnyGroup> = Group extends AnyGroup ? Omit<Group, 'assertions'> : never
type SuiteGroup = EmptyGroup & { assertions: SuiteAssertion[] }

interface SuiteSimilar extends Omit<SimilarAssertionInput, 'connector' | 'method'> {
  method?: Exclude<SimilarAssertionInput['method'], 'embedding'>
}

/** An assertion as in case files (docs/reference/assertions.md), except those that need a project. */
export type SuiteAssertion =
  | Exclude<AssertionInput, NeedsProject | SimilarAssertionInput | AnyGroup>
  | SuiteSimilar
  | SuiteGroup

/** One assertion, or a list of them, which must all hold. */
export type SuiteAssertions = SuiteAssertion | readonly SuiteAssertion[]

export function assertionsSchema() {
  return assertionSchema.or(assertionSchema.array())
}

const toolReason = 'a suite has no MCP servers: look at the tool with the code of the suite'
const judgeReason = 'a suite asks its own judge: give the suite or the case a `judge` or `criteria`'

/** A suite has no project, so assertions that ask one for something are refused before anything is played. */
const helpers: CheckHelpers = {
  ...noCheckHelpers,
  toolProblem: () => toolReason,
  scriptProblem: () => 'a suite has no scripts: use a criterion with `validate`, which is a function',
  validatorProblem: () => judgeReason,
  embedProblem: () => 'a suite has no connectors: leave it out, and words are compared',
  snapshotProblem: () => 'a suite has no snapshots: use a case file, or `expectedOutput`',
}

/** The checks of assertions whose form is right. `place`: the case and where it has them. */
export function compileAssertions(
  assertions: SuiteAssertions | undefined,
  where: Where,
  id: string,
  ...path: (string | number)[]
): Check[] {
  if (assertions === undefined) return []
  const isList = Array.isArray(assertions)
  return [assertions].flat().map((assertion, index) => {
    // What is absent from one that was written is filled in by the schema.
    const parsed = assertionSchema.parse(assertion) as Assertion
    findProblems(parsed, helpers, (below, message) => {
      const place = [
        ...path,
        ...(isList ? [index] : []),
        ...[below].flat().map((part) => (typeof part === 'symbol' ? String(part) : part)),
      ]
      throw new ConfigError({ code: 'no_helper', message: `${id}: ${describePath(place)}: ${message}` })
    })
    return compileAssertion(parsed, where, helpers)
  })
}
