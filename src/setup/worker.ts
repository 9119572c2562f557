import { isAbsolute, join } from 'node:path'
import { resolveProjectFile } from '../cases/attached-file.ts'
import { CaseColumns, type CaseList } from '../cases/case-list.ts'
import { collect } from '../cases/collect.ts'
import type { CaseEntry, CaseSource, Job } from '../cases/entry.ts'
import { type DetectedInput, detectInput } from '../cases/sources/detect.ts'
import { inputFolder, openInputs, openSentCases } from '../cases/sources/open.ts'
import { defined } from '../json/defined.ts'
import { itemAt } from '../json/lazy-list.ts'
import type { SharedPermits } from '../models/shared-permits.ts'
import { findRoot, type Project } from '../project/project.ts'
import { KeyNumbers } from '../results/columns/key-numbers.ts'
import type { QueuedJob, RunOffer } from '../run/workers/messages.ts'
import type { OpenRun } from '../run/workers/open-run.ts'
import type { TestHost } from '../scripts/runner/test-host.ts'
import type { ToolLists } from '../tools/mcp-server.ts'
import type { PlayStart } from './command-start.ts'
import type { AgentFingerprint } from './fingerprint/parts.ts'
import { type OpenedBy, phases } from './phase.ts'
import { agentsPhase } from './phases/agents.ts'
import { appPhase } from './phases/app.ts'
import { fingerprintsPhase } from './phases/fingerprints.ts'
import { helpersPhase } from './phases/helpers.ts'
import { loadedPhase } from './phases/loaded.ts'
import { locationPhase } from './phases/location.ts'
import { outsidePhase } from './phases/outside.ts'
import { privacyPhase } from './phases/privacy.ts'
import { projectPhase } from './phases/project.ts'
import { runningServicesPhase } from './phases/running-services.ts'
import { scriptHostPhase } from './phases/script-host.ts'
import { type Secrets, secretsPhase } from './phases/secrets.ts'
import { servicesPhase } from './phases/services.ts'
import { type RunRequest, settingsPhase } from './phases/settings.ts'
import { unwrittenSnapshotsPhase } from './phases/snapshots.ts'
import { describeSource, type SourceNeeds } from './phases/source.ts'
import { variantsPhase } from './phases/variants.ts'
import { createStage, findMostAtOnce } from './play.ts'
import { refusedRun, refuseForeignRequest } from './queue/request-rules.ts'
import { describeOtherProject, fingerprintRun } from './queue/run-fingerprint.ts'
import { sharedFolder } from './queue/run-inputs.ts'

export interface QueueWorkerStart extends PlayStart {
  offer: RunOffer
  /** Agents and connectors outside of the project that the worker may ask, as its command names them. */
  allowed: { names: readonly string[]; connectors: readonly string[] }
  permits: SharedPermits
}

/** What is asked of a worker, as if it was asked for with flags here. */
export function startForOffer(
  offer: RunOffer,
  start: Omit<PlayStart, 'request'>,
  own: Pick<QueueWorkerStart, 'allowed' | 'permits'> & { concurrency: number },
): QueueWorkerStart {
  const root = findRoot(start.shell.cwd)
  const cwd = sharedFolder(root, offer.folder)
  const { names, connectors, requireChecks, ctx, ...request } = offer.request
  const { allowed, permits, concurrency } = own
  const asked: RunRequest = {
    ...defined({ ...request, ctx: ctx && join(root, ctx) }),
    inputs: offer.inputs.map((input) => join(root, input)),
    names: names.length === 0 ? [undefined] : names,
    connectors: connectors.length === 0 ? [undefined] : connectors,
    identity: defined(request.identity),
    selection: { tags: [], requireChecks },
    parallel: concurrency,
    outputs: [],
    reporters: [],
    lastFailed: false,
    interactive: false,
    skipInteractive: true,
    failFast: false,
    retries: 0,
    runs: 1,
    budget: {},
    coverage: false,
    alpha: 0.05,
    maxInfrastructureErrors: 0,
    list: false,
    dryRun: false,
    json: false,
    verbose: false,
  }
  return { ...start, shell: { ...start.shell, cwd }, request: asked, offer, allowed, permits }
}

const workerInputsPhase = {
  name: 'named',
  open: ({ offer, request, shell }: QueueWorkerStart): DetectedInput[] =>
    request.inputs.map((path, place) => {
      const shown = offer.inputs[place] ?? path
      if (!isAbsolute(path)) throw new Error(`${path} is not absolute`)
      return { ...detectInput(path, shell.cwd), shown }
    }),
} as const

interface AllowedNeeds extends QueueWorkerStart {
  project: Project
  named: readonly DetectedInput[]
}

/** A run that asks for something outside of the project is refused before anything is loaded. */
const allowedPhase = {
  name: 'isAllowed',
  open({ offer, request, project, named, allowed }: AllowedNeeds): void {
    for (const input of named) if ('path' in input) resolveProjectFile(input.path, project.root, input.shown)
    const folder = inputFolder(named, project.cwd)
    refuseForeignRequest(offer.request, { project, allowed, folder, request })
  },
} as const
interface SameNeeds extends QueueWorkerStart {
  inputs: readonly DetectedInput[]
  project: Project
  secrets: Secrets
  fingerprints: ReadonlyMap<string, AgentFingerprint>
}

