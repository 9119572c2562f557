import type { SentMessage } from '../scope/context.ts'

/** How a worker tells what a script has sent to the user. */
export interface SentEvent {
  type: 'sent'
  /** Of the message, which may have been told of before. */
  id: string
  text: string
}

/** Puts what one call sends among the messages of its turn, each in its place. */
export function collectSent(messages: SentMessage[] | undefined): (event: unknown) => void {
  const sent = new Map<string, SentMessage>()
  return (event) => {
    const { id, text } = event as SentEvent
    const known = sent.get(id)
    if (known !== undefined) known.text = text
    else {
      sent.set(id, { text })
      messages?.push(sent.get(id) ?? { text })
    }
  }
}
