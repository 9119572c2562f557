import type { SentMessage } from '../../scope/context.ts'

/** Reports what a script has sent to the user: a message, or an addition to one. */
export type SentEvent = { type: 'sent'; id: string } & ({ text: string } | { more: string })

/** Collects sent messages in their order, and appends additions to their message. */
export function collectSent(messages: SentMessage[] = []): (event: unknown) => void {
  return (event) => {
    const sent = event as SentEvent
    const known = messages.find(({ id }) => id === sent.id)
    if (known === undefined) messages.push({ id: sent.id, text: 'text' in sent ? sent.text : sent.more })
    else known.text = 'text' in sent ? sent.text : known.text + sent.more
  }
}
