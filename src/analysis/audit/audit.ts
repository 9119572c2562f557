import type { CaseResult } from '../../results/result.ts'
import { type Auditable, caseKey } from './auditable.ts'
import type { Cast } from './cast.ts'
import { type AuditOutcome, auditOutcome, type Passed } from './outcome.ts'

/** A case that passes against agents that should fail, or that could not be judged against them. */
export interface AuditedCase {
  id: string
  file: string
  line: number
  passed: { agent: string; outcome: Passed }[]
  notJudged: { agent: string; reason: string }[]
}

export type AuditCounts = Record<AuditOutcome['kind'], number>

/** Collects the outcome of every play. Nothing is kept of cases that fail against every agent. */
export class Audit {
  readonly cast: Cast
  readonly auditable: Auditable
  readonly #counts: Map<string, AuditCounts>
  readonly #cases = new Map<string, AuditedCase>()
  #broken = false

  constructor(cast: Cast, auditable: Auditable) {
    this.cast = cast
    this.auditable = auditable
    this.#counts = new Map(cast.variants.map((agent) => [agent, zeroCounts()]))
  }

  add(result: CaseResult): AuditOutcome {
    const { file, id, variant: agent } = result.key
    const outcome = auditOutcome(result, {
      agent: this.cast.nameOf(agent),
      allowed: this.auditable.allowed(result.key),
      failedTools: this.cast.failedTools(result),
    })
    const counts = this.#counts.get(agent)
    if (counts !== undefined) counts[outcome.kind] += 1
    if (outcome.kind === 'not_judged' && outcome.broken) this.#broken = true
    if (outcome.kind !== 'passed' && outcome.kind !== 'not_judged') return outcome
    const place = caseKey(result.key)
    const found = this.#cases.get(place) ?? { id, file, line: result.line, passed: [], notJudged: [] }
    this.#cases.set(place, found)
    if (outcome.kind === 'passed') found.passed.push({ agent, outcome })
    else found.notJudged.push({ agent, reason: outcome.reason })
    return outcome
  }

  /** By agent, as they are played. */
  get counts(): ReadonlyMap<string, Readonly<AuditCounts>> {
    return this.#counts
  }

  /** Cases that pass against an agent that should fail. */
  get findings(): AuditedCase[] {
    return this.#inOrder().filter(({ passed }) => passed.length > 0)
  }

  get notJudged(): AuditedCase[] {
    return this.#inOrder().filter(({ notJudged }) => notJudged.length > 0)
  }

  /** In the order of the case files, whatever was played first. */
  #inOrder(): AuditedCase[] {
    const agents = [...this.#counts.keys()]
    const byAgent = (one: { agent: string }, other: { agent: string }) =>
      agents.indexOf(one.agent) - agents.indexOf(other.agent)
    return [...this.#cases.values()]
      .map((found) => ({
        ...found,
        passed: found.passed.toSorted(byAgent),
        notJudged: found.notJudged.toSorted(byAgent),
      }))
      .sort((one, other) => compare(one.file, other.file) || one.line - other.line)
  }

  /**
   * 1: some case passes. 3: something broke, or a case could not be judged against any agent. 2: nothing was judged,
   * because every case is allowed to pass.
   */
  exitCode(): number {
    if (this.findings.length > 0) return 1
    if (this.#broken || this.notJudged.some((found) => this.#isUnknown(found))) return 3
    return [...this.#counts.values()].every((counts) => countJudged(counts) === 0) ? 2 : 0
  }

  /** `tools-fail` does not count: when it calls no tool, nothing is learned either. */
  #isUnknown({ notJudged }: AuditedCase): boolean {
    const trivial = [...this.#counts.keys()].filter((agent) => this.cast.nameOf(agent) !== 'tools-fail')
    return trivial.every((agent) => notJudged.some((open) => open.agent === agent))
  }
}

/** Plays of which it is known whether they pass and should not. */
export function countJudged({ caught, passed }: AuditCounts): number {
  return caught + passed
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function zeroCounts(): AuditCounts {
  return { caught: 0, passed: 0, allowed: 0, no_tool_called: 0, not_judged: 0 }
}
