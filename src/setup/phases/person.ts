import type { WithFront } from '../terminal-contract.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** Nobody is asked while a run is recorded or replayed, because what a person types is not recorded. */
export const personPhase = {
  name: 'person',
  open: ({ front, settings, secrets }: WithFront & { settings: Settings; secrets: Secrets }) =>
    settings.skipInteractive || settings.record !== undefined || settings.replay !== undefined
      ? undefined
      : front.person?.(secrets.redact),
} as const
