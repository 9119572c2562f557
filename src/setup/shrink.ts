import type { Draft } from '../analysis/shrink/draft.ts'
import { hasReply } from '../analysis/shrink/failure.ts'
import { expectsSomething, ReplyLikeness } from '../analysis/shrink/like-reply.ts'
import {
  NotReproducedError,
  type ShrinkOptions,
  type Shrunk,
  shrinkDraft,
} from '../analysis/shrink/shrink.ts'
import { collect } from '../cases/collect.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Project } from '../project/project.ts'
import { failureText } from '../results/failure-text.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { withRecordedAgent } from './branch/recorded.ts'
import { type OpenedBy, phases } from './phase.ts'
import { agentsPhase } from './phases/agents.ts'
import { type App, appPhase } from './phases/app.ts'
import { helpersPhase } from './phases/helpers.ts'
import { loadedPhase } from './phases/loaded.ts'
import { locationPhase } from './phases/location.ts'
import { outsidePhase } from './phases/outside.ts'
import { isPrivate } from './phases/privacy.ts'
import { projectPhase } from './phases/project.ts'
import { runningServicesPhase } from './phases/running-services.ts'
import { scriptHostPhase } from './phases/script-host.ts'
import { type Secrets, secretsPhase } from './phases/secrets.ts'
import { servicesPhase } from './phases/services.ts'
import { type Settings, settle } from './phases/settings.ts'
import { unwrittenSnapshotsPhase } from './phases/snapshots.ts'
import { type Source, sourcePhase } from './phases/source.ts'
import { terminalPhase } from './phases/terminal.ts'
import { combineLimits, type Variants, variantsPhase } from './phases/variants.ts'
import { createStage } from './play.ts'
import type { Original } from './shrink/original.ts'
import { CandidatePlayer, ShrinkStopped } from './shrink/player.ts'
import {
  type RecordedFailure,
  recordedFailureInputsPhase,
  recordedFailurePhase,
  type ShrinkStart,
} from './shrink/recorded-failure.ts'
import { checkShrunkFile, writeShrunkFile } from './shrink/shrunk-file.ts'

interface OriginalNeeds extends ShrinkStart {
  recorded: RecordedFailure
  settings: Settings
  secrets: Secrets
  app: App
  variants: Variants
}

/** What the agent makes of the conversation. All that stands in its way is found before anything is said. */
const originalPhase = {
  name: 'original',
  open({ recorded, settings, secrets, app, variants, warn }: OriginalNeeds): Original {
    const { target } = recorded
    if (isPrivate(settings))
      throw new ConfigError({
        code: 'bad_output',
        message: `${target.shown}: private data is not recorded here, and the case would hold it`,
        hint: '`transcripts` or `masks` of the config say so',
      })
    const original = recorded.original(combineLimits([...variants.values()], app.sources.connectors))
    const redact = secrets.redact()
    checkShrunkFile(target, original.write(), redact)
    for (const note of original.notes) warn(redact(note))
    return original
  },
} as const

/** `viva shrink`: the phases of `viva branch`, for a case that is played again and again. */
export const shrinkSetup = phases<ShrinkStart>()
  .with({ name: 'named', open: (): DetectedInput[] => [] })
  .with(locationPhase)
  .with(scriptHostPhase)
  .with(projectPhase)
  .with(recordedFailurePhase)
  .with(recordedFailureInputsPhase)
  .with({
    name: 'settings',
    open: ({ request, recorded, project }: ShrinkStart & { recorded: RecordedFailure; project: Project }) =>
      settle(withRecordedAgent(request, recorded, project), project.config),
  })
  .with(secretsPhase)
  .with(appPhase)
  .with(variantsPhase)
  .with(helpersPhase)
  .with(outsidePhase)
  .with({ name: 'person', open: () => undefined })
  .with(originalPhase)
  .with(unwrittenSnapshotsPhase)
  .with(sourcePhase)
  .with({ name: 'outputs', open: () => ({ stdoutTaken: false }) })
  .with(terminalPhase)

/** Nobody knows how often the case will be played. */
const manyPlays = 1000

