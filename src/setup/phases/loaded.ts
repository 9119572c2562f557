import { vivaSimulator } from '../../agents/helpers/viva-simulator.ts'
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
    const { stubbing, userStubbing, named } = findHelpers(cases)
    const isProcess = knownProcesses(project)
    const owners = [...variants.values()].map(({ agent }) => agent)
    await refuseUnknownStubs(
      { entries: stubbing, stubs: ({ stubs = [] }) => stubs, owners },
      isProcess,
      signal,
    )
    const simulators = settings.simulator === undefined ? [] : [settings.simulator]
    await helpers.agents.load([...named, ...agentReporters(settings), ...simulators], signal)
    for (const [use, entries] of userStubbing) {
      // The cases that name no simulator are played by another one.
      if (use === vivaSimulator && settings.simulator !== undefined) continue
      const users = helpers.agents.toolOwners(use)
      const stubs = ({ userStubs = [] }: CaseEntry) => userStubs
      await refuseUnknownStubs({ entries, stubs, owners: users, isUser: true }, isProcess, signal)
    }
    const sessions = settings.parallel === 'auto' ? maxAutoParallel : settings.parallel
    for (const { agent } of variants.values()) await agent.prepare?.(sessions, signal)
    await helpers.scripts.load(signal)
  },
} as const

/** For recorded conversations: nobody speaks in them any more, so that only judges and reporters are needed. */
export const judgesLoadedPhase = {
  name: 'loaded',
  async open({ cases, settings, helpers, signal }: LoadedNeeds): Promise<void> {
    const judges = new Set<string>()
    for (const { validators = [] } of cases) for (const validator of validators) judges.add(validator)
    await helpers.agents.load([...judges, ...agentReporters(settings)], signal)
    await helpers.scripts.load(signal)
  },
} as const

function agentReporters({ reporters }: Settings): string[] {
  return reporters.filter((name) => !isBuiltInReport(name))
}

/** The cases that replace tools of the agent, or of simulated users by their names, and the agents that any case names. */
function findHelpers(cases: CaseList) {
  const stubbing: CaseEntry[] = []
  const userStubbing = new Map<string, CaseEntry[]>()
  const named = new Set<string>()
  for (const entry of cases) {
    if (entry.stubs !== undefined) stubbing.push(entry)
    if (entry.simulator !== undefined) named.add(entry.simulator)
    if (entry.simulator !== undefined && entry.userStubs !== undefined)
      userStubbing.set(entry.simulator, [...(userStubbing.get(entry.simulator) ?? []), entry])
    for (const validator of entry.validators ?? []) named.add(validator)
  }
  return { stubbing, userStubbing, named }
}
