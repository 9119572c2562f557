import type { Data } from '../results/transcript/message.ts'

/** `--seed`, as a setting of a model's request. */
export function seedOf({ seed }: Data): { seed?: number } {
  return typeof seed === 'number' ? { seed } : {}
}
