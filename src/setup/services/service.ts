import { setTimeout as wait } from 'node:timers/promises'
import { errorMessage, InfrastructureError, TimeoutError } from '../../errors.ts'
import { type BodyReader, type HttpHead, sendRequest } from '../../models/http-client.ts'
import { readStatusError } from '../../models/http-errors.ts'
import { buildBasicAuth, redactUrl } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import type { ServiceConfig } from '../../project/config-schema.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Environment } from '../../system/environment.ts'
import { type ProcessGroup, startProcess } from '../../system/process-group.ts'
import { createTail } from '../../system/tail.ts'
import { parseDuration, shortDuration } from '../../text/duration.ts'

const pollEveryMs = 100
/** One knock at the door; a server that takes longer is knocked at again. */
const knockMs = 2000
const stopGraceMs = 5000
const defaultTimeoutMs = 30_000

export interface Service {
  /** Returns when its URL answers. */
  start(signal: AbortSignal): Promise<void>
  reset(scope: Scope): Promise<void>
  stop(): Promise<void>
  /** What is wrong, when it ended badly although nobody stopped it. */
  trouble(): string | undefined
}

export interface ServicePlace {
  network: Network
  words: string[]
  cwd: string
  env: Environment
  /** Takes secrets out of what it printed. */
  redact(text: string): string
}

export function createService(config: ServiceConfig, place: ServicePlace): Service {
  return new ServiceProcess(config, place)
}

class ServiceProcess implements Service {
  readonly #config: ServiceConfig
  readonly #place: ServicePlace
  readonly #url: URL
  readonly #name: string
  readonly #limitMs: number
  readonly #tail = createTail()
  #group: ProcessGroup | undefined
  #stopping = false

  constructor(config: ServiceConfig, place: ServicePlace) {
    this.#config = config
    this.#place = place
    this.#url = new URL(config.url)
    this.#name = `service \`${config.command}\``
    this.#limitMs = (config.timeout && parseDuration(config.timeout)) || defaultTimeoutMs
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#stopping = false
    const { network, words, cwd, env } = this.#place
    if ((await knock(this.#url, network, signal)).answered)
      throw this.#failure(
        `was not started: something answers at ${redactUrl(this.#url)} already. Stop that first`,
      )
    signal.throwIfAborted()
    this.#group = startProcess({
      words,
      cwd,
      input: false,
      daemon: true,
      onOutput: this.#tail.add,
      onError: this.#tail.add,
      env: { ...env, ...this.#config.env },
    })
    await this.#untilReady(signal)
  }

  async #untilReady(signal: AbortSignal): Promise<void> {
    const end = Date.now() + this.#limitMs
    let last: string | undefined
    for (;;) {
      const leftMs = end - Date.now()
      const { answered, ready, said } = await knock(this.#url, this.#place.network, signal, leftMs)
      if (ready) return
      // Silence in a shorter time than usual says less than what came before.
      if (answered || leftMs >= knockMs || last === undefined) last = said
      const died = this.trouble()
      if (died !== undefined) throw new InfrastructureError('connection', died)
      if (Date.now() + pollEveryMs > end)
        throw this.#failure(`was not ready within ${shortDuration(this.#limitMs)}: ${last}`)
      await wait(pollEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  async reset(scope: Scope): Promise<void> {
    if (this.#config.reset === undefined) return
    try {
      await callReset(this.#config.reset, this.#place.network, scope.child('service', this.#limitMs))
    } catch (error) {
      // The agent had no part in it, also when it is the case's own time that ran out.
      if (error instanceof TimeoutError)
        throw new InfrastructureError(
          'connection',
          `${this.#name} did not answer its reset: ${error.message}`,
        )
      if (error instanceof InfrastructureError)
        throw new InfrastructureError(error.kind, `${this.#name} could not be reset: ${error.message}`)
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#group?.stop(stopGraceMs)
  }

  trouble(): string | undefined {
    const end = this.#stopping ? undefined : this.#group?.end()
    // One that ends well may have left a daemon behind: whether it answers is what counts.
    return end === undefined || end.code === 0 ? undefined : this.#failure(end.how).message
  }

  #failure(text: string): InfrastructureError {
    return new InfrastructureError(
      'connection',
      this.#place.redact(`${this.#name} ${text}${this.#tail.text()}`),
    )
  }
}

interface Knock {
  answered: boolean
  ready: boolean
  said: string
}

async function knock(url: URL, network: Network, signal: AbortSignal, limitMs = knockMs): Promise<Knock> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.min(knockMs, limitMs)))])
  const request = { url, method: 'GET', headers: { ...buildBasicAuth(url) }, network } as const
  try {
    const status = await sendRequest(request, soon, describeStatus)
    // Of a server that is not there, a proxy says so in its own name.
    const answered = status < 500 || network.proxyTo(url) === undefined
    return { answered, ready: status < 400, said: `${redactUrl(url)} answered ${status}` }
  } catch (error) {
    signal.throwIfAborted()
    const said = soon.aborted ? `${redactUrl(url)} does not answer` : errorMessage(error)
    return { answered: false, ready: false, said }
  }
}

function describeStatus({ status }: HttpHead): BodyReader<number> {
  return { push: () => false, end: () => status }
}

async function callReset(
  reset: NonNullable<ServiceConfig['reset']>,
  network: Network,
  scope: Scope,
): Promise<void> {
  const { url: address, method = 'POST' } = typeof reset === 'string' ? { url: reset } : reset
  const url = new URL(address)
  const request = { url, method, headers: { ...buildBasicAuth(url) }, network }
  const readBody = (head: HttpHead) =>
    head.status >= 400 ? readStatusError(url, head, true) : describeStatus(head)
  await scope.exchange({
    target: 'reset',
    request: { method, url: redactUrl(url) },
    perform: (stop) => sendRequest(request, stop, readBody),
  })
}
