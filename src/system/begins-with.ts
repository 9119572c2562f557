import { closeSync, openSync, readSync } from 'node:fs'

export function beginsWith(path: string, text: string): boolean {
  const head = Buffer.alloc(Buffer.byteLength(text))
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, head, 0, head.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return head.toString() === text
}
