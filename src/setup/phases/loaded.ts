import type { CaseList } from '../../cases/case-list.ts'
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
  cases: CaseList
  settings: Settings
  variants: Variants
  project: Project
  helpers: TestHelpers
}

/** Loads the scripts and agents that the cases name: one that cannot be loaded is found before anything is played. */
export const loadedPhase = {
  name: 'loaded',
  async open({ cases, settings, variants, project, helpers, signal }: LoadedNeeds): Promise<void> {
    const { stubbing, named } = findHelpers(cases)
    await refuseUnknownStubs(stubbing, [...variants.values()], knownProcesses(project), signal)
    const reporters = settings.reporters.filter((name) => !isBuiltInReport(name))
    const simulators = settings.simulator === undefined ? [] : [settings.simulator]
    await helpers.agents.load([...named, ...reporters, ...simulators], signal)
    const sessions = settings.parallel === 'auto' ? maxAutoParallel : settings.parallel
    for (const { agent } of variants.values()) await agent.prepare?.(sessions, signal)
    await helpers.scripts.load(signal)
  },
} as const

/** The cases that replace tools, and the agents that any case names. */
function findHelpers(cases: CaseList): { stubbing: CaseEntry[]; named: Set<string> } {
  const stubbing: CaseEntry[] = []
  const named = new Set<string>()
  for (const entry of cases) {
    if (entry.stubs !== undefined) stubbing.push(entry)
    if (entry.simulator !== undefined) named.add(entry.simulator)
    for (const validator of entry.validators ?? []) named.add(validator)
  }
  return { stubbing, named }
}
