import type { Conceal } from '../privacy/conceal.ts'
import { concealFor, concealLine } from './conceal.ts'
import type { CommandStart } from './project.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** Keeps out of reports what is private: masked fields, and conversations where they are not recorded. */
export interface RunPrivacy {
  conceal: Conceal
  /** For lines that belong to no case: without secrets, and without private data. */
  hideLine(text: string): string
  /** Masks that matched nothing, and may be misspelt. */
  unusedMasks(): readonly string[]
}

interface PrivacyNeeds extends CommandStart {
  settings: Settings
  secrets: Secrets
}

export const privacyPhase = {
  name: 'privacy',
  open({ settings, secrets, shell }: PrivacyNeeds): RunPrivacy {
    const conceal = concealFor(settings, shell.cwd)
    return {
      conceal,
      hideLine: (text) => concealLine(conceal, secrets.redact()(text)),
      unusedMasks: conceal.foundNothing,
    }
  },
} as const
