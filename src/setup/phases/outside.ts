import type { Project } from '../../project/project.ts'
import { readContextFile } from '../../run/context-file.ts'
import type { Identity } from '../../run/identity.ts'
import type { Tapes } from '../../scope/tape.ts'
import { createAccount, type OutsideWork } from '../outside-cases.ts'
import type { Start } from '../phase.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

interface OutsideNeeds extends Start {
  project: Project
  settings: Settings
  secrets: Secrets
  variants: Variants
  recording?: { tapes?: Tapes | undefined } | undefined
}

/** What is needed to work outside of any case: for generators, reporters, and scripts around the run. */
export const outsidePhase = {
  name: 'outside',
  open({ project, settings, secrets, variants, signal, recording }: OutsideNeeds): OutsideWork {
    const { ctx, timeoutMs } = settings
    const file = ctx ? readContextFile(ctx, listContextFolders(project, variants)) : {}
    const identity: Identity = { file, ...settings.identity }
    const hide = (text: string) => secrets.redact()(text)
    return { identity, timeoutMs, signal, account: createAccount(), hide, tapes: recording?.tapes }
  },
} as const

/** A file beside the agent's tests may be named from its folder, or from the app's. */
export function listContextFolders(project: Project, variants: Variants): string[] {
  const [first] = variants.values()
  const folders = [project.cwd, first?.folder, project.packageFolder, project.appRoot]
  return folders.filter((folder) => folder !== undefined)
}
