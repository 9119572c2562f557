import { isRecord } from '../json/json.ts'
import type { SaidTurn } from '../results/case-from-result.ts'
import { pluralize } from '../text/counted.ts'
import { isMessage, isMessageList } from './input.ts'

/** The recorded files that may be sent again, and which were left out. */
export class KeptFiles {
  readonly #mayAttach: (source: string) => boolean
  readonly #leftOut = new Set<string>()

  constructor(mayAttach: (source: string) => boolean) {
    this.#mayAttach = mayAttach
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
    return { ...message, content: message.content.filter((part) => this.#keeps(part)) }
  }

  #keeps(part: unknown): boolean {
    const source = fileSource(part)
    if (source === undefined || this.#mayAttach(source)) return true
    this.#leftOut.add(source)
    return false
  }
}

function fileSource(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined
  const { image_url: image } = part
  const source = part.source ?? (isRecord(image) ? image.url : image)
  return typeof source === 'string' && source.startsWith('file:') ? source : undefined
}
