import { z } from 'zod'
import { defined } from '../json/defined.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import { findCriterion, reasonWithCriterion } from '../results/transcript/criterion.ts'
import type { AssertionInput } from './assertion-type.ts'
import type { Check } from './check.ts'
import type { CheckHelpers } from './check-helpers.ts'
import type { CheckVerdict, CommonFields, JudgeSubject, ReportProblem, Where } from './definition.ts'

/** An assertion in a group: any type, already validated by its own schema. */
export type NestedAssertion = CommonFields & { type: string } & Record<string, unknown>

/** Gives a group access to the list of all types, which contains the group itself. */
export interface Nested {
  schema: z.ZodType<NestedAssertion, AssertionInput>
  findProblems(assertion: NestedAssertion, helpers: CheckHelpers, problem: ReportProblem): void
  compile(assertion: NestedAssertion, where: Where, helpers: CheckHelpers): Check
}

/** The `assertions` field of a group. */
export function assertionsField(type: string, { schema }: Nested) {
  const message = `${type} needs "assertions": a list of them`
  return z
    .array(schema, { error: () => message })
    .min(1, message)
    .describe('The assertions, of any type. `weight` is their share of the score.')
}

interface GroupFields {
  assertions: readonly NestedAssertion[]
}

/** What the definitions of all groups have in common. */
export function groupParts(nested: Nested) {
  return {
    looksAt: 'assertions' as const,
    refine: refineGroup,
    findProblems({ assertions }: GroupFields, helpers: CheckHelpers, problem: ReportProblem): void {
      for (const [index, assertion] of assertions.entries()) {
        nested.findProblems(assertion, helpers, (path, message) =>
          problem(['assertions', index, ...[path].flat()], message),
        )
      }
    },
  }
}

const noGatesMessage = 'in a group every assertion counts: "gates" belongs to the group'

/** A group that is negated passes when its assertions fail, which a snapshot does on any change. */
function containsSnapshot({ type, assertions }: NestedAssertion): boolean {
  return type === 'snapshot' || (Array.isArray(assertions) && assertions.some(containsSnapshot))
}

export function refineGroup(fields: GroupFields, problem: ReportProblem): void {
  const { assertions, negate } = fields as GroupFields & { negate?: boolean }
  if (negate && assertions.some(containsSnapshot))
    problem('negate', 'a group with a snapshot cannot be negated: it would accept any change')
  for (const [index, { gates }] of assertions.entries()) {
    if (gates !== undefined) problem(['assertions', index, 'gates'], noGatesMessage)
  }
}

/** Passes when `needed` of the assertions pass. An assertion that could not be judged never counts as passed. */
export function compileGroup(
  assertions: readonly NestedAssertion[],
  needed: number,
  nested: Nested,
  where: Where,
  helpers: CheckHelpers,
): JudgeSubject {
  const checks = assertions.map((assertion) => nested.compile(assertion, where, helpers))
  const weights = assertions.map(({ weight = 1 }) => weight)
  return async ({ turns, view, scope }) => {
    const turn = turns.at(-1)?.number ?? view.turns.length
    const results: CheckResult[] = []
    for (const check of checks) results.push(await check.run(view, turn, scope))
    return { ...groupVerdict(results, needed), ...defined({ score: weightedShare(results, weights) }) }
  }
}

function groupVerdict(results: readonly CheckResult[], needed: number): CheckVerdict {
  const withStatus = (status: string) => results.filter((result) => result.status === status)
  const [passed, errors, unknown] = [withStatus('passed'), withStatus('error'), withStatus('unknown')]
  const actual = results.map(describeMember)
  const counted = `${passed.length} of ${results.length} passed`
  if (passed.length >= needed) {
    const negatedReason = `${counted}, expected fewer than ${needed}${listReasons(passed)}`
    const unchecked = passed.every((result) => result.unchecked) || undefined
    const reason = `${counted}${listReasons(passed)}`
    return { status: 'passed', reason, negatedReason, actual, ...defined({ unchecked }) }
  }

  const expectation = needed === results.length ? '' : `, expected at least ${needed}`
  const isOpen = passed.length + errors.length + unknown.length >= needed
  if (!isOpen) {
    const failed = withStatus('failed')
    const [reason, negatedReason] = [`${counted}${expectation}${listReasons(failed)}`, counted]
    // The negation of "n of m pass" needs m - n + 1 real failures, not just nothing to judge.
    const isReal = failed.filter(({ nothingThere }) => !nothingThere).length > results.length - needed
    return { status: 'failed', reason, negatedReason, actual, ...(isReal ? {} : { nothingThere: true }) }
  }
  const status = errors.length > 0 ? 'error' : 'unknown'
  const reason = `${counted}${expectation}; not judged${listReasons([...errors, ...unknown])}`
  return { status, reason, actual }
}

function listReasons(results: readonly CheckResult[]): string {
  const lines = results.slice(0, 3).map((result) => {
    const reason = reasonWithCriterion(result)
    return reason === result.reason ? `${result.type}: ${reason}` : reason
  })
  const rest = results.length - lines.length
  return `: ${lines.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
}

function describeMember(result: CheckResult): object {
  const { type, status, reason } = result
  return { type, ...defined({ criteria: findCriterion(result) }), status, reason }
}

/** Undefined if all weights are zero. */
function weightedShare(results: readonly CheckResult[], weights: readonly number[]): number | undefined {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  const total = sum(weights)
  const passed = sum(weights.filter((_, index) => results[index]?.status === 'passed'))
  return total === 0 ? undefined : passed / total
}
