import type { Draft } from '../analysis/shrink/draft.ts'
import { type FailureCount, inSomeOf } from '../analysis/shrink/rules.ts'
import { type ShrinkOptions, type ShrinkResult, shrinkDraft } from '../analysis/shrink/shrink.ts'
import { collect } from '../cases/collect.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Project } from '../project/project.ts'
import { oneLine } from '../reporters/printable.ts'
import { failureText } from '../results/failure-text.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { pluralize } from '../text/counted.ts'
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
    target.check(original.write(), redact)
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
      settle(
        {
          ...withRecordedAgent(request, recorded, project),
          stubAll: request.stubAll || (recorded.stubsAll && request.names[0] === undefined),
          ...defined({ seed: recorded.seed }),
        },
        project.config,
      ),
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
  shrunk?: Exclude<ShrinkResult, { status: 'notReproduced' }>
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
  const { runs } = shrinking
  const [variant = ''] = agents.keys()
  const player = new CandidatePlayer({
    reading: ready,
    stage: createStage(ready, {}),
    variant,
    original,
    failure: recorded.failure,
    run: recorded.result.key.run,
    budget: settings.budget,
    signal,
    target: recorded.target,
  })
  const watching = observer(player)
  let best: Draft | undefined
  try {
    const shrunk = await shrinkDraft(original.draft, {
      play: (candidate) => player.play(candidate),
      playLast: (candidate) => player.playFile(candidate),
      mayReplay: original.mayReplay,
      ...defined({ rule: runs && inSomeOf(runs.least, runs.most), only: shrinking.only }),
      onSmaller(draft) {
        recorded.target.write(original.write({ draft, replayed: { turns: 0, messages: [] } }))
        best = draft
        watching.onSmaller?.(draft)
      },
      onReduced: (name, draft) => watching.onReduced?.(name, draft),
      onFlaky: (trials) => watching.onFlaky?.(trials),
    })
    if (shrunk.status !== 'notReproduced') return { player, shrunk, best: shrunk.draft }
    recorded.target.remove()
    throw notReproduced(shrunk.tries, ready, player)
  } catch (error) {
    if (error instanceof ShrinkStopped) return { player, stopped: error, ...defined({ best }) }
    throw error
  }
}

function notReproduced(
  { runs, failed }: FailureCount,
  { recorded: { result }, shrinking: { file } }: ReadyToShrink,
  { other }: CandidatePlayer,
): ConfigError {
  const shown = `${result.key.id} of ${file}`
  const recorded = `it had failed: ${failureText(result.failure, result.termination)}`
  const problem = (code: string, message: string, hint: string) =>
    new ConfigError({ code, message: `${shown} ${message} (${recorded})`, hint })
  if (failed > 0)
    return problem(
      'no_failure',
      `fails too seldom: in ${failed} of ${pluralize(runs, 'run')}`,
      'give --runs such as 1/20',
    )
  if (other === undefined || other.match === 'passed') {
    const times = runs === 1 ? 'when it was played again' : `in ${runs} runs`
    return problem(
      'no_failure',
      `does not fail any more: it passed ${times}`,
      'is it fixed? If it fails seldom, give --runs such as 1/20',
    )
  }
  const { failure, termination, view } = other.result
  if (other.match === 'other_reply')
    return problem(
      'other_failure',
      `fails now with a reply that is not like the recorded one: ${quoteReply(view.turns.at(-1))}`,
      'if it is the same mistake, use --any-reply, or --reply with a part of it that both replies contain',
    )
  return problem(
    'other_failure',
    `fails for another reason now: ${failureText(failure, termination)}`,
    'run it again with viva test, and shrink that',
  )
}

function quoteReply(turn: Turn | undefined): string {
  return `"${oneLine(turn?.reply?.content ?? '', 200)}"`
}
