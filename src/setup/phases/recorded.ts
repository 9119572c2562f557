import type { Agent } from '../../agents/agent.ts'
import { agentFolder } from '../../agents/agent-names.ts'
import type { ResolvedAgent } from '../../agents/resolved.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import { openSavedResults, type SavedResults } from '../../results/saved-results.ts'
import { listFirst } from '../../results/unreadable-lines.ts'
import type { CommandStart } from '../command-start.ts'
import { resultsFile } from '../saved/saved-run.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

interface RecordedNeeds extends CommandStart {
  settings: Settings
  inputs: readonly DetectedInput[]
}

/** The results file that `viva grade` takes its conversations from. */
export const recordedPhase = {
  name: 'recorded',
  async open({ settings: { graded = '' }, inputs, shell, warn }: RecordedNeeds): Promise<SavedResults> {
    refuseInputs(inputs)
    const recorded = await openSavedResults(resultsFile(graded, shell.cwd), graded)
    const problem = describeUselessResults(recorded, graded)
    if (problem !== undefined) {
      await recorded.close()
      throw problem
    }
    if (recorded.unreadable.length > 0)
      warn(`${graded}: cannot read ${listFirst(recorded.unreadable)}; a result that was there is missing`)
    return recorded
  },
  close: (recorded: SavedResults) => recorded.close(),
} as const

/** Only cases that are written down are the same cases as then. */
function refuseInputs(inputs: readonly DetectedInput[]): void {
  for (const input of inputs) {
    if (input.kind === 'message')
      throw new ConfigError({
        code: 'bad_input',
        message: 'a message checks nothing, so no conversation can be graded with it',
        hint: 'give a case file or a folder',
      })
    if (input.kind === 'generator' && input.reference.startsWith('agents:'))
      throw new ConfigError({
        code: 'bad_input',
        message: `${input.reference} may write other cases now than it did then`,
        hint: 'run cases from a file that is written once (viva test --dry-run -o cases.jsonl), and grade those results',
      })
  }
}

function describeUselessResults({ start, keys }: SavedResults, file: string): ConfigError | undefined {
  const { origin } = start
  if (origin?.kind === 'graded') {
    const message = `${file} was itself made by viva grade`
    return new ConfigError({ code: 'bad_results', message, hint: `give ${origin.from}` })
  }
  if (!keys()[Symbol.iterator]().next().done) return undefined
  return new ConfigError({
    code: 'no_results',
    message: `${file} holds no conversations that could be graded`,
  })
}

/** The agents of the recorded run, which are not opened: what is known of them is in the results. */
export const recordedVariantsPhase = {
  name: 'variants',
  open: ({ recorded: { start }, project }: { recorded: SavedResults; project: Project }): Variants =>
    new Map(
      start.variants.map((variant) => [variant, recordedAgent(variant, start.agentId.split(', '), project)]),
    ),
} as const

/** A variant is the id of its agent, and of its connector after an `@`. */
function recordedAgent(variant: string, ids: readonly string[], project: Project): ResolvedAgent {
  const id = ids.find((each) => variant === each || variant.startsWith(`${each}@`)) ?? variant
  const agent: Agent = {
    id,
    input: 'any',
    history: 'given',
    tools: 'served',
    open: () => Promise.reject(new Error('a recorded agent is not asked')),
  }
  return {
    agent,
    secrets: [],
    connectors: 'own',
    ...defined({
      connector: variant === id ? undefined : variant.slice(id.length + 1),
      folder: agentFolder(id, project),
    }),
  }
}

/** As many runs as were recorded. */
export const recordedRunsPhase = {
  name: 'settings',
  open: ({ settings, recorded }: { settings: Settings; recorded: SavedResults }): Settings => ({
    ...settings,
    runs: recorded.runs,
  }),
} as const
