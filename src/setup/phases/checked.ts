import type { Agent } from '../../agents/agent.ts'
import type { CaseList } from '../../cases/case-list.ts'
import type { OpenBaseline } from '../saved/baseline.ts'
import type { App } from './app.ts'
import type { Outputs } from './outputs.ts'
import type { Settings } from './settings.ts'

interface CheckedNeeds {
  cases: CaseList
  agents: ReadonlyMap<string, Agent>
  settings: Settings
  app: App
  outputs: Outputs
  baseline: OpenBaseline | undefined
  selected?: { cases: CaseList } | undefined
}

/** All cases are valid: what else could spoil the run is found before anything is started. */
export const checkedPhase = {
  name: 'checked',
  async open({ cases, agents, settings, app, outputs, baseline, selected }: CheckedNeeds): Promise<void> {
    outputs.check()
    // Cases that are carried over are in common too.
    await baseline?.check(selected?.cases ?? cases)
    app.sources.toolServers.expect(cases.length * settings.runs * Math.max(1, agents.size))
  },
} as const
