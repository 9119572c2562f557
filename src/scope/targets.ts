import { InfrastructureError } from '../errors.ts'
import { type Key, keyText } from '../results/key.ts'
import type { Role } from '../results/usage.ts'

/** After so many cases without one success, a target is not asked any more. */
const mostFailedCases = 5

export interface GivenUp {
  target: string
  /** How many cases asked it, all in vain. */
  cases: number
  /** What came of the last one. */
  message: string
}

/** A call that was not made, because its target has been given up. */
export class NotAskedError extends InfrastructureError {
  constructor({ target, cases, message }: GivenUp) {
    super('connection', `not asked: ${target} had no success in ${cases} cases (${message})`)
  }
}

interface Target {
  answered: boolean
  failedCases: Set<string>
  givenUp?: GivenUp
}

/**
 * Whom a run has asked, and whether it makes sense to go on: a dead endpoint, a wrong key or a model that is not there
 * would fail every further case in the same way, each after all its retries.
 */
export class Targets {
  readonly #targets = new Map<string, Target>()
  /** By variant: the agent's own calls. */
  readonly #agents = new Map<string, { answered: boolean; givenUp?: GivenUp }>()
  readonly #counted = new WeakSet<object>()
  readonly #onGivenUp: (givenUp: GivenUp) => void

  constructor(onGivenUp: (givenUp: GivenUp) => void = () => {}) {
    this.#onGivenUp = onGivenUp
  }

  isGivenUp(target: string): boolean {
    return this.#targets.get(target)?.givenUp !== undefined
  }

  throwIfGivenUp(target: string): void {
    const givenUp = this.#targets.get(target)?.givenUp
    if (givenUp !== undefined) throw new NotAskedError(givenUp)
  }

  /** Why no case of a variant can be played: its agent depends on what was given up, and has never had an answer. */
  whyNotPlayed(variant: string): NotAskedError | undefined {
    const { answered, givenUp } = this.#agents.get(variant) ?? {}
    return answered !== true && givenUp !== undefined ? new NotAskedError(givenUp) : undefined
  }

  answered(target: string, { key, role }: Asker): void {
    this.#of(target).answered = true
    if (role === 'agent') this.#agents.set(key.variant, { answered: true })
  }

  failed(target: string, error: unknown, { key, role }: Asker): void {
    if (!isUnreachable(error) || this.#wasCounted(error)) return
    const { answered, failedCases, givenUp } = this.#of(target)
    failedCases.add(keyText(key))
    if (answered || givenUp !== undefined || failedCases.size < mostFailedCases) return
    const now = { target, cases: failedCases.size, message: error.message }
    this.#of(target).givenUp = now
    if (role === 'agent' && !this.#agents.has(key.variant))
      this.#agents.set(key.variant, { answered: false, givenUp: now })
    this.#onGivenUp(now)
  }

  #of(target: string): Target {
    const known = this.#targets.get(target) ?? { answered: false, failedCases: new Set() }
    this.#targets.set(target, known)
    return known
  }

  /** A call within a call fails both: the inner one is to blame. */
  #wasCounted(error: InfrastructureError): boolean {
    const { cause } = error
    const counted = this.#counted.has(error) || (cause instanceof Error && this.#counted.has(cause))
    this.#counted.add(error)
    return counted
  }
}

/** Whose call it was. */
export interface Asker {
  key: Key
  role: Role
}

/** Nobody is there, or who is there lets nobody in, or does not know the model: no later case will do better. */
function isUnreachable(error: unknown): error is InfrastructureError {
  if (!(error instanceof InfrastructureError) || error instanceof NotAskedError) return false
  return error.kind === 'connection' || [401, 403, 404].includes(error.status ?? 0)
}
