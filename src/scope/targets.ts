import { AgentError, InfrastructureError } from '../errors.ts'
import { type Key, keyText } from '../results/key.ts'
import type { Role } from '../results/usage.ts'
import type { Pace } from './pace.ts'

/** After this many tests without an answer, an endpoint is not called any more. */
const maxUnanswered = 5

export interface GivenUp {
  /** The name of the endpoint in messages. */
  target: string
  /** How many tests called it, all without success. */
  tests: number
  /** The error of the last call. */
  message: string
}

/** A call that was not made because its endpoint has been given up. */
export class EndpointGivenUpError extends InfrastructureError {
  constructor({ target, tests, message }: GivenUp) {
    super('connection', `not called: ${target} never succeeded in ${tests} tests (${message})`)
  }
}

/** The case and the role that a call was made for. */
export interface CallOrigin {
  key: Key
  role: Role
}

interface Endpoint {
  answered: boolean
  unanswered: Set<string>
  givenUp?: GivenUp
}

/**
 * The endpoints that a run has called, and whether to go on calling them: with a dead server, a wrong key or an unknown
 * model, every further test would fail in the same way, each after all its retries.
 */
export class Targets {
  readonly #endpoints = new Map<string, Endpoint>()
  /** The agent's own calls, by variant. */
  readonly #agents = new Map<string, { answered: boolean; givenUp?: GivenUp }>()
  readonly #onGivenUp: (givenUp: GivenUp) => void
  /** Absent where the number of cases at once is fixed. */
  readonly pace: Pace | undefined

  constructor(onGivenUp: (givenUp: GivenUp) => void = () => {}, pace?: Pace) {
    this.#onGivenUp = onGivenUp
    this.pace = pace
  }

  /** Returns undefined while calls make sense. Without an endpoint they always do. */
  whyNotAsked(endpoint: string | undefined): EndpointGivenUpError | undefined {
    const givenUp = endpoint === undefined ? undefined : this.#endpoints.get(endpoint)?.givenUp
    return givenUp && new EndpointGivenUpError(givenUp)
  }

  /** Explains why no test of a variant can be played: its agent never had an answer, and needs an endpoint that was given up. */
  whyNotPlayed(variant: string): EndpointGivenUpError | undefined {
    const { answered, givenUp } = this.#agents.get(variant) ?? {}
    return answered !== true && givenUp !== undefined ? new EndpointGivenUpError(givenUp) : undefined
  }

  answered(endpoint: string | undefined, { key, role }: CallOrigin): void {
    if (endpoint === undefined) return
    this.#endpoint(endpoint).answered = true
    if (role === 'agent' && !this.#agents.get(key.variant)?.answered)
      this.#agents.set(key.variant, { answered: true })
  }

  failed(endpoint: string | undefined, error: unknown, asker: CallOrigin): void {
    if (endpoint === undefined) return
    if (isUnreachable(error)) this.#unanswered(endpoint, error, asker)
    else if (hasAnswered(error)) this.answered(endpoint, asker)
  }

  #unanswered(target: string, { message }: InfrastructureError, { key, role }: CallOrigin): void {
    const endpoint = this.#endpoint(target)
    endpoint.unanswered.add(keyText(key))
    if (endpoint.answered || endpoint.givenUp || endpoint.unanswered.size < maxUnanswered) return
    endpoint.givenUp = { target, tests: endpoint.unanswered.size, message }
    if (role === 'agent' && !this.#agents.has(key.variant))
      this.#agents.set(key.variant, { answered: false, givenUp: endpoint.givenUp })
    this.#onGivenUp(endpoint.givenUp)
  }

  #endpoint(name: string): Endpoint {
    const known = this.#endpoints.get(name)
    if (known !== undefined) return known
    const endpoint = { answered: false, unanswered: new Set<string>() }
    this.#endpoints.set(name, endpoint)
    return endpoint
  }
}

/** Nobody is there, access is denied, or the model is unknown: no later test will do better. */
function isUnreachable(error: unknown): error is InfrastructureError {
  if (!(error instanceof InfrastructureError) || error instanceof EndpointGivenUpError) return false
  return error.kind === 'connection' || [401, 403, 404].includes(error.status ?? 0)
}

/** Something came back, though not what was asked for. */
function hasAnswered(error: unknown): boolean {
  if (!(error instanceof InfrastructureError)) return error instanceof AgentError
  return error.status !== undefined || error.kind === 'truncated' || error.kind === 'bad_response'
}
