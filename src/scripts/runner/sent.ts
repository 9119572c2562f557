import type { SentMessage } from '../../scope/context.ts'

/** How a worker tells what a script has sent to the user: a message, or more of one. */
export type SentEvent = { type: 'sent'; id: string } & ({ text: string } | { more: string })

/** Puts what is sent among the messages of its turn, each in its place. */
export function collectSent(messages: SentMessage[] = []): (event: unknown) => void {
  return (event) => {
    const sent = event as SentEvent
    const known = messages.find(({ id }) => id === sent.id)
    if (known === undefined) messages.push({ id: sent.id, text: 'text' in sent ? sent.text : sent.more })
    else known.text = 'text' in sent ? sent.text : known.text + sent.more
  }
}
