import { basename, extname } from 'node:path'
import type { CaseSource } from '../../cases/entry.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { listOverlookedFiles } from '../../cases/sources/folder.ts'
import { type Generate, type OpenOptions, openInputs } from '../../cases/sources/open.ts'
import { type AgentLookup, noSpeakers } from '../../cases/speakers.ts'
import { CaseUses } from '../../cases/uses.ts'
import type { Person } from '../../conversation/person.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import { oneLine } from '../../reporters/printable.ts'
import { TestHost } from '../../scripts/runner/test-host.ts'
import type { PlayStart } from '../command-start.ts'
import type { ScriptCalls } from '../helpers/case-scripts.ts'
import { createCheckHelpers } from '../helpers/check-helpers.ts'
import type { Generating } from '../helpers/generate.ts'
import { createStateTools } from '../helpers/state-tools.ts'
import { shownPath } from '../outputs/targets.ts'
import type { OutsideWork } from '../outside-cases.ts'
import type { SnapshotStore } from '../snapshots/snapshot-store.ts'
import { checkCasesTarget } from '../write-cases.ts'
import type { App } from './app.ts'
import type { TestHelpers } from './helpers.ts'
import type { Settings } from './settings.ts'
import { anyAgent, combineLimits, type Variants } from './variants.ts'

/** Where the cases of a run come from. */
export interface Source {
  cases: CaseSource
  /** Cases that generators have written for this run; known when all have been collected. */
  generated: readonly unknown[]
  /** The processes of script tests. */
  testHosts: readonly TestHost[]
}

export interface SourceNeeds extends PlayStart {
  inputs: readonly DetectedInput[]
  project: Project
  settings: Settings
  app: App
  variants: Variants
  helpers: TestHelpers
  outside: OutsideWork
  person: Person | undefined
  snapshots: SnapshotStore
}

export const sourcePhase = {
  name: 'source',
  open: openSource,
  close: async ({ cases }: Source) => cases.close?.(),
} as const

function openSource(needs: SourceNeeds): Source {
  const { inputs, project, settings } = needs
  if (settings.resume) refuseResume(inputs)
  // Whether generated cases can be written is found out before anybody is asked for them.
  if (settings.dryRun && inputs.some(({ kind }) => kind === 'generator'))
    checkCasesTarget(settings.outputs, project.cwd)
  warnOfOverlooked(needs)
  const generated: unknown[] = []
  const testHosts: TestHost[] = []
  const options = { ...describeSource(needs, generated, testHosts), uses: new CaseUses() }
  return { cases: openInputs(inputs, options), generated, testHosts }
}

/** What cases are read, validated and compiled with. What is generated and started meanwhile is added to the lists. */
export function describeSource(
  { project, settings, app, variants, helpers, outside, person, shell, snapshots }: SourceNeeds,
  generated: unknown[],
  testHosts: TestHost[],
): OpenOptions {
  const { simulator, interactive, stubAll, onMissingInput } = settings
  const { connectors, toolServers } = app.sources
  const underTest = [...variants.values()]
  const stateTools = createStateTools(toolServers, variants)
  const [first] = underTest
  return {
    project,
    loading: app.loading,
    stdin: shell.stdin,
    // A recorded agent has taken the cases as they are.
    limits: settings.graded === undefined ? combineLimits(underTest, connectors) : anyAgent,
    helpers: (folder) =>
      createCheckHelpers(
        connectors,
        { ...helpers.scripts.in(folder), ...stateTools },
        helpers.agents.validatorsIn(folder),
        snapshots,
      ),
    speakers: (folder) =>
      settings.graded === undefined
        ? { simulators: helpers.agents.in(folder), interactive, stubAll, ...defined({ simulator, person }) }
        : noSpeakers,
    testHost(path) {
      const host = new TestHost(path, app.loading.scripts.surroundings, settings.coverage)
      testHosts.push(host)
      return host
    },
    generate: generateWith(helpers.scriptCalls, helpers.agents.generators, {
      ...outside,
      target: first,
      agentProblem: app.agentPool.named.problem,
      note: (line) => void shell.stderr.write(`${oneLine(outside.hide(line), 300)}\n`),
      keep: (made) => void generated.push(...made),
      ...defined({ simulator }),
    }),
    ...defined({ onMissingInput, agentFolder: first?.folder, files: settings.files }),
  }
}

/** A case file with another name would be left out without a word. */
function warnOfOverlooked({ inputs, project, warn }: SourceNeeds): void {
  for (const input of inputs) {
    if (input.kind !== 'folder') continue
    for (const path of listOverlookedFiles(input.path)) {
      const name = shownPath(project, path)
      const better = `${basename(path, extname(path))}.cases${extname(path).toLowerCase()}`
      warn(`${name} is not read: in a folder, call a case file ${better}, or name it with -i`)
    }
  }
}

/** Most runs have no generator: its code is loaded by the first one that does. */
export function generateWith(
  scripts: ScriptCalls,
  generators: Pick<AgentLookup, 'problem' | 'agent'>,
  generating: Generating,
): Generate {
  return async (...request) => {
    const { createGenerate } = await import('../helpers/generate.ts')
    return createGenerate(scripts, generators, generating)(...request)
  }
}

/** What an agent writes the next time may be other cases, and results of those that are gone would not count. */
function refuseResume(inputs: readonly DetectedInput[]): void {
  if (!inputs.some((input) => input.kind === 'generator' && input.reference.startsWith('agents:'))) return
  throw new ConfigError({
    code: 'bad_flag',
    message: '--resume: a generator may write other cases now than it did then',
    hint: 'write them to a file with --dry-run -o cases.jsonl, and run that',
  })
}
