import { ConfigError } from '../../errors.ts'
import { oneLine } from '../../reporters/printable.ts'
import type { WorkerStatus } from '../../run/workers/messages.ts'
import { cleanRun, type QueuedRun, readOverview } from '../../run/workers/overview.ts'
import type { QueueConnection } from '../../run/workers/redis.ts'
import type { Seal } from '../../run/workers/seal.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { openQueue } from '../open-queue.ts'
import { flagValueProblems, queueFlag } from '../worker-flags.ts'

export interface GivenQueueFlags {
  queue?: string
  json?: boolean
  run?: string
}

/** `viva queue status`: its workers and runs. */
export function queueStatusCommand(given: GivenQueueFlags, shell: Shell): Promise<number> {
  return withQueue(given, shell, async (connection, seal) => {
    const { workers, runs } = await readOverview(connection, seal)
    if (given.json) shell.stdout.write(`${JSON.stringify({ workers, runs }, null, 2)}\n`)
    else
      print(shell, [
        pluralize(workers.length, 'worker'),
        ...workers.map((worker) => workerLine(worker)),
        pluralize(runs.length, 'run'),
        ...runs.map((run) => runLine(run)),
      ])
  })
}

/** `viva queue clean`: what ended runs have left. */
export function queueCleanCommand(given: GivenQueueFlags, shell: Shell): Promise<number> {
  return withQueue(given, shell, async (connection, seal) => {
    const { runs } = await readOverview(connection, seal)
    const chosen = given.run === undefined ? runs : [findRun(given.run, runs)]
    const lines: string[] = []
    for (const run of chosen) {
      let why = given.run === undefined ? whyKept(run) : undefined
      // Somebody may have gone on with it meanwhile.
      if (why === undefined && !(await cleanRun(connection, run.run))) why = goingOn
      lines.push(why === undefined ? `Removed run ${run.run}` : `Kept run ${run.run}: ${why}`)
    }
    print(shell, lines.length === 0 ? ['Nothing to remove'] : lines)
  })
}

async function withQueue(
  given: GivenQueueFlags,
  shell: Shell,
  work: (connection: QueueConnection, seal: Seal) => Promise<void>,
): Promise<number> {
  const problems = flagValueProblems({ queue: queueFlag }, { ...given })
  if (problems.length > 0) throw new ConfigError(problems)
  const { connection, seal } = await openQueue(given.queue, shell)
  try {
    await work(connection, seal)
    return 0
  } finally {
    connection.close()
  }
}

function findRun(name: string, runs: readonly QueuedRun[]): QueuedRun {
  const run = runs.find((each) => each.run === name)
  if (run === undefined)
    throw new ConfigError({
      code: 'bad_queue',
      message: `there is no run ${oneLine(name)} in the queue`,
      hint: 'viva queue status lists them',
    })
  if (run.has_coordinator)
    throw new ConfigError({
      code: 'bad_queue',
      message: `run ${run.run} is going on`,
      hint: 'end its viva test first',
    })
  return run
}

const goingOn = 'it is going on'

/** Undefined if nobody needs it any more. */
function whyKept({ has_coordinator, unread, playing, run }: QueuedRun): string | undefined {
  if (has_coordinator) return goingOn
  if (unread > 0)
    return `${unread} of its results were not read: continue it with viva test --resume, or remove it with --run ${run}`
  if (playing > 0) return 'workers may still play its jobs'
  return undefined
}

function workerLine({ id, concurrency, playing, done, run }: WorkerStatus): string {
  const load = `${playing.length} of ${concurrency} busy`
  return `Worker ${id}: ${run === undefined ? 'waits for a run' : `${load} with run ${run}`}, ${pluralize(done, 'job')} done`
}

function runLine(described: QueuedRun): string {
  const { run, has_coordinator, total, finished = 0, waiting, playing, unread, superseded } = described
  const parts = [
    has_coordinator ? 'going on' : 'without viva test',
    ...(total === undefined ? [] : [`${finished} of ${pluralize(total, 'result')} written`]),
    `${waiting} waiting`,
    `${playing} playing`,
    `${unread} unread`,
    ...(superseded > 0 ? [`${superseded} superseded`] : []),
  ]
  return `Run ${run}: ${parts.join(', ')}`
}

function print({ stdout }: Shell, lines: readonly string[]): void {
  stdout.write(lines.map((line) => `${oneLine(line, 500)}\n`).join(''))
}
