import type { Draft } from '../../analysis/shrink/draft.ts'
import { estimateShrink } from '../../analysis/shrink/estimate.ts'
import { reductionNames } from '../../analysis/shrink/reduction-names.ts'
import type { ProvenShrink } from '../../analysis/shrink/shrink.ts'
import {
  effortText,
  errorNote,
  reducedText,
  replyNote,
  sizeText,
  startLines,
  trialsText,
} from '../../analysis/shrink/terminal.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { redactEvent } from '../../privacy/redact-event.ts'
import { oneLine } from '../../reporters/printable.ts'
import { caseBlock } from '../../reporters/terminal-case.ts'
import { blockLines } from '../../reporters/terminal-repeats.ts'
import { failureText } from '../../results/failure-text.ts'
import type { CaseResult } from '../../results/result.ts'
import type { OpenedBy } from '../../setup/phase.ts'
import type { CandidatePlayer } from '../../setup/shrink/player.ts'
import type { ShrinkRequest } from '../../setup/shrink/recorded-failure.ts'
import {
  type ShrinkObserver,
  type ShrinkOutcome,
  shrinkCase,
  shrinkRunSetup,
  shrinkSetup,
} from '../../setup/shrink.ts'
import type { Shell } from '../../system/shell.ts'
import { checkFlags } from '../check-flags.ts'
import type { GivenFlags } from '../flags.ts'
import { commandText } from '../rerun.ts'
import { type GivenShrinkFlags, ownShrinkFlags, readRuns } from '../shrink-flags.ts'
import { untilInterrupted } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'
import { createStart } from './test.ts'

type Opened = OpenedBy<typeof shrinkSetup>

/** `viva shrink results.jsonl T3` */
export function shrinkCommand(
  file: string,
  wanted: string,
  given: GivenShrinkFlags,
  shell: Shell,
): Promise<number> {
  const shrinking = readShrinkRequest(file, wanted, given)
  const { runs: _, output: __, ...shared } = given
  const forTest: GivenFlags = shared
  checkFlags(forTest)
  return untilInterrupted(shell, async (signal) => {
    const front = new TerminalFront(forTest, shell)
    const start = createStart(forTest, shell, front, signal)
    return shrinkSetup.use({ ...start, shrinking }, async (opened) => {
      printStart(opened, front)
      const outcome = await shrinkRunSetup.use(opened, (ready) =>
        shrinkCase(ready, (player) => watch(ready.original.draft, player, front)),
      )
      return printOutcome(outcome, opened, front)
    })
  })
}

function readShrinkRequest(file: string, wanted: string, given: GivenShrinkFlags): ShrinkRequest {
  const { runs = 'auto', only = [], reply, variant, runNumber, output } = given
  const { asRecorded = false, anyReply = false } = given
  const problem = (message: string) => new ConfigError({ code: 'bad_flag', message })
  const check = (flag: string, find: ((value: string) => string | undefined) | undefined, value?: string) => {
    const wrong = value === undefined ? undefined : find?.(value)
    if (wrong !== undefined) throw problem(`${flag} ${value}: ${wrong}`)
  }
  check('--runs', ownShrinkFlags.runs.problem, runs)
  check('--run-number', ownShrinkFlags.runNumber.problem, runNumber)
  for (const each of only) check('--only', ownShrinkFlags.only.problem, each)
  if (reply?.trim() === '') throw problem('--reply: the text is empty')
  if (reply !== undefined && anyReply) throw problem('--reply and --any-reply cannot be combined')
  for (const flag of ['name', 'connector'] as const)
    if (Array.isArray(given[flag]) && given[flag].length > 1)
      throw problem(`--${flag}: a case is shrunk with one agent, not several`)
  return {
    file,
    wanted,
    asRecorded,
    anyReply,
    ...defined({
      variant,
      output,
      reply,
      run: runNumber === undefined ? undefined : Number(runNumber),
      runs: readRuns(runs),
      only: only.length === 0 ? undefined : reductionNames.filter((name) => only.includes(name)),
    }),
  }
}

function printStart(
  { recorded: { result }, original, shrinking, secrets }: Opened,
  front: TerminalFront,
): void {
  const { pen, print } = front.terminal
  const why = oneLine(secrets.redact()(failureText(result.failure, result.termination)), 200)
  const estimate = estimateShrink(original.draft, result, shrinking)
  for (const line of startLines(result.key, why, original.draft, estimate, pen)) print(line)
}

