/** Removes the optional prefix `agents:`. */
export function agentName(use: string): string {
  return use.replace(/^agents:/, '')
}
