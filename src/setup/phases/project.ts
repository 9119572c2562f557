import { type Location, loadProject } from '../../project/project.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import type { Start } from '../phase.ts'

export const projectPhase = {
  name: 'project',
  open: ({ location, scriptHost, signal }: Start & { location: Location; scriptHost: ScriptHost }) =>
    loadProject(location, scriptHost, signal),
} as const
