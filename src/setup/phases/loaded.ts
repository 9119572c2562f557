import type { CaseEntry } from '../../cases/entry.ts'
import type { Project } from '../../project/project.ts'
import { maxAutoParallel } from '../../run/queue/adaptive-limit.ts'
import { refuseUnknownStubs } from '../helpers/unknown-stubs.ts'
import type { Start } from '../phase.ts'
import { knownProcesses } from '../requests/known-process.ts'
import type { TestHelpers } from './helpers.ts'
import { isBuiltInReport } from './outputs.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

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
    const sessions = settings.parallel === 'auto' ? maxAutoParallel : settings.parallel
    for (const { agent } of variants.values()) await agent.prepare?.(sessions, signal)
    await helpers.scripts.load(signal)
  },
} as const
