import type { Location } from '../../project/project.ts'
import { createScriptHost, type ScriptHost } from '../../scripts/runner/script-host.ts'

export const scriptHostPhase = {
  name: 'scriptHost',
  open: ({ location: { env, cwd } }: { location: Location }) =>
    createScriptHost({ surroundings: { env, cwd } }),
  close: (host: ScriptHost) => host.close(),
} as const
