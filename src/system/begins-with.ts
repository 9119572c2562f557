import { closeSync, openSync, readSync } from 'node:fs'

/** Whether a file begins with that text. */
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
