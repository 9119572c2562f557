import { readFileSync } from 'node:fs'
import { isRecord } from '../json/json.ts'
import { type AttachedFile, attachedFile } from '../results/transcript/attachment.ts'
import { type Data, messageText } from '../results/transcript/message.ts'

/** A content part that is more than text: an image, a sound or a file, read when it is sent. */
export interface Media {
  kind: 'image' | 'audio' | 'file'
  name?: string
  /** How closely OpenAI's models look at an image. */
  detail?: string
  /** Content of a file that was read, or of a `data:` URL. */
  data?: { mediaType: string; base64: string }
  /** An address that the provider fetches itself. */
  url?: string
}

/** Returns undefined for parts that are passed on as they are. */
export function toMedia(part: unknown): Media | undefined {
  if (!isRecord(part)) return undefined
  const written = part.type === 'image_url' ? toImagePart(part) : part
  const { type: kind, source, name, detail } = written
  if (typeof source !== 'string' || (kind !== 'image' && kind !== 'audio' && kind !== 'file'))
    return undefined
  const media: Media = {
    kind,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
  }
  const file = attachedFile(part)
  if (file !== undefined) return { ...media, data: readAttachedFile(file) }
  // No provider can fetch it, and viva must not: it does not belong to the case.
  if (source.startsWith('file:')) return undefined
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(source)
  if (inline?.[1] !== undefined && inline[2] !== undefined) {
    return { ...media, data: { mediaType: inline[1], base64: inline[2] } }
  }
  return { ...media, url: source }
}

/** The address of the media; of a file that was read, a `data:` URL. */
export function mediaUrl({ data, url = '' }: Media): string {
  return data === undefined ? url : `data:${data.mediaType};base64,${data.base64}`
}

/** The exact media type of a URL is unknown. */
const unknownTypes = { image: 'image/*', audio: 'audio/*', file: 'application/octet-stream' }

export function guessMediaType({ kind, data }: Media): string {
  return data?.mediaType ?? unknownTypes[kind]
}

/** A part of a message that is not media, as text. */
export function partAsText(part: unknown): string {
  return isRecord(part) && part.type === 'data' ? JSON.stringify(part.data) : messageText([part])
}

/** Content for agents that cannot read our files: in the author's form, with each file as a `data:` URL. */
export function inlineFiles(content: unknown): unknown {
  return Array.isArray(content) ? content.map((part: unknown) => inlineFile(part)) : content
}

function inlineFile(part: unknown): unknown {
  const file = isRecord(part) ? attachedFile(part) : undefined
  if (!isRecord(part) || file === undefined) return part
  const { mediaType, base64 } = readAttachedFile(file)
  const url = `data:${mediaType};base64,${base64}`
  if (part.type !== 'image_url') return { ...part, source: url }
  return { ...part, image_url: { ...(isRecord(part.image_url) ? part.image_url : {}), url } }
}

/** OpenAI's way to write an image. */
function toImagePart({ image_url: image, name }: Data): Data {
  const { url, detail } = isRecord(image) ? image : { url: image, detail: undefined }
  return { type: 'image', source: url, name, detail }
}

function readAttachedFile({ path, mediaType }: AttachedFile): { mediaType: string; base64: string } {
  return { mediaType, base64: readFileSync(path).toString('base64') }
}
