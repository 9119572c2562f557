import { availableParallelism } from 'node:os'
import { InfrastructureError } from '../errors.ts'
import type { Play } from '../scope/play.ts'
import type { McpConnection } from './mcp-connection.ts'
import { type Connect, closeAll, type McpConnections } from './mcp-connections.ts'

export interface PerPlayOptions {
  /** The name of the server in messages. */
  id: string
  connect: Connect
  /** Restores the state of a fresh server: then it is kept for the next case instead of being started again. */
  reset?: ((connection: McpConnection) => Promise<void>) | undefined
}

/** More would only wait for a processor. */
const maxSpares = 16

/**
 * One process per play of a case, so that no case sees what another one did. As many as are in use are started in
 * advance, while processors are free.
 */
export class ConnectionPerPlay implements McpConnections {
  readonly #options: PerPlayOptions
  /** By the play that uses it. */
  readonly #leases = new Map<string, Promise<McpConnection>>()
  /** Starting, ready or being reset, for the next play. Undefined when it can no longer be used. */
  readonly #free: Promise<McpConnection | undefined>[] = []
  readonly #ending = new Set<Promise<void>>()
  /** For calls outside cases. */
  #outside: Promise<McpConnection> | undefined
  /** How many plays may still need a connection. */
  #expected = Number.POSITIVE_INFINITY
  #starting = 0
  /** The first one, while it is started only to list its tools. */
  #looking: Promise<McpConnection> | undefined
  /** All connections offer what the first one offers. */
  #first: McpConnection | undefined
  /** Why the first one did not start: the others would not either. */
  #failure: unknown
  #closed = false
  /** A reset failed, so state outside the process may still be that of the last case. */
  #isUnclean = false

  constructor(options: PerPlayOptions) {
    this.#options = options
  }

  /** Limits how many are started in advance. */
  expect(plays: number): void {
    this.#expected = plays
  }

  lease(play: Play | undefined): Promise<McpConnection> {
    if (play === undefined) return this.#leaseOutside()
    const leased = this.#leases.get(play.id)
    if (leased !== undefined) return leased.then((connection) => this.#unlessLost(connection))
    const taken = this.#take()
    this.#leases.set(play.id, taken)
    this.#expected -= 1
    this.#startSpares()
    play.onEnd(() => this.#release(play))
    return taken
  }

  async any(): Promise<McpConnection> {
    if (this.#first !== undefined) return this.#first
    this.#looking ??= this.#take().finally(() => {
      this.#looking = undefined
    })
    const looking = this.#looking
    // It has not been used, so it is as good as new for the next play.
    looking.then(
      (connection) => this.#free.includes(looking) || connection.isClosed() || this.#free.unshift(looking),
      () => {},
    )
    return looking
  }

  async close(): Promise<void> {
    this.#closed = true
    const opened = [...this.#leases.values(), ...this.#free, this.#outside, this.#looking]
    await Promise.all([closeAll(opened), ...this.#ending])
  }

  /** Nobody relies on its state, so a lost connection is replaced. */
  #leaseOutside(): Promise<McpConnection> {
    const leased = (this.#outside ?? this.#take()).then((connection) =>
      connection.isClosed() ? this.#take() : connection,
    )
    this.#outside = leased
    leased.catch(() => {
      if (this.#outside === leased) this.#outside = undefined
    })
    return leased
  }

  /** The next call must not reach another process, which lacks what the case did before. */
  #unlessLost(connection: McpConnection): McpConnection {
    if (!connection.isClosed()) return connection
    const message = `MCP server ${this.#options.id} ended earlier in this case, and its state is lost`
    throw new InfrastructureError('connection', message)
  }

  async #take(): Promise<McpConnection> {
    for (let next = this.#free.shift(); next !== undefined; next = this.#free.shift()) {
      const connection = await next.catch(() => undefined)
      if (connection?.isClosed() === false) return connection
    }
    return this.#isUnclean ? this.#startClean() : this.#start()
  }

  async #startClean(): Promise<McpConnection> {
    const connection = await this.#start()
    try {
      await this.#options.reset?.(connection)
    } catch (error) {
      await connection.close()
      throw error
    }
    this.#isUnclean = false
    return connection
  }

  async #start(): Promise<McpConnection> {
    if (this.#failure !== undefined) throw this.#failure
    this.#starting += 1
    try {
      const connection = await this.#options.connect(() => {})
      this.#first ??= connection
      return connection
    } catch (error) {
      const isPassing = error instanceof InfrastructureError && error.retryable
      if (this.#first === undefined && !isPassing) this.#failure = error
      throw error
    } finally {
      this.#starting -= 1
      this.#startSpares()
    }
  }

  /** A server that can be reset is reused instead. */
  #startSpares(): void {
    if (this.#options.reset !== undefined || this.#closed || this.#first === undefined) return
    const wanted = Math.min(this.#leases.size, this.#expected, maxSpares)
    while (this.#free.length < wanted && this.#starting < availableParallelism()) {
      const spare = this.#start()
      // Whoever takes it sees the error.
      spare.catch(() => {})
      this.#free.push(spare)
    }
  }

  #release({ id }: Play): void {
    const leased = this.#leases.get(id)
    this.#leases.delete(id)
    if (leased === undefined || this.#closed) return
    const { reset } = this.#options
    if (reset !== undefined)
      this.#free.push(
        resetForNextPlay(leased, reset).catch(() => {
          this.#isUnclean = true
          return undefined
        }),
      )
    else {
      const ending = closeAll([leased]).finally(() => this.#ending.delete(ending))
      this.#ending.add(ending)
    }
  }
}

/** Undefined when the next case cannot use it; throws when the reset fails. */
async function resetForNextPlay(
  leased: Promise<McpConnection>,
  reset: (connection: McpConnection) => Promise<void>,
): Promise<McpConnection | undefined> {
  const connection = await leased.catch(() => undefined)
  if (connection === undefined || connection.isClosed()) return undefined
  // A call still under way there could take effect after the reset.
  if (connection.wasInterrupted()) {
    void closeAll([leased])
    return undefined
  }
  try {
    await reset(connection)
    return connection
  } catch (error) {
    void closeAll([leased])
    throw error
  }
}
