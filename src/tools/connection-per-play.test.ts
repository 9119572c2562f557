import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../errors.ts'
import { CasePlay } from '../scope/play.ts'
import { ConnectionPerPlay } from './connection-per-play.ts'
import type { McpConnection } from './mcp-connection.ts'

interface Fake extends McpConnection {
  number: number
  die(): void
}

/** Starts numbered connections. */
function server(options: { reset?: (connection: Fake) => Promise<void>; startMs?: number } = {}) {
  const started: Fake[] = []
  const { reset, startMs = 1 } = options
  const connections = new ConnectionPerPlay({
    id: 'desk',
    async connect() {
      let closed = false
      const number = started.length + 1
      const close = () => {
        closed = true
      }
      const fake = {
        number,
        tools: [],
        isClosed: () => closed,
        wasInterrupted: () => false,
        die: close,
        close: async () => close(),
      }
      started.push(fake as unknown as Fake)
      await wait(startMs)
      return fake as unknown as Fake
    },
    ...(reset && { reset: (connection) => reset(connection as Fake) }),
  })
  const lease = async (play: CasePlay | undefined) => (await connections.lease(play)) as Fake
  return { connections, started, lease }
}

describe('ConnectionPerPlay', () => {
  it('gives one play the same connection, and closes it when the play is over', async () => {
    const { lease, connections } = server()
    connections.expect(0)
    const [one, two] = [new CasePlay(), new CasePlay()]
    const first = await lease(one)
    expect(await lease(one)).toBe(first)
    expect(await lease(two)).not.toBe(first)
    one.end()
    await connections.close()
    expect(first.isClosed()).toBe(true)
  })

  it('starts as many connections in advance as are in use, and never more than expected', async () => {
    const { lease, connections, started } = server()
    connections.expect(3)
    const play = new CasePlay()
    const first = await lease(play)
    await expect.poll(() => started.length).toBe(2)
    const second = await lease(new CasePlay())
    expect([first.number, second.number]).toEqual([1, 2])
    await lease(new CasePlay())
    await wait(20)
    expect(started).toHaveLength(3)
    await connections.close()
  })

  it('does not replace a connection lost within a play, and does not hand out one that died while idle', async () => {
    const { lease, connections, started } = server()
    connections.expect(2)
    const play = new CasePlay()
    const first = await lease(play)
    await expect.poll(() => started.length).toBe(2)
    first.die()
    started[1]?.die()
    await expect(lease(play)).rejects.toThrow('MCP server desk ended earlier in this case')
    expect((await lease(new CasePlay())).number).toBe(3)
    await connections.close()
  })

  it('reuses a connection that can be reset, and replaces it when the reset fails', async () => {
    const reset: number[] = []
    const { lease, connections } = server({
      async reset({ number }) {
        reset.push(number)
        if (reset.length === 2) throw new Error('stuck')
      },
    })
    const numbers: number[] = []
    for (const _ of [1, 2, 3]) {
      const play = new CasePlay()
      numbers.push((await lease(play)).number)
      play.end()
    }
    expect(numbers).toEqual([1, 1, 2])
    // The new one is reset before use: the last case may have left state outside the process.
    expect(reset.slice(0, 3)).toEqual([1, 1, 2])
    await connections.close()
  })

  it('serves calls outside cases with a separate connection', async () => {
    const { lease, connections } = server()
    connections.expect(0)
    const outside = await lease(undefined)
    expect((await lease(new CasePlay())).number).not.toBe(outside.number)
    expect(await lease(undefined)).toBe(outside)
    outside.die()
    expect((await lease(undefined)).number).not.toBe(outside.number)
    await connections.close()
  })

  it('does not try again when the first connection did not start', async () => {
    let tries = 0
    const failure = new InfrastructureError('connection', 'no such file')
    const connections = new ConnectionPerPlay({
      id: 'desk',
      async connect() {
        tries += 1
        throw failure
      },
    })
    for (const _ of [1, 2, 3]) await expect(connections.lease(new CasePlay())).rejects.toBe(failure)
    expect(tries).toBe(1)
  })
})
