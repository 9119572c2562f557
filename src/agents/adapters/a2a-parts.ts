import type { Part } from '@a2a-js/sdk'
import { isRecord } from '../../json/json.ts'
import { type Media, toMedia } from '../../models/media.ts'
import { messageText } from '../../results/transcript/message.ts'

/** The content of a message as A2A parts: text, data and files. */
export function toA2AParts(content: unknown): Part[] {
  return Array.isArray(content) ? content.map(toPart) : [textPart(messageText(content))]
}

function toPart(part: unknown): Part {
  const media = toMedia(part)
  if (media !== undefined) return filePart(media)
  const isData = isRecord(part) && part.type === 'data'
  if (!isData) return textPart(messageText([part]))
  return { ...emptyPart, content: { $case: 'data', value: part.data }, mediaType: 'application/json' }
}

const emptyPart = { metadata: undefined, filename: '' }

function textPart(value: string): Part {
  return { ...emptyPart, content: { $case: 'text', value }, mediaType: 'text/plain' }
}

function filePart({ name = '', data, url = '' }: Media): Part {
  const file = { metadata: undefined, filename: name }
  if (data === undefined) return { ...file, content: { $case: 'url', value: url }, mediaType: '' }
  const value = Buffer.from(data.base64, 'base64')
  return { ...file, content: { $case: 'raw', value }, mediaType: data.mediaType }
}
