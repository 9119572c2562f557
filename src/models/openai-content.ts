import { isRecord } from '../json/json.ts'
import { messageText } from '../results/transcript/message.ts'
import { mediaUrl, toMedia } from './media.ts'

/** Converts the content of a message to the form of OpenAI's chat API. */
export function toOpenAIContent(content: unknown): unknown {
  return Array.isArray(content) ? content.map(toOpenAIPart) : messageText(content)
}

function toOpenAIPart(part: unknown): unknown {
  const media = toMedia(part)
  if (media === undefined) return toOtherPart(part)
  const url = mediaUrl(media)
  if (media.kind === 'image') {
    const { detail } = media
    return { type: 'image_url', image_url: { url, ...(detail === undefined ? {} : { detail }) } }
  }
  if (media.kind === 'audio' && media.data) {
    const format =
      media.data.mediaType === 'audio/mpeg' ? 'mp3' : media.data.mediaType.replace(/^audio\/(x-)?/, '')
    return { type: 'input_audio', input_audio: { data: media.data.base64, format } }
  }
  return { type: 'file', file: { filename: media.name ?? 'file', file_data: url } }
}

function toOtherPart(part: unknown): unknown {
  return isRecord(part) && part.type === 'data' ? { type: 'text', text: JSON.stringify(part.data) } : part
}
