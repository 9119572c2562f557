import { statSync } from 'node:fs'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord, sortedJson } from '../../json/json.ts'
import { originText } from '../../reporters/origin-text.ts'
import { KeyNumbers } from '../../results/columns/key-numbers.ts'
import { isJournal } from '../../results/journal.ts'
import { parseLine } from '../../results/parse-line.ts'
import { ResultPlan } from '../../results/planned-results.ts'
import { isResultLine, readStart } from '../../results/read-results.ts'
import type { StartLine } from '../../results/run-line-schema.ts'
import { nameShard, type ShardChoice } from '../../results/shard.ts'
import type { RunOrigin } from '../../results/summary.ts'
import { describeUnreadable, listFirst } from '../../results/unreadable-lines.ts'
import type { Resumed } from '../../run/run.ts'
import { readFileLines } from '../../system/read-lines.ts'
import type { CommandStart } from '../command-start.ts'
import type { Outputs } from './outputs.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

interface ResumedNeeds extends Pick<CommandStart, 'warn'> {
  settings: Pick<Settings, 'resume' | 'shard' | 'origin'>
  secrets: Secrets
  variants: Variants
  outputs: Outputs
}

/** Locks the file of results, and reads what an interrupted run has left in it. */
export const resumedPhase = {
  name: 'resumed',
  async open({ settings, secrets, variants, outputs, warn }: ResumedNeeds): Promise<Resumed | undefined> {
    if (settings.resume !== undefined)
      return readResumed(settings.resume, {
        variants: secrets.redact()([...variants.keys()]),
        shard: settings.shard,
        origin: secrets.redact()(settings.origin),
        lock: outputs.lock,
        warn: (text) => warn(secrets.redact()(text)),
      })
    outputs.lock()
    return undefined
  },
} as const

interface Resuming {
  /** As they are now, without secrets. */
  variants: readonly string[]
  shard: ShardChoice | undefined
  origin: RunOrigin | undefined
  /** Keeps other runs away from the file, as soon as it is known to be one of results. */
  lock(): void
  warn(text: string): void
}

/** What an interrupted run has left. What cannot be read of it is reported, and played again. */
async function readResumed(path: string, resuming: Resuming): Promise<Resumed> {
  const { lock, warn } = resuming
  const start = await refuseOtherFiles(path, resuming)
  lock()
  const keys = new KeyNumbers()
  const finished = new ResultPlan(keys)
  const written = new ResultPlan(keys)
  /** By attempt, of each case. */
  const workersLost = new Map<number, Map<number, number>>()
  const unreadable: string[] = []
  let queueRun = start?.queue_run
  for await (const { text, number } of readFileLines(path)) {
    const line = parseLine(text)
    if (!isResultLine(line)) {
      // The run may have been started without a queue, and have been put into one later.
      queueRun = findQueueRun(line) ?? queueRun
      if (!isOtherLine(line) && text.trim() !== '') unreadable.push(describeUnreadable(number, text))
      continue
    }
    const { status, case_hash: hash, attempt, retrying, workers_lost: lost } = line
    const place = keys.add(line)
    if (written.hash(line) !== hash) workersLost.delete(place)
    written.set(line, hash)
    if (lost !== undefined) workersLost.set(place, new Map(workersLost.get(place)).set(attempt, lost))
    const open = status === 'interrupted' || status === 'not_run' || retrying
    // The last line of a key counts: one that was to be played once more, and was not, is open again.
    if (open) finished.delete(line)
    else finished.set(line, hash)
  }
  if (unreadable.length > 0)
    warn(`${path}: cannot read ${listFirst(unreadable)}; the cases without a readable result are run again`)
  if (written.size === 0) warn(`${path} holds no results: the run starts from the beginning`)
  return {
    finished,
    written,
    countWorkersLost: (key, hash) => workersLost.get(written.find(key, hash) ?? -1)?.get(key.attempt) ?? 0,
    ...defined({ queueRun }),
  }
}

function findQueueRun(line: unknown): string | undefined {
  if (!isRecord(line) || line.type !== 'start') return undefined
  return typeof line.queue_run === 'string' ? line.queue_run : undefined
}

async function refuseOtherFiles(
  path: string,
  { variants, shard, origin }: Pick<Resuming, 'variants' | 'shard' | 'origin'>,
): Promise<StartLine | undefined> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile())
    throw new ConfigError({ code: 'no_such_file', message: `--resume ${path}: no such file` })
  if (!isJournal(path))
    throw new ConfigError({ code: 'bad_journal', message: `--resume ${path}: not a results file of viva` })
  const start = await readStart(path)
  if (start !== undefined && start.variants.join() !== variants.join()) {
    const message = `--resume ${path}: its results are of ${start.variants.join(', ')}, not of ${variants.join(', ')}`
    throw new ConfigError({ code: 'other_agent', message })
  }
  if (start === undefined) return undefined
  refuseOtherShard(path, start.shard, shard)
  refuseOtherOrigin(path, start.origin, origin)
  return start
}

/** Results of other cases would be left out, and those of this shard would be missing elsewhere. */
function refuseOtherShard(
  path: string,
  written: ShardChoice | undefined,
  asked: ShardChoice | undefined,
): void {
  const [found, wanted] = [written, asked].map((shard) => (shard ? nameShard(shard) : 'a whole run'))
  if (found === wanted) return
  throw new ConfigError({
    code: 'other_shard',
    message: `--resume ${path}: its results are of ${found}, not of ${wanted}`,
    hint: written === undefined ? 'leave out --shard' : `use ${shardFlags(written)}`,
  })
}

function shardFlags({ index, of, by }: ShardChoice): string {
  return `--shard ${index}/${of}${by === 'time' ? ' --shard-by time' : ''}`
}

/** A live run and others must not be mixed. */
function refuseOtherOrigin(path: string, written: WrittenOrigin, asked: WrittenOrigin): void {
  if (isSameOrigin(written, asked)) return
  throw new ConfigError({
    code: 'other_origin',
    message: `--resume ${path}: its results are ${describeOrigin(written)}, not ${describeOrigin(asked)}`,
    hint: 'resume it with the flags that it was started with',
  })
}

type WrittenOrigin = StartLine['origin'] | RunOrigin

function isSameOrigin(one: WrittenOrigin, other: WrittenOrigin): boolean {
  return sortedJson(one ?? null) === sortedJson(other ?? null)
}

function describeOrigin(origin: WrittenOrigin): string {
  return origin === undefined ? 'of a live run' : originText(origin)
}

/** The start of a run, its summary, or what a newer version writes. */
function isOtherLine(line: unknown): boolean {
  return isRecord(line) && typeof line.type === 'string' && line.type !== 'result'
}
