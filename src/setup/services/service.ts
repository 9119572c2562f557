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

export function createService(
  config: ServiceConfig,
  { network, words, cwd, env, redact }: ServicePlace,
): Service {
  const url = new URL(config.url)
  const name = `service \`${config.command}\``
  const limitMs = (config.timeout && parseDuration(config.timeout)) || defaultTimeoutMs
  const tail = createTail()
  let group: ProcessGroup | undefined
  let stopping = false
  const failure = (text: string) =>
    new InfrastructureError('connection', redact(`${name} ${text}${tail.text()}`))

  function trouble(): string | undefined {
    const end = stopping ? undefined : group?.end()
    // One that ends well may have left a daemon behind: whether it answers is what counts.
    return end === undefined || end.code === 0 ? undefined : failure(end.how).message
  }

  return {
    trouble,
    async start(signal) {
      if ((await knock(url, network, signal)).answered)
        throw failure(`was not started: something answers at ${redactUrl(url)} already. Stop that first`)
      stopping = false
      group = startProcess({
        words,
        cwd,
        input: false,
        daemon: true,
        onOutput: tail.add,
        onError: tail.add,
        env: { ...env, ...config.env },
      })
      const end = Date.now() + limitMs
      for (;;) {
        const { ready, told } = await knock(url, network, signal, end - Date.now())
        if (ready) return
        const died = trouble()
        if (died !== undefined) throw new InfrastructureError('connection', died)
        if (Date.now() + pollEveryMs > end)
          throw failure(`was not ready within ${shortDuration(limitMs)}: ${told}`)
        await wait(pollEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    },
    async reset(scope) {
      if (config.reset !== undefined) await callReset(config.reset, { limitMs, name, network }, scope)
    },
    async stop() {
      stopping = true
      await group?.stop(stopGraceMs)
    },
  }
}

interface Knock {
  answered: boolean
  ready: boolean
  told: string
}

async function knock(url: URL, network: Network, signal: AbortSignal, limitMs = knockMs): Promise<Knock> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.min(knockMs, limitMs)))])
  const request = { url, method: 'GET', headers: { ...buildBasicAuth(url) }, network } as const
  try {
    const status = await sendRequest(request, soon, describeStatus)
    // Of a server that is not there, a proxy says so in its own name.
    const answered = status < 500 || network.proxyTo(url) === undefined
    return { answered, ready: status < 400, told: `${redactUrl(url)} answered ${status}` }
  } catch (error) {
    signal.throwIfAborted()
    const told = soon.aborted ? `${redactUrl(url)} does not answer` : errorMessage(error)
    return { answered: false, ready: false, told }
  }
}

function describeStatus({ status }: HttpHead): BodyReader<number> {
  return { push: () => false, end: () => status }
}

async function callReset(
  reset: NonNullable<ServiceConfig['reset']>,
  { limitMs, name, network }: { limitMs: number; name: string; network: Network },
  scope: Scope,
): Promise<void> {
  const { url: address, method = 'POST' } = typeof reset === 'string' ? { url: reset } : reset
  const url = new URL(address)
  const request = { url, method, headers: { ...buildBasicAuth(url) }, network }
  const readBody = (head: HttpHead) =>
    head.status >= 400 ? readStatusError(url, head, true) : describeStatus(head)
  try {
    const told = { method, url: redactUrl(url) }
    await scope.child('service', limitMs).exchange({
      target: 'reset',
      request: told,
      perform: (signal) => sendRequest(request, signal, readBody),
    })
  } catch (error) {
    // The agent had no part in it, also when it is the case's own time that ran out.
    if (error instanceof TimeoutError)
      throw new InfrastructureError('connection', `${name} did not answer its reset: ${error.message}`)
    if (error instanceof InfrastructureError)
      throw new InfrastructureError(error.kind, `${name} could not be reset: ${error.message}`)
    throw error
  }
}