/** A line for every kind of part, and on a terminal a live line below; elsewhere one from time to time. */
function watch(original: Draft, { effort }: CandidatePlayer, { terminal }: TerminalFront): ShrinkObserver {
  const { screen, pen, print } = terminal
  let best = original
  let reduced = original
  screen.repeat(() => {
    const line = pen.dim(
      `  ${oneLine(`${sizeText(best)} left (${effortText(effort)} so far)`, screen.columns - 3)}`,
    )
    if (screen.live) screen.draw(line.text)
    else print(line)
  })
  return {
    onSmaller(draft) {
      best = draft
    },
    onReduced(name, draft) {
      const text = reducedText(name, reduced, draft)
      reduced = draft
      if (text !== undefined) print(pen.dim(pen.line`  ${text} (${effortText(effort)} so far)`))
    },
    onFlaky({ runs, failed }) {
      print(
        pen.line`  ${pen.yellow('It is flaky')}: it failed in ${trialsText({ runs, failed })}, so each case is played several times`,
      )
    },
  }
}

/** Prints what is left, and how to run it. Returns the exit code. */
function printOutcome(outcome: ShrinkOutcome, opened: Opened, front: TerminalFront): number {
  const { pen, print, screen } = front.terminal
  const { player, shrunk, stopped, best } = outcome
  const { recorded, secrets } = opened
  screen.stop()
  if (shrunk !== undefined && player.same !== undefined) printConversation(player.same, opened, front)
  if (shrunk?.status === 'proven') printProven(shrunk, player, opened, front)
  if (shrunk?.status === 'unproven') {
    print(
      pen.line`${pen.red('✗')} It did not fail often enough when it was played again: in ${trialsText(shrunk.last)} (${effortText(player.effort)})`,
    )
    print(pen.line`  What is kept is not proven: ${sizeText(shrunk.draft)}. Try --runs such as 1/20`)
  }
  if (stopped !== undefined) {
    const why =
      stopped.why === 'interrupted' ? 'Interrupted' : oneLine(secrets.redact()(stopped.message), 300)
    print(pen.line`${pen.red('✗')} ${why} (${effortText(player.effort)})`)
    const kept = best && `The best so far is kept: ${sizeText(best)}. It may not be the smallest`
    print(pen.line`  ${kept ?? 'It had not failed again until then, so nothing is written'}`)
  }
  if (best !== undefined) {
    print(pen.dim(pen.line`  Saved: ${oneLine(secrets.redact()(recorded.target.shown))}`))
    print(pen.line`  Run it:`)
    print(pen.line`    ${secrets.redact()(runCommand(opened, front))}`)
  }
  return shrunk?.status === 'proven' ? 0 : 3
}

function printProven(
  { draft, last }: ProvenShrink,
  { effort, same }: CandidatePlayer,
  { recorded: { result, failure }, original, secrets }: Opened,
  { terminal: { pen, print } }: TerminalFront,
): void {
  const isSmaller = draft !== original.draft
  const size = isSmaller
    ? `${sizeText(original.draft)} → ${sizeText(draft)}`
    : `${sizeText(original.draft)}: it cannot be made smaller`
  print(pen.line`${pen.green('✓')} ${size} (${effortText(effort)})`)
  print(pen.line`  It fails for the same reason in ${trialsText(last)}`)
  const note =
    failure.reason.kind === 'agent_error'
      ? errorNote(result.failure?.message, same?.failure?.message)
      : replyNote(failure.recordedTurn, same?.view.turns.at(-1))
  if (note) print(pen.dim(pen.line`  ${secrets.redact()(note)}`))
}

function printConversation(result: CaseResult, { secrets }: Opened, front: TerminalFront): void {
  const { pen, print } = front.terminal
  const event = redactEvent({ type: 'case_finished', result }, secrets.redact())
  if (event.type !== 'case_finished') return
  for (const line of blockLines(caseBlock(event.result, pen, true), '', pen)) print(line)
}

function runCommand({ recorded, settings }: Opened, { given }: TerminalFront): string {
  const { user, team, locale, ctx, timeout } = given
  const { seed, stubAll } = settings
  const named = {
    input: [recorded.target.shown],
    name: settings.names.filter((name) => name !== undefined),
    connector: settings.connectors.filter((connector) => connector !== undefined),
  }
  // The first run of the case gets what the recorded one had.
  const first = seed === undefined ? undefined : String(seed + recorded.result.key.run - 1)
  const more = { user, team, locale, ctx, timeout, seed: first, stubAll: stubAll || undefined }
  return commandText({ ...named, ...defined(more) })
}
