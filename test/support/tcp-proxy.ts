import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Cuts all connections that are open. */
  cut(): void
  close(): void
}

/** Passes connections on to a port on loopback. */
export async function startTcpProxy(to: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut,
    close() {
      cut()
      server.close()
    },
  }
}
