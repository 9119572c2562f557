import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createNetwork } from './network.ts'

it('closing a network hangs up on servers that never finished their handshake', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const network = createNetwork({ connections: 1 })
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const dispatcher = await network.dispatcherTo(url)
  const failed = new Promise<Error>((resolve) => {
    const onResponseError = (_: unknown, error: Error) => resolve(error)
    dispatcher.dispatch(
      { origin: url.origin, path: '/', method: 'GET' },
      { onRequestStart() {}, onResponseError },
    )
  })
  const [socket] = (await once(server, 'connection')) as [Socket]
  const hungUp = once(socket.resume(), 'close')
  await network.close()
  await hungUp
  expect(await failed).toBeInstanceOf(Error)
  // undici itself gives up after 10 s.
}, 8000)
