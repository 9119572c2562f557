import { isRecord } from '../json/json.ts'
import type { SaidTurn } from '../results/case-from-result.ts'
import { pluralize } from '../text/counted.ts'
import { isMessage, isMessageList } from './input.ts'

/** How a case names a recorded file; undefined if it may not attach it. */
export type AttachFile = (source: string) => string | undefined

/** The recorded files that may be sent again, and which were left out. */
export class KeptFiles {
  readonly #attach: AttachFile
  readonly #leftOut = new Set<string>()

  constructor(attach: AttachFile) {
    this.#attach = attach
  }

  keepInTurn({ input, message, ...rest }: SaidTurn): SaidTurn {
    return { ...rest, input: this.keep(input), message: this.#keepInMessage(message) }
  }

  /** A message, a list of messages, or an input of another kind, which has no files. */
  keep<T>(input: T): T
  keep(input: unknown): unknown {
    if (isMessageList(input)) return input.map((message) => this.keep(message))
    return isMessage(input) ? this.#keepInMessage(input) : input
  }

  notes(): string[] {
    if (this.#leftOut.size === 0) return []
    const files = pluralize(this.#leftOut.size, 'attached file is', 'attached files are')
    const names = [...this.#leftOut].join(', ')
    return [`${files} left out, because the case in its file does not attach the same: ${names}`]
  }

  #keepInMessage<T extends object>(message: T): T {
    if (!('content' in message) || !Array.isArray(message.content)) return message
    return { ...message, content: message.content.flatMap((part) => this.#keepPart(part)) }
  }

  #keepPart(part: unknown): unknown[] {
    const source = fileSource(part)
    if (source === undefined || !isRecord(part)) return [part]
    const attached = this.#attach(source)
    if (attached !== undefined) return [withSource(part, attached)]
    this.#leftOut.add(source)
    return []
  }
}

function fileSource(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined
  const { image_url: image } = part
  const source = part.source ?? (isRecord(image) ? image.url : image)
  return typeof source === 'string' && source.startsWith('file:') ? source : undefined
}

function withSource(part: Readonly<Record<string, unknown>>, source: string): object {
  const { image_url: image } = part
  if (part.source !== undefined) return { ...part, source }
  return { ...part, image_url: isRecord(image) ? { ...image, url: source } : source }
}