export const shrinkRunSetup = phases<OpenedBy<typeof shrinkSetup>>()
  .with(servicesPhase)
  .with({ name: 'cases', open: ({ source }: { source: Source }) => collect(source.cases) })
  .with(agentsPhase)
  .with({
    name: 'checked',
    open: ({ app }: { app: App }) => app.sources.toolServers.expect(manyPlays),
  })
  .with(runningServicesPhase)
  .with(loadedPhase)

type ReadyToShrink = OpenedBy<typeof shrinkRunSetup>

/** How it is reported what happens. */
export type ShrinkObserver = Pick<ShrinkOptions, 'onSmaller' | 'onReduced' | 'onFlaky'>

export interface ShrinkOutcome {
  player: CandidatePlayer
  /** Absent if it was stopped before all was tried. */
  shrunk?: Shrunk
  stopped?: ShrinkStopped
  /** What is in the file; absent if it did not fail again. */
  best?: Draft
}

/** Plays candidates, and writes each that is smaller. Throws `ConfigError` if the case does not fail as it did. */
export async function shrinkCase(
  ready: ReadyToShrink,
  observer: (player: CandidatePlayer) => ShrinkObserver,
): Promise<ShrinkOutcome> {
  const { shrinking, recorded, original, settings, agents, signal } = ready
  const [variant = ''] = agents.keys()
  const player = new CandidatePlayer({
    reading: ready,
    stage: createStage(ready, {}),
    variant,
    original,
    reason: recorded.reason,
    budget: settings.budget,
    signal,
    target: recorded.target,
    isSameReply: createReplyTest(ready),
  })
  const watching = observer(player)
  let best: Draft | undefined
  try {
    const shrunk = await shrinkDraft(original.draft, {
      play: (candidate) => player.play(candidate),
      playLast: () => player.playFile(),
      mayReplay: original.mayReplay,
      ...defined({ rule: shrinking.rule, only: shrinking.only }),
      onSmaller(draft) {
        writeShrunkFile(recorded.target, original.write({ draft, replayed: { turns: 0, messages: [] } }))
        best = draft
        watching.onSmaller?.(draft)
      },
      onReduced: (name, draft) => watching.onReduced?.(name, draft),
      onFlaky: (trials) => watching.onFlaky?.(trials),
    })
    return { player, shrunk, best: shrunk.draft }
  } catch (error) {
    if (error instanceof ShrinkStopped) return { player, stopped: error, ...defined({ best }) }
    throw error instanceof NotReproducedError ? notReproduced(error, ready, player) : error
  }
}

/** A check that expects something fails for any other reply, too: most of those are no longer the same mistake. */
function createReplyTest({ shrinking, recorded }: ReadyToShrink): (turns: readonly Turn[]) => boolean {
  const { reply, anyReply } = shrinking
  const { result, reason, scope } = recorded
  if (reply !== undefined) return (turns) => hasReply(turns.at(-1), reply)
  if (anyReply || scope.pinned.size === 0 || !expectsSomething(reason)) return () => true
  const likeness = new ReplyLikeness(result.view.turns.slice(0, scope.last))
  return (turns) => likeness.accepts(turns)
}

function notReproduced(
  { runs }: NotReproducedError,
  { recorded: { result }, shrinking: { file } }: ReadyToShrink,
  { other }: CandidatePlayer,
): ConfigError {
  const { id } = result.key
  const times = runs === 1 ? 'when it was played again' : `in ${runs} runs`
  const recorded = failureText(result.failure, result.termination)
  if (other === undefined || other.status === 'passed')
    return new ConfigError({
      code: 'no_failure',
      message: `${id} of ${file} does not fail any more: it passed ${times} (it had failed: ${recorded})`,
      hint: 'is it fixed? If it fails seldom, give --runs such as 1/20',
    })
  return new ConfigError({
    code: 'other_failure',
    message: `${id} of ${file} fails for another reason now: ${failureText(other.failure, other.termination)} (it had failed: ${recorded})`,
    hint: 'run it again with viva test, and shrink that',
  })
}
