import type { CommandStart } from '../command-start.ts'
import type { OpenBaseline } from '../saved/baseline.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

interface BaselineNeeds extends CommandStart {
  settings: Settings
  secrets: Secrets
}

export const baselinePhase = {
  name: 'baseline',
  async open({ settings, secrets, shell, warn }: BaselineNeeds): Promise<OpenBaseline | undefined> {
    if (settings.baseline === undefined) return undefined
    const { openBaseline } = await import('../saved/baseline.ts')
    return openBaseline(settings.baseline, settings, secrets.redact, { shell, warn })
  },
} as const
