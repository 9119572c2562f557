import type { WithFront } from '../terminal-contract.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

export const personPhase = {
  name: 'person',
  open: ({ front, settings, secrets }: WithFront & { settings: Settings; secrets: Secrets }) =>
    settings.skipInteractive ? undefined : front.person?.(secrets.redact),
} as const
