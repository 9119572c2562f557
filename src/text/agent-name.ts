/** `agents:` before a name says what is meant anyway. */
export function agentName(use: string): string {
  return use.replace(/^agents:/, '')
}
