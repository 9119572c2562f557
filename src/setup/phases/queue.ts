import { randomBytes } from 'node:crypto'
import type { Job } from '../../cases/entry.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { redactKey } from '../../privacy/redact.ts'
import { type Project, projectPath } from '../../project/project.ts'
import { oneLine } from '../../reporters/printable.ts'
import { resultKey } from '../../run/jobs.ts'
import type { Resumed, RunPlan } from '../../run/run.ts'
import type { Coordinator } from '../../run/workers/coordinator.ts'
import type { RunOffer } from '../../run/workers/messages.ts'
import type { QueueConnection } from '../../run/workers/redis.ts'
import { version } from '../../version.ts'
import type { PlayStart } from '../command-start.ts'
import type { OutsideWork } from '../outside-cases.ts'
import { fingerprintRun } from '../queue/run-fingerprint.ts'
import { findSharedContext, isShared, listSharedInputs } from '../queue/run-inputs.ts'
import type { OpenRecording } from '../recordings/open-recording.ts'
import type { Terminal } from '../terminal-contract.ts'
import type { PlayedAgents } from './agents.ts'
import type { App } from './app.ts'
import type { Prepared } from './around-run.ts'
import { fingerprintsPhase } from './fingerprints.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Source } from './source.ts'
import type { Variants } from './variants.ts'

interface ConnectionNeeds {
  settings: Settings
  project: Project
  secrets: Secrets
}

/** `--queue`: that Redis can be used is found out before any case is read. `--dry-run` plays nothing. */
export const queueConnectionPhase = {
  name: 'queueConnection',
  async open({ settings, secrets, project }: ConnectionNeeds): Promise<QueueConnection | undefined> {
    if (settings.queue === undefined || settings.dryRun) return undefined
    const [{ parseQueueAddress }, { connectQueue }] = await Promise.all([
      import('../../run/workers/address.ts'),
      import('../../run/workers/redis.ts'),
    ])
    const address = parseQueueAddress(settings.queue.address, project.env)
    secrets.add(() => address.secrets)
    return connectQueue(address)
  },
  close: (connection: QueueConnection | undefined) => connection?.close(),
} as const

interface QueueNeeds extends PlayStart {
  settings: Settings
  project: Project
  secrets: Secrets
  inputs: readonly DetectedInput[]
  source: Source
  agents: PlayedAgents
  variants: Variants
  app: App
  outside: OutsideWork
  plan: RunPlan
  beforeAll: Prepared
  resumed: Resumed | undefined
  recording: OpenRecording | undefined
  queueConnection: QueueConnection | undefined
  terminal: Pick<Terminal, 'note' | 'complain'>
}

/** Lets workers take part in the run. */
export const queuePhase = {
  name: 'queue',
  open: openCoordinator,
  close: (coordinator: Coordinator | undefined) => coordinator?.close(),
} as const

async function openCoordinator(needs: QueueNeeds): Promise<Coordinator | undefined> {
  const { settings, queueConnection: connection, project, secrets, source, recording, terminal } = needs
  if (connection === undefined || settings.queue === undefined) return undefined
  const [{ Coordinator }, { createSeal, secretVariable }] = await Promise.all([
    import('../../run/workers/coordinator.ts'),
    import('../../run/workers/seal.ts'),
  ])
  const offer = describeRun(needs)
  refuseSecrets(offer, secrets)
  const { [secretVariable]: secret } = project.env
  const coordinator = new Coordinator({
    connection,
    offer,
    seal: createSeal(secret),
    written: (entry) => source.cases.written?.(entry),
    tapes: recording?.tapes,
    keepTools: (server, tools) => recording?.toolLists.keep(server, tools),
    redact: secrets.redact,
    lostBefore: createLostBefore(needs),
    finishedBefore: countFinished(needs),
    workerTimeoutMs: settings.queue.workerTimeoutMs,
    note: (line) => terminal.note(secrets.redact()(line)),
    complain: (line) => terminal.complain(oneLine(secrets.redact()(line), 500)),
  })
  await coordinator.open()
  terminal.note(`Queue: ${connection.address.shown}, run ${offer.run}`)
  if (!secret)
    terminal.note(
      `Results are not signed: whoever can write to this Redis can forge them (set ${secretVariable} here and for all workers)`,
    )
  return coordinator
}

function describeRun(needs: QueueNeeds): RunOffer {
  const { settings, project, inputs, agents, plan, beforeAll, resumed, recording, shell, request, variants } =
    needs
  const { identity, ctx, onMissingInput, simulator, stubAll, seed, masks, transcripts, replay, record } =
    settings
  return {
    protocol: 3,
    version,
    run: resumed?.queueRun ?? newRunName(),
    startedAt: new Date().toISOString(),
    total: plan.expected.size,
    folder: projectPath(project, shell.cwd),
    inputs: listSharedInputs(inputs, project),
    sendsCases: inputs.some((input) => !isShared(input)),
    fingerprint: fingerprintRun({ ...needs, fingerprints: fingerprintsPhase.open(needs) }),
    variants: [...agents.keys()],
    request: {
      names: settings.names.filter((name) => name !== undefined),
      connectors: settings.connectors.filter((connector) => connector !== undefined),
      identity: defined({ user: identity.user, team: identity.team, locale: identity.locale }),
      stubAll,
      masks: [...masks],
      transcripts,
      requireChecks: settings.selection.requireChecks,
      ...defined({
        ctx: ctx && findSharedContext(ctx, project, variants),
        timeout: request.timeout,
        onMissingInput,
        simulator,
        seed,
      }),
    },
    variables: beforeAll.variables,
    ...(recording && {
      tapes: {
        keeps: record !== undefined ? 'all' : replay?.missing === 'live' ? 'missing' : 'none',
        ...(replay && { rules: { live: [...replay.live], missing: replay.missing } }),
        tools: recording.recordedTools(),
      },
    }),
  }
}

/** What an interrupted run has found out about the jobs of the one that continues it. */
function createLostBefore({ resumed, secrets }: QueueNeeds): (job: Job) => number {
  if (resumed === undefined) return () => 0
  return (job) =>
    Math.max(
      ...job.entries.map((entry) =>
        resumed.countWorkersLost(redactKey(resultKey(entry, job), secrets.redact()), entry.hash),
      ),
    )
}

function countFinished({ plan: { expected }, resumed }: QueueNeeds): number {
  if (resumed === undefined || resumed.finished.size === 0) return 0
  let count = 0
  for (const { key } of expected.keys()) if (expected.hash(key) === resumed.finished.hash(key)) count += 1
  return count
}

/** In the order in which they began. */
function newRunName(): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  return `${time}-${randomBytes(4).toString('hex')}`
}

/** Secrets do not travel: every worker has its own. */
function refuseSecrets(offer: RunOffer, secrets: Secrets): void {
  const redact = secrets.redact()
  const part = (['variables', 'request', 'inputs'] as const).find(
    (name) => redact(offer[name]) !== offer[name],
  )
  if (part === undefined) return
  const what = { variables: 'what --before-all returned', request: 'a flag', inputs: 'the name of an input' }[
    part
  ]
  throw new ConfigError({
    code: 'secret_in_queue',
    message: `--queue: ${what} holds a secret, which must not travel to workers`,
    hint: 'let workers read it from their own environment',
  })
}
