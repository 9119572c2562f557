import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'

/** First bytes that tell a type; `null` stands for any byte. */
const signatures: [string, (number | null)[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ['audio/wav', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x41, 0x56, 0x45]],
  ['audio/mpeg', [0x49, 0x44, 0x33]],
  ['audio/ogg', [0x4f, 0x67, 0x67, 0x53]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46]],
]

const byExtension: Record<string, string> = {
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.html': 'text/html',
  '.xml': 'application/xml',
}

/** What a file is, by its first bytes before its name. */
export function mediaTypeOf(path: string): string {
  const head = Buffer.alloc(12)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, head, 0, head.length, 0)
  } finally {
    closeSync(descriptor)
  }
  const found = signatures.find(([, bytes]) =>
    bytes.every((byte, index) => byte === null || head[index] === byte),
  )
  return found?.[0] ?? byExtension[extname(path).toLowerCase()] ?? 'application/octet-stream'
}
