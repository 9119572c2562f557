import { open } from 'node:fs/promises'

const chunkBytes = 2 ** 18

/**
 * Reads a file from `start` to its end. The chunks share one buffer, so each is valid only until the next one: a stream
 * would create a buffer for each, and 100 MB of them can be garbage before they are collected.
 */
export async function* readChunks(path: string, start?: number): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafeSlow(chunkBytes)
    for (let position = start ?? null; ; ) {
      // Without a position, because pipes have none.
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) return
      if (position !== null) position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
