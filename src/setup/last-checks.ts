import type { Agent } from '../agents/agent.ts'
import type { CaseEntry } from '../cases/entry.ts'
import type { Project } from '../project/project.ts'
import type { App } from './app.ts'
import type { OpenBaseline } from './baseline.ts'
import type { TestHelpers } from './helpers.ts'
import { isBuiltInReport, type Outputs } from './outputs.ts'
import type { Start } from './phases.ts'
import { knownProcesses } from './requests/known-process.ts'
import type { Settings } from './settings.ts'
import { refuseUnknownStubs } from './stubs.ts'
import type { Variants } from './variants.ts'

interface CheckedNeeds {
  cases: readonly CaseEntry[]
  agents: ReadonlyMap<string, Agent>
  settings: Settings
  app: App
  outputs: Outputs
  baseline: OpenBaseline | undefined
}

/** All cases are valid: what else could spoil the run is found before anything is started. */
export const checkedPhase = {
  name: 'checked',
  async open({ cases, agents, settings, app, outputs, baseline }: CheckedNeeds): Promise<void> {
    outputs.check()
    await baseline?.check(cases)
    app.sources.toolServers.expect(cases.length * settings.runs * Math.max(1, agents.size))
  },
} as const

interface LoadedNeeds extends Start {
  cases: readonly CaseEntry[]
  settings: Settings
  variants: Variants
  project: Project
  helpers: TestHelpers
}

/** Loads the scripts and agents that the cases name: one that cannot be loaded is found before anything is played. */
export const loadedPhase = {
  name: 'loaded',
  async open({ cases, settings, variants, project, helpers, signal }: LoadedNeeds): Promise<void> {
    await refuseUnknownStubs(cases, [...variants.values()], knownProcesses(project), signal)
    const named = cases.flatMap(({ simulator, validators = [] }) => [simulator ?? [], ...validators].flat())
    const reporters = settings.reporters.filter((name) => !isBuiltInReport(name))
    const simulators = settings.simulator === undefined ? [] : [settings.simulator]
    await helpers.agents.load([...named, ...reporters, ...simulators], signal)
    await helpers.scripts.load(signal)
  },
} as const
