import type { DetectedInput } from '../../cases/sources/detect.ts'
import { openInputs } from '../../cases/sources/open.ts'
import { type AgentLookup, noSpeakers } from '../../cases/speakers.ts'
import { noCheckHelpers } from '../../checks/check-helpers.ts'
import type { Project } from '../../project/project.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import { TestHost } from '../../scripts/runner/test-host.ts'
import type { PlayStart } from '../command-start.ts'
import { createCaseScripts } from '../helpers/case-scripts.ts'
import type { Settings } from './settings.ts'
import { generateWith, type Source } from './source.ts'
import { anyAgent } from './variants.ts'

interface ListedSourceNeeds extends PlayStart {
  inputs: readonly DetectedInput[]
  project: Project
  settings: Settings
  scriptHost: ScriptHost
}

/** For a list of cases: no agent is asked for anything, so that nothing is spent. */
export const listedSourcePhase = {
  name: 'source',
  open({ inputs, project, settings, scriptHost: scripts, shell, signal }: ListedSourceNeeds): Source {
    const loading = { scripts, signal }
    const calls = createCaseScripts(project, undefined, loading).in(project.cwd)
    const cases = openInputs(inputs, {
      project,
      loading,
      stdin: shell.stdin,
      limits: anyAgent,
      helpers: () => noCheckHelpers,
      speakers: () => noSpeakers,
      testHost: (path) => new TestHost(path, scripts.surroundings, false),
      generate: generateWith(calls, notForLists, {
        identity: { file: {} },
        target: undefined,
        timeoutMs: settings.timeoutMs,
        signal,
        agentProblem: () => undefined,
        hide: (text) => text,
        note: () => {},
      }),
    })
    return { cases, generated: [], testHosts: [] }
  },
  close: async ({ cases }: Source) => cases.close?.(),
} as const

/** A list costs nothing, and a generator does. */
const notForLists: AgentLookup = {
  ...noSpeakers.simulators,
  problem: () => 'a list asks no agent for cases; --dry-run does',
}