/** So is one whose cases or agents are not the same here. */
const samePhase = {
  name: 'isSame',
  open({ offer, ...needs }: SameNeeds): void {
    const difference = describeOtherProject(offer.fingerprint, fingerprintRun(needs))
    if (difference !== undefined) throw refusedRun(`the project is not the same: ${difference}`)
  },
} as const

/** What a recording has of the tools of servers, and what is to be kept of them. */
interface WorkerRecording {
  /** Every job has its own. */
  tapes?: undefined
  toolLists: ToolLists
  isOffline: boolean
  takeTools: OpenRun['takeTools']
}

const workerRecordingPhase = {
  name: 'recording',
  open: ({ offer: { tapes } }: QueueWorkerStart): WorkerRecording | undefined => {
    if (tapes === undefined) return undefined
    const { rules, keeps } = tapes
    const recorded = new Map(tapes.tools)
    let kept: ReturnType<OpenRun['takeTools']> = []
    return {
      toolLists: {
        find: (server) => recorded.get(server),
        keep: (server, tools) => void (keeps !== 'none' && kept.push([server, tools])),
        answersCalls: rules !== undefined && !rules.live.includes('tools') && rules.missing === 'error',
      },
      isOffline: rules?.live.length === 0 && rules.missing === 'error',
      takeTools() {
        const taken = kept
        kept = []
        return taken
      },
    }
  },
} as const

/** A worker's own cases, and those that come with jobs. */
interface WorkerSource {
  cases: CaseSource
  sent: ReturnType<typeof openSentCases>
}

const workerSourcePhase = {
  name: 'source',
  open(needs: Omit<SourceNeeds, 'person'>): WorkerSource {
    const testHosts: TestHost[] = []
    const options = describeSource({ ...needs, person: undefined }, [], testHosts)
    return { cases: openInputs(needs.inputs, options), sent: openSentCases(options) }
  },
  close: async ({ cases }: WorkerSource) => cases.close?.(),
} as const

/** There may be none: those of a message, for example, come with their jobs. */
const workerCasesPhase = {
  name: 'cases',
  open: ({ source, inputs }: { source: WorkerSource; inputs: readonly DetectedInput[] }) =>
    inputs.length === 0 ? new CaseColumns().list() : collect(source.cases),
} as const

/** `viva worker`: the phases of `viva test` from a run that was started elsewhere to its stage. */
export const workerSetup = phases<QueueWorkerStart>()
  .with(workerInputsPhase)
  .with(locationPhase)
  .with(scriptHostPhase)
  .with(projectPhase)
  .with(allowedPhase)
  .with({ name: 'inputs', open: ({ named }: { named: DetectedInput[] }): readonly DetectedInput[] => named })
  .with(settingsPhase)
  .with(secretsPhase)
  .with(workerRecordingPhase)
  .with(appPhase)
  .with(variantsPhase)
  .with(helpersPhase)
  .with(outsidePhase)
  .with(fingerprintsPhase)
  .with(samePhase)
  .with(unwrittenSnapshotsPhase)
  .with(workerSourcePhase)
  .with(privacyPhase)
  .with(servicesPhase)
  .with(workerCasesPhase)
  .with(agentsPhase)
  .with(runningServicesPhase)
  .with(loadedPhase)

/** The run, ready to be served. */
export function openRunOf(ready: OpenedBy<typeof workerSetup>): OpenRun {
  const { offer, source, secrets, privacy, recording, cases, app } = ready
  app.sources.toolServers.expect(offer.total)
  const own = new OwnCases(cases)
  return {
    stage: {
      ...createStage(ready, offer.variables),
      source: {
        label: 'queue',
        index: () => source.cases.index(),
        load: (entry) => ('inline' in entry.at ? source.sent.load(entry) : source.cases.load(entry)),
      },
    },
    mostAtOnce: findMostAtOnce(ready),
    resolve({ variant, run, attempt, cases: asked }): Job {
      const entries = asked.map((each) =>
        each.written === undefined ? own.find(each) : source.sent.entry({ ...each, written: each.written }),
      )
      return { planHash: '', entries, variant, run, attempt }
    },
    redactResult(result) {
      const event = privacy.redactEvent({ type: 'case_finished', result })
      const shown = event?.type === 'case_finished' ? event.result : result
      return secrets.redact()(shown)
    },
    redact: secrets.redact,
    takeTools: () => recording?.takeTools() ?? [],
  }
}

/** The cases of the worker's own files. */
class OwnCases {
  readonly #cases: CaseList
  readonly #numbers = new KeyNumbers()

  constructor(cases: CaseList) {
    this.#cases = cases
    for (const entry of cases) this.#numbers.add(anyVariant(entry))
  }

  /** Throws where there is no such case, or another one. */
  find({ file, id, hash }: QueuedJob['cases'][number]): CaseEntry {
    const number = this.#numbers.find(anyVariant({ file, id }))
    if (number === undefined) throw new Error(`there is no case ${id} in ${file}`)
    const entry = itemAt(this.#cases, number)
    if (entry.hash !== hash) throw new Error(`the case ${id} in ${file} is another one here`)
    return entry
  }
}

function anyVariant({ file, id }: Pick<CaseEntry, 'file' | 'id'>) {
  return { file, id, variant: '', run: 0 }
}
