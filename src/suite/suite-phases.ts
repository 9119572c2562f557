import { resolve } from 'node:path'
import type { CaseList } from '../cases/case-list.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { ResultStore } from '../results/store.ts'
import type { RunPlan } from '../run/run.ts'
import { phases, type Start } from '../setup/phase.ts'
import type { PlayedAgents } from '../setup/phases/agents.ts'
import { casesPhase } from '../setup/phases/cases.ts'
import { planPhase } from '../setup/phases/plan.ts'
import { checkedRecordingPhase, recorderPhase } from '../setup/phases/recording.ts'
import type { Secrets } from '../setup/phases/secrets.ts'
import type { Settings } from '../setup/phases/settings.ts'
import type { Source } from '../setup/phases/source.ts'
import { type OpenRecording, openRecording } from '../setup/recordings/open-recording.ts'
import { liveLayerProblem } from '../setup/run-rules.ts'
import { type OpenBaseline, openBaseline } from '../setup/saved/baseline.ts'
import { earlierRun } from './earlier-report.ts'
import { memoryStore } from './memory-store.ts'
import type { BorrowedServices, OpenProject } from './project.ts'
import type { AnyReport } from './report.ts'
import { type SuiteSettings, suiteOptionNames } from './run-options.ts'
import type { SuiteOutputs } from './suite-outputs.ts'

export interface SuiteStart extends Start {
  settings: SuiteSettings
  baselineRun: string | AnyReport | undefined
  source: Source
  chosen: { selection: Settings['selection'] }
  agents: PlayedAgents
  secrets: Pick<Secrets, 'redact'>
  outputs: SuiteOutputs
  /** The caller's own. */
  reporters: readonly Reporter[]
  project: OpenProject | undefined
  warn(text: string): void
}

const standardAlpha = 0.05

const baselinePhase = {
  name: 'baseline',
  async open({ baselineRun, settings, secrets, cases, warn }: SuiteStart & { cases: CaseList }) {
    if (baselineRun === undefined) return undefined
    const asked = {
      alpha: standardAlpha,
      transcripts: true,
      masks: [],
      ...defined({ gates: settings.gates }),
    }
    const baseline: OpenBaseline = await openBaseline(earlierRun(baselineRun, warn), asked, secrets.redact)
    await baseline.check(cases)
    return baseline
  },
} as const

const recordingPhase = {
  name: 'recording',
  async open({ settings: { record, replay }, agents, secrets, warn }: SuiteStart) {
    if (record === undefined && replay === undefined) return undefined
    const live = replay?.live ?? []
    for (const { id } of agents.values()) {
      const shows = { id, showsModel: false, showsTools: live.includes('agent') }
      const problem = liveLayerProblem(live, shows, suiteOptionNames)
      if (problem !== undefined)
        throw new ConfigError({ code: 'bad_option', ...problem, message: `run: ${problem.message}` })
    }
    const located = (file: string) => ({ path: resolve(file), shown: file })
    return openRecording({
      record: record === undefined ? undefined : located(record),
      replay: replay && { file: located(replay.file), rules: replay },
      isResumed: false,
      redact: secrets.redact,
      warn,
      names: suiteOptionNames,
    })
  },
  close: (recording: OpenRecording | undefined) => recording?.close(),
} as const

/** They go on for other runs with the same project, which stops them when it is closed. */
const projectServicesPhase = {
  name: 'borrowed',
  open: async ({ project, signal, recording }: SuiteStart & { recording: OpenRecording | undefined }) =>
    recording?.isOffline ? undefined : project?.borrowServices(signal),
  close: (borrowed: BorrowedServices | undefined) => borrowed?.giveBack(),
} as const

/** Results go to a file where one is asked for; otherwise they are kept in memory, where they are read again. */
const storePhase = {
  name: 'journal',
  open({ plan, outputs, reporters, settings, baselineRun }: SuiteStart & { plan: RunPlan }): ResultStore {
    const isReported = reporters.length + outputs.reporters.length > 0
    const isJudged = settings.gates !== undefined || baselineRun !== undefined
    return outputs.openStore(plan.expected) ?? memoryStore(plan.expected, isReported || isJudged)
  },
  close: (store: ResultStore) => store.close(),
} as const

/** A suite needs less than a command: its cases and agents are values of the caller's. */
export const suiteSetup = phases<SuiteStart>()
  .with(casesPhase)
  .with(baselinePhase)
  .with(recordingPhase)
  .with(projectServicesPhase)
  .with(planPhase)
  .with(checkedRecordingPhase)
  .with(recorderPhase)
  .with(storePhase)
