import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../json.ts'

/** A content part that is more than text: an image, a sound or a file, read when it is sent. */
export interface Media {
  kind: 'image' | 'audio' | 'file'
  name?: string
  /** Of a file that was read, or of a `data:` URL. */
  data?: { mediaType: string; base64: string }
  /** Of what the provider shall fetch itself. */
  url?: string
}

/** Undefined for parts that are passed on as they are. */
export function mediaOf(part: unknown): Media | undefined {
  if (!isRecord(part) || typeof part.source !== 'string') return undefined
  const { type, source, name, media_type: mediaType } = part
  if (type !== 'image' && type !== 'audio' && type !== 'file') return undefined
  const named = typeof name === 'string' ? { name } : {}
  if (source.startsWith('file:')) {
    const base64 = readFileSync(fileURLToPath(source)).toString('base64')
    return { kind: type, ...named, data: { mediaType: String(mediaType), base64 } }
  }
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(source)
  if (inline?.[1] !== undefined && inline[2] !== undefined) {
    return { kind: type, ...named, data: { mediaType: inline[1], base64: inline[2] } }
  }
  return { kind: type, ...named, url: source }
}
