import type { Role } from '../results/usage.ts'

interface Call {
  role: Role
  target: string
  since: number
  /** What there is to say of it when the time is over. */
  overdue?: (() => string | undefined) | undefined
  /** What keeps it from reaching the other side. */
  heldUpBy?: (() => string | undefined) | undefined
}

/** Whom the time of a deadline went to, told by its clock. */
export class TimeSpent {
  readonly #clock: () => number
  readonly #underWay = new Set<Call>()
  /** Of calls that have ended, by what was waited for, without the agent. */
  readonly #byOther = new Map<string, number>()
  /** In which at least one other was waited for: calls may be made at once. */
  #othersMs = 0
  #othersSince = 0
  #longestMs = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Notes that a call is under way, until the function it gives is called. */
  begin(asked: Omit<Call, 'since'>): () => void {
    const call = { ...asked, since: this.#clock() }
    if (this.#others().length === 0) this.#othersSince = call.since
    this.#underWay.add(call)
    return () => this.#end(call)
  }

  /**
   * Who is to blame when the time is over, if not the agent: others took most of it, or the one that is waited for
   * hangs, that is, takes longer than any answer before did. A call that does not reach the agent is not its doing.
   */
  culprit(timeoutMs: number): string | undefined {
    const stuck = this.#others().find(({ since }) => this.#clock() - since > this.#longestMs)
    for (const call of this.#others()) this.#end(call)
    if (stuck !== undefined) return nameOf(stuck)
    if (this.#othersMs <= timeoutMs / 2) return undefined
    return [...this.#byOther].sort(([, left], [, right]) => right - left)[0]?.[0]
  }

  /** What the calls under way have to say about why they take so long. */
  overdue(): string | undefined {
    return [...this.#underWay].map((call) => call.overdue?.()).find((text) => text !== undefined)
  }

  #others(): Call[] {
    return [...this.#underWay].filter((call) => !isAgents(call))
  }

  #end(call: Call): void {
    if (!this.#underWay.delete(call)) return
    const now = this.#clock()
    const took = now - call.since
    if (call.heldUpBy?.() === undefined) this.#longestMs = Math.max(this.#longestMs, took)
    if (isAgents(call)) return
    this.#byOther.set(nameOf(call), (this.#byOther.get(nameOf(call)) ?? 0) + took)
    if (this.#others().length === 0) this.#othersMs += now - this.#othersSince
  }
}

function isAgents({ role, heldUpBy }: Call): boolean {
  return role === 'agent' && heldUpBy?.() === undefined
}

function nameOf({ role, target, heldUpBy }: Call): string {
  return (role === 'agent' ? heldUpBy?.() : undefined) ?? `${role} ${target}`
}
