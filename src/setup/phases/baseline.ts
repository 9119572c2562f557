import type { CommandStart } from '../command-start.ts'
import { flagNames } from '../option-names.ts'
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
    const { openBaseline, savedEarlierRun } = await import('../saved/baseline.ts')
    const earlier = savedEarlierRun(settings.baseline, flagNames.baseline, { shell, warn })
    return openBaseline(earlier, settings, secrets.redact)
  },
} as const
