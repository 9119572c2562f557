import { type Message, messageText } from '../results/transcript/message.ts'

/** Joins the system prompts, for APIs that take them apart from the conversation. */
export function joinSystemPrompts(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => messageText(content))
    .join('\n\n')
}
