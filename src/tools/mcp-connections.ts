import { InfrastructureError } from '../errors.ts'
import type { Play } from '../scope/play.ts'
import type { McpConnection } from './mcp-connection.ts'

/** Assigns connections to plays. */
export interface McpConnections {
  /** The connection of a play, or of calls outside any. It stays the same until the play is over. */
  lease(play: Play | undefined): Promise<McpConnection>
  /** Any connection that is or was up: to see what the server offers. */
  any(): Promise<McpConnection>
  close(): Promise<void>
}

/** Starts or reaches the server. `onClose` is called when it is gone. */
export type Connect = (onClose: () => void) => Promise<McpConnection>

/**
 * One connection for everybody: opened when it is first needed, kept to the end, opened again when it was lost. A server
 * that did not start is not tried again, so that every case fails at once instead of waiting.
 */
export function sharedConnection(connect: Connect): McpConnections {
  let current: Promise<McpConnection> | undefined

  function open(): Promise<McpConnection> {
    const forget = () => {
      if (current === opening) current = undefined
    }
    const opening = connect(forget)
    opening.catch((error: unknown) => {
      if (error instanceof InfrastructureError && error.retryable) forget()
    })
    return opening
  }
  const any = () => {
    current ??= open()
    return current
  }
  return { lease: any, any, close: () => closeAll([current]) }
}

/** Ignores errors: how a server ends does not change what was said. */
export async function closeAll(
  opened: Iterable<Promise<McpConnection | undefined> | undefined>,
): Promise<void> {
  await Promise.allSettled([...opened].map(async (each) => (await each)?.close()))
}
