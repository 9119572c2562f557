import { statSync } from 'node:fs'
import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { KeyNumbers } from '../../results/columns/key-numbers.ts'
import { isJournal } from '../../results/journal.ts'
import { parseLine } from '../../results/parse-line.ts'
import { ResultPlan } from '../../results/planned-results.ts'
import { isResultLine, readStart } from '../../results/read-results.ts'
import type { Resumed } from '../../run/run.ts'
import { readFileLines } from '../../system/read-lines.ts'
import { shorten } from '../../text/shorten.ts'
import type { CommandStart } from '../command-start.ts'
import type { Outputs } from './outputs.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

interface ResumedNeeds extends Pick<CommandStart, 'warn'> {
  settings: Pick<Settings, 'resume'>
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
  /** Keeps other runs away from the file, as soon as it is known to be one of results. */
  lock(): void
  warn(text: string): void
}

/** What an interrupted run has left. What cannot be read of it is reported, and played again. */
async function readResumed(path: string, { variants, lock, warn }: Resuming): Promise<Resumed> {
  await refuseOtherFiles(path, variants)
  lock()
  const keys = new KeyNumbers()
  const finished = new ResultPlan(keys)
  const written = new ResultPlan(keys)
  const unreadable: string[] = []
  for await (const { text, number } of readFileLines(path)) {
    const line = parseLine(text)
    if (!isResultLine(line)) {
      if (!isOtherLine(line) && text.trim() !== '') unreadable.push(describeLine(number, text))
      continue
    }
    const { status, case_hash: hash, retrying } = line
    written.set(line, hash)
    const open = status === 'interrupted' || status === 'not_run' || retrying
    // The last line of a key counts: one that was to be played once more, and was not, is open again.
    if (open) finished.delete(line)
    else finished.set(line, hash)
  }
  if (unreadable.length > 0)
    warn(`${path}: cannot read ${listed(unreadable)}; the cases without a readable result are run again`)
  if (written.size === 0) warn(`${path} holds no results: the run starts from the beginning`)
  return { finished, written }
}

async function refuseOtherFiles(path: string, variants: readonly string[]): Promise<void> {
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
}

/** The start of a run, its summary, or what a newer version writes. */
function isOtherLine(line: unknown): boolean {
  return isRecord(line) && typeof line.type === 'string' && line.type !== 'result'
}

/** With the id of its case, where so much is left of it. */
function describeLine(number: number, text: string): string {
  const id = /"id":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return id === undefined ? `line ${number}` : `line ${number} (${shorten(id, 60)})`
}

const mostListed = 10

function listed(lines: readonly string[]): string {
  const more = lines.length - mostListed
  return `${lines.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
