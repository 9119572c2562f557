import type { DetectedInput } from '../../cases/sources/detect.ts'
import { inputFolder } from '../../cases/sources/open.ts'
import { ConfigError } from '../../errors.ts'
import type { Project } from '../../project/project.ts'
import { type CaseScripts, createCaseScripts, type ScriptCalls } from '../helpers/case-scripts.ts'
import { createHelperAgents, type HelperAgents } from '../helpers/helper-agents.ts'
import type { App } from './app.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

/** Scripts and agents that work for the tests. */
export interface TestHelpers {
  /** Functions that cases name. */
  scripts: CaseScripts
  /** Functions that the command line names. */
  scriptCalls: ScriptCalls
  agents: HelperAgents
}

interface HelpersNeeds {
  project: Project
  app: App
  settings: Pick<Settings, 'simulator'>
  inputs: readonly DetectedInput[]
  variants: Variants
}

export const helpersPhase = {
  name: 'helpers',
  open({ project, app, settings, inputs, variants }: HelpersNeeds): TestHelpers {
    const { simulator } = settings
    const folder = inputFolder(inputs, project.cwd)
    const [first] = variants.values()
    const scripts = createCaseScripts(project, first?.folder, app.loading)
    const agents = createHelperAgents(app.sources, app.agentPool, scripts, simulator)
    // Reported once here, not for every case that would be played with it.
    const problem = simulator === undefined ? undefined : agents.in(folder).problem(simulator, undefined)
    if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `--simulator: ${problem}` })
    return { scripts, agents, scriptCalls: scripts.in(folder) }
  },
} as const
