import { extname } from 'node:path'
import { readHead } from './begins-with.ts'

/** The first bytes of each type; `null` matches any byte. */
const signatures: [string, (number | null)[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ['audio/wav', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x41, 0x56, 0x45]],
  ['audio/mpeg', [0x49, 0x44, 0x33]],
  ['audio/ogg', [0x4f, 0x67, 0x67, 0x53]],
  ['video/mp4', [null, null, null, null, 0x66, 0x74, 0x79, 0x70]],
  ['application/gzip', [0x1f, 0x8b]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46]],
]

const office = 'application/vnd.openxmlformats-officedocument'

const byExtension: Record<string, string | undefined> = {
  __proto__: null as never,
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.html': 'text/html',
  '.xml': 'application/xml',
  '.css': 'text/css',
  '.docx': `${office}.wordprocessingml.document`,
  '.htm': 'text/html',
  '.js': 'text/javascript',
  '.jsonl': 'application/jsonl',
  '.mjs': 'text/javascript',
  '.pptx': `${office}.presentationml.presentation`,
  '.xlsx': `${office}.spreadsheetml.sheet`,
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
}

/** Detects the type of a file by its first bytes, then by its name. */
export function detectMediaType(path: string): string {
  const head = readHead(path, headLength)
  const found = signatures.find(([, bytes]) =>
    bytes.every((byte, index) => byte === null || head[index] === byte),
  )
  const named = byExtension[extname(path).toLowerCase()]
  // Sound without pictures begins like a film.
  if (found) return found[0] === 'video/mp4' && named === 'audio/mp4' ? named : found[0]
  // What is written in letters is no sound, whatever it is called.
  if (isText(head)) return named === undefined || named.startsWith('audio/') ? 'text/plain' : named
  return named ?? 'application/octet-stream'
}

const headLength = 512

/** UTF-8 without zero bytes; the last character of the head may be cut. */
function isText(head: Buffer): boolean {
  const text = head.toString('utf8')
  const whole = head.length < headLength ? text : text.replace(/\ufffd{1,3}$/, '')
  return !head.includes(0) && !whole.includes('\ufffd')
}
