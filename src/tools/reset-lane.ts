import type { Play } from '../scope/play.ts'
import type { McpConnection } from './mcp-connection.ts'
import type { McpConnections } from './mcp-connections.ts'

/**
 * Makes plays that share a resettable server run one after the other. There is one lane for all servers: with one each,
 * two cases could wait for each other.
 */
export class ResetLane {
  #last: Promise<void> = Promise.resolve()
  readonly #turns = new Map<string, Promise<void>>()

  /** Settles when all earlier plays are over. */
  enter(play: Play): Promise<void> {
    const known = this.#turns.get(play.id)
    if (known !== undefined) return known
    const turn = this.#last
    const over = new Promise<void>((resolve) =>
      play.onEnd(() => {
        this.#turns.delete(play.id)
        resolve()
      }),
    )
    this.#last = turn.then(() => over)
    this.#turns.set(play.id, turn)
    return turn
  }
}

/** Wraps the one connection to a server that viva does not start: the server is reset before each play that uses it. */
export function resetBeforePlays(
  shared: McpConnections,
  lane: ResetLane,
  reset: (connection: McpConnection) => Promise<void>,
): McpConnections {
  const resets = new Map<string, Promise<void>>()
  const resetFor = async (play: Play): Promise<void> => {
    play.onEnd(() => resets.delete(play.id))
    await lane.enter(play)
    // A play that gave up while it waited must not reset the server under the next one.
    if (!play.isOver) await reset(await shared.any())
  }
  return {
    ...shared,
    async lease(play) {
      if (play !== undefined) {
        const resetting = resets.get(play.id) ?? resetFor(play)
        resets.set(play.id, resetting)
        await resetting
      }
      return shared.lease(play)
    },
  }
}
