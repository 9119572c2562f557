import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'

const text = (kind: string) => `text/${kind}; charset=utf-8`

/** The first bytes of files in hexadecimal; a dot matches any digit. */
const beginnings: [RegExp, string][] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^52494646.{8}57415645/, 'audio/wav'],
  [/^25504446/, 'application/pdf'],
  [/^1f8b/, 'application/gzip'],
  [/^494433/, 'audio/mpeg'],
  [/^.{8}66747970/, 'video/mp4'],
]

const byExtension: Record<string, string | undefined> = {
  __proto__: null as never,
  '.css': text('css'),
  '.csv': text('csv'),
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.htm': text('html'),
  '.html': text('html'),
  '.js': text('javascript'),
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.md': text('markdown'),
  '.mjs': text('javascript'),
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.svg': 'image/svg+xml',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': text('xml'),
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
}

/** Decides by the content of a file where possible, otherwise by its name. */
export function mimeTypeOf(file: string): string {
  const start = startOf(file)
  const hexadecimal = start.subarray(0, 16).toString('hex')
  const known = beginnings.find(([pattern]) => pattern.test(hexadecimal))?.[1]
  return (
    known ??
    byExtension[extname(file).toLowerCase()] ??
    (isText(start) ? text('plain') : 'application/octet-stream')
  )
}

function startOf(file: string): Buffer {
  const opened = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(4096)
    return buffer.subarray(0, readSync(opened, buffer))
  } finally {
    closeSync(opened)
  }
}

function isText(start: Buffer): boolean {
  return !start.includes(0)
}
