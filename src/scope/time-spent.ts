import type { Role } from '../results/usage.ts'

interface Call {
  role: Role
  target: string
  since: number
  /** The agent's own code answers, whatever the role. */
  isAgents?: boolean | undefined
  /** Explains a timeout of this call. */
  overdue?: (() => string | undefined) | undefined
  /** Names what keeps it from reaching the other side. */
  heldUpBy?: (() => string | undefined) | undefined
}

/** Tracks who used the time of a deadline, measured by its clock. */
export class TimeSpent {
  readonly #clock: () => number
  readonly #underWay: Call[] = []
  /** Time of finished calls to anyone but the agent, by target. */
  readonly #byOther = new Map<string, number>()
  /** Time in which at least one other target was awaited: calls may overlap. */
  #othersMs = 0
  #othersSince = 0
  #longestMs = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Records that a call is under way until the returned function is called. */
  begin(asked: Omit<Call, 'since'>): () => void {
    const { role, target, isAgents, overdue, heldUpBy } = asked
    const call: Call = { role, target, isAgents, overdue, heldUpBy, since: this.#clock() }
    if (!this.#isWaitingForOthers()) this.#othersSince = call.since
    this.#underWay.push(call)
    return () => this.#end(call)
  }

  /**
   * Names who is to blame for a timeout, if not the agent: others used most of the time, or the pending call hangs, which
   * means it takes longer than any answer before. A call that does not reach the agent is not the agent's fault.
   */
  culprit(timeoutMs: number): string | undefined {
    const stuck = this.#others().find(({ since }) => this.#clock() - since > this.#longestMs)
    for (const call of this.#others()) this.#end(call)
    if (stuck !== undefined) return describeTarget(stuck)
    if (this.#othersMs <= timeoutMs / 2) return undefined
    return [...this.#byOther].sort(([, left], [, right]) => right - left)[0]?.[0]
  }

  /** Returns the explanation of a call under way, if one has any. */
  overdue(): string | undefined {
    return this.#underWay.map((call) => call.overdue?.()).find((text) => text !== undefined)
  }

  #isWaitingForOthers(): boolean {
    for (const call of this.#underWay) if (!isAgentTime(call)) return true
    return false
  }

  #others(): Call[] {
    return this.#underWay.filter((call) => !isAgentTime(call))
  }

  #end(call: Call): void {
    const place = this.#underWay.indexOf(call)
    if (place === -1) return
    this.#underWay.splice(place, 1)
    const now = this.#clock()
    const took = now - call.since
    if (call.heldUpBy?.() === undefined) this.#longestMs = Math.max(this.#longestMs, took)
    if (isAgentTime(call)) return
    this.#byOther.set(describeTarget(call), (this.#byOther.get(describeTarget(call)) ?? 0) + took)
    if (!this.#isWaitingForOthers()) this.#othersMs += now - this.#othersSince
  }
}

function isAgentTime({ role, isAgents, heldUpBy }: Call): boolean {
  return (role === 'agent' || isAgents === true) && heldUpBy?.() === undefined
}

function describeTarget({ role, target, heldUpBy }: Call): string {
  return (role === 'agent' ? heldUpBy?.() : undefined) ?? `${role} ${target}`
}
