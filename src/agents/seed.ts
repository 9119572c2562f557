import type { Data } from '../results/transcript/message.ts'

/** `--seed` as a model setting. */
export function seedSetting({ seed }: Data): { seed?: number } {
  return typeof seed === 'number' ? { seed } : {}
}
