import { closeSync, openSync, readSync } from 'node:fs'

export function beginsWith(path: string, text: string): boolean {
  return readHead(path, Buffer.byteLength(text)).toString() === text
}

/** The first bytes of a file, as many as there are. */
export function readHead(path: string, length: number): Buffer {
  const head = Buffer.alloc(length)
  const descriptor = openSync(path, 'r')
  try {
    return head.subarray(0, readSync(descriptor, head, 0, length, 0))
  } finally {
    closeSync(descriptor)
  }
}
