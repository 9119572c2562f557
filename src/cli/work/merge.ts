import { relative } from 'node:path'
import { comparisonLines } from '../../analysis/compare/terminal.ts'
import { historyPath } from '../../analysis/history/read.ts'
import { createHistoryRecorder, type HistoryRecorder } from '../../analysis/history/record.ts'
import { joinStarts, mergeShards } from '../../analysis/merge/merge-shards.ts'
import type { ShardFile } from '../../analysis/merge/shard-file.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { findRoot } from '../../project/project.ts'
import { originText } from '../../reporters/origin-text.ts'
import { oneLine } from '../../reporters/printable.ts'
import type { Gates } from '../../results/gates.ts'
import type { ResultKey } from '../../results/key.ts'
import type { ResultPlan } from '../../results/planned-results.ts'
import type { RunOrigin, RunStart } from '../../results/summary.ts'
import type { ConcludedRun } from '../../run/conclude.ts'
import { writeWholeJournal } from '../../setup/outputs/whole-journal.ts'
import { isCaseFile } from '../../setup/phases/history.ts'
import { type OpenBaseline, openBaseline, savedEarlierRun } from '../../setup/saved/baseline.ts'
import { openShards } from '../../setup/saved/shards.ts'
import type { Shell } from '../../system/shell.ts'
import type { GivenFlags } from '../flags.ts'
import { type MergeOutputs, planMergeOutputs } from '../merge-outputs.ts'
import { createMergeTerminal, type MergeTerminal } from '../merge-terminal.ts'
import { printWarning } from '../print-error.ts'
import { refusedVerdict } from '../recording-flags.ts'
import { readRequest } from '../request.ts'
import { untilInterrupted } from '../signals.ts'

/** `viva merge shards/*.jsonl -o results.jsonl`, with checked flags. The exit code is that of the whole run. */
export async function mergeCommand(
  names: readonly string[],
  given: GivenFlags,
  shell: Shell,
): Promise<number> {
  const { baseline: base, alpha, gates: asked, maxInfrastructureErrors } = readRequest(given, shell.cwd)
  const outputs = planMergeOutputs(given, base === undefined ? names : [...names, base], shell)
  return untilInterrupted(shell, async (signal) => {
    const { files, plan } = await openShards(names, shell.cwd)
    refuseVerdict(files[0].start.origin, given)
    warnOfOtherFlags(files, shell)
    const start = joinStarts(files, joinGates(files[0].start.gates, asked))
    const root = findRoot(shell.cwd)
    const baseline = base === undefined ? undefined : await openBaselineOf(base, alpha, start, plan, shell)
    outputs.check()
    const terminal = createMergeTerminal(shell, {
      root,
      command: start.command ?? 'viva test',
      isFile: isMergedFile,
    })
    const filesChanged = files.some(({ summary }) => summary.files_changed === true)
    const history = recordMerged(root, shell, filesChanged)
    const merged = await writeWholeJournal(outputs.journal, plan, async (store) => {
      const reporters = [...terminal.reporters, ...outputs.reporters(store.path), history]
      const options = { start, plan, store, reporters, maxInfrastructureErrors, signal }
      const concluded = await mergeShards(files, { ...options, ...defined({ baseline }) })
      signal.throwIfAborted()
      return concluded
    })
    history.write()
    const comparison = baseline?.comparison()
    if (comparison) for (const line of comparisonLines(comparison, terminal.pen)) terminal.print(line)
    return close(merged, outputs, terminal, { cwd: shell.cwd, isRecorded: history.isRecorded() })
  })
}

/** They decide no result. */
const harmlessFlags = / (?:--parallel \S+|-v)(?= |$)/g

/** Flags such as --timeout or --retries may be changed for a reason, but hardly without anybody noticing. */
function warnOfOtherFlags(files: readonly ShardFile[], shell: Shell): void {
  const commands = new Map(
    files.map(({ file, start: { command = '' } }) => [command.replaceAll(harmlessFlags, ''), file]),
  )
  const [one, other] = [...commands]
  if (one === undefined || other === undefined) return
  const [shown, shownOther] = [one, other].map(([command, file]) => `${file}: ${oneLine(command, 300)}`)
  printWarning(shell, `the shards were run with different flags: ${shown}; ${shownOther}`)
}

/** As where a whole run is replayed. */
function refuseVerdict(origin: RunOrigin | undefined, given: GivenFlags): void {
  const refused = refusedVerdict(given)
  if (origin === undefined || refused === undefined) return
  throw new ConfigError({
    code: 'bad_flag',
    message: `${refused.name} is for results of a live run, and these are ${originText(origin)}: ${refused.reason}`,
  })
}

/** Those that the shards were run with, and those that only the whole run can have. */
function joinGates(recorded: Gates = {}, asked: Gates = {}): Gates {
  if (recorded.confidence !== undefined && (asked.case ?? recorded.case) !== recorded.case)
    throw new ConfigError({
      code: 'bad_flag',
      message: `--gate ${asked.case}: with --runs auto, the shards have run each case until it was clear about ${recorded.case}`,
      hint: 'leave out --gate',
    })
  if (recorded.confidence !== undefined && asked.suite !== undefined)
    throw new ConfigError({
      code: 'bad_flag',
      message:
        '--gate-suite does not apply to shards with --runs auto: runs that stop when the answer is clear are no fair sample',
      hint: 'use --runs N for it',
    })
  return { ...recorded, ...asked }
}

async function openBaselineOf(
  file: string,
  alpha: number,
  { gates, carriedOver = [] }: RunStart,
  plan: ResultPlan,
  shell: Shell,
): Promise<OpenBaseline> {
  const settings = { alpha, transcripts: true, masks: [], ...defined({ gates }) }
  const warn = (text: string) => printWarning(shell, text)
  const baseline = await openBaseline(
    savedEarlierRun(file, '--baseline', { shell, warn }),
    settings,
    () => (value) => value,
  )
  const carried = carriedOver.map(([file, id]) => ({ file, id }))
  await baseline.check([...carried, ...listKeys(plan)])
  return baseline
}

function* listKeys(plan: ResultPlan): Generator<ResultKey> {
  for (const { key } of plan.keys()) yield key
}

/** Whether cases of that name are in a file: not on stdin or in a generator. */
function isMergedFile(file: string): boolean {
  return isCaseFile(file, [], (value) => value) && !/^(?:scripts|agents):/.test(file)
}

/** Shards are not in the history. However often they are merged, their run is in it once. */
function recordMerged(root: string, shell: Shell, filesChanged: boolean): HistoryRecorder {
  return createHistoryRecorder({
    path: historyPath(root),
    isFile: isMergedFile,
    suffix: 'merged',
    fingerprints: () => (filesChanged ? undefined : []),
    warn: (text) => printWarning(shell, text),
  })
}

function close(
  { exitCode, broken }: ConcludedRun,
  { journal, files }: MergeOutputs,
  { pen, print, recapLines }: MergeTerminal,
  { cwd, isRecorded }: { cwd: string; isRecorded: boolean },
): number {
  for (const path of new Set([journal, ...files]))
    if (!broken.some(({ name }) => name === path)) print(pen.dim(`  Results: ${relative(cwd, path)}`))
  for (const { name, message } of broken)
    print(pen.line`${pen.red('✗')} ${`${name} could not be written: ${message}`}`)
  for (const line of recapLines(isRecorded)) print(line)
  return broken.length === 0 || exitCode === 1 ? exitCode : 3
}
