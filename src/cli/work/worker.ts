import { ConfigError } from '../../errors.ts'
import { oneLine } from '../../reporters/printable.ts'
import { queueKeys } from '../../run/workers/keys.ts'
import type { RunOffer } from '../../run/workers/messages.ts'
import type { OpenRun } from '../../run/workers/open-run.ts'
import type { QueueConnection } from '../../run/workers/redis.ts'
import { createSharedPermits } from '../../run/workers/shared-permits.ts'
import { QueueWorker } from '../../run/workers/worker.ts'
import { openRunOf, startForOffer, workerSetup } from '../../setup/worker.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { parseDuration } from '../../text/duration.ts'
import { openQueue } from '../open-queue.ts'
import { printWarning } from '../print-error.ts'
import { TerminalFront } from '../terminal.ts'
import { flagValueProblems, workerFlags } from '../worker-flags.ts'

export interface GivenWorkerFlags {
  queue?: string
  concurrency?: string
  once?: boolean
  grace?: string
  name?: string[]
  connector?: string[]
}

/** How often a worker that leaves looks whether Redis is there. */
const lookMs = 500

/** `viva worker`: until it is asked to leave. */
export async function workerCommand(given: GivenWorkerFlags, shell: Shell): Promise<number> {
  const problems = flagValueProblems(workerFlags, { ...given })
  if (problems.length > 0) throw new ConfigError(problems)
  const { connection, seal } = await openQueue(given.queue, shell)
  const leaving = new AbortController()
  const graceMs = parseDuration(given.grace ?? workerFlags.grace.default) ?? 0
  let giveUp: NodeJS.Timeout | undefined
  const stopListening = shell.onSignal(() => {
    // Whoever asks twice does not want to wait: other workers take over.
    if (leaving.signal.aborted) return shell.exit(1)
    leaving.abort(new Error('asked to leave'))
    // Without Redis, nothing can be given back.
    const until = performance.now() + graceMs
    giveUp = setInterval(() => {
      if (performance.now() > until && connection.lostMs() > graceMs) shell.exit(1)
    }, lookMs)
  })
  const print = (line: string) => void shell.stdout.write(`${oneLine(line, 500)}\n`)
  connection.watch((isLost) =>
    print(isLost ? `Lost the connection to Redis (${connection.lastError()}); waiting` : 'Connected again'),
  )
  const concurrency = Number(given.concurrency ?? workerFlags.concurrency.default)
  const serving = { given, shell, connection, concurrency }
  const worker = new QueueWorker({
    connection,
    seal,
    concurrency,
    once: given.once === true,
    graceMs,
    leaving: leaving.signal,
    open: (offer, serve) => openRun(offer, serve, serving),
    print,
  })
  try {
    print(
      `Worker ${worker.id} waits for runs in ${connection.address.shown}, ${pluralize(concurrency, 'case')} at once`,
    )
    await worker.work()
    return 0
  } finally {
    clearInterval(giveUp)
    stopListening()
    connection.close()
  }
}

interface Serving {
  given: GivenWorkerFlags
  shell: Shell
  connection: QueueConnection
  concurrency: number
}

async function openRun(
  offer: RunOffer,
  serve: (run: OpenRun) => Promise<void>,
  { given, shell, connection, concurrency }: Serving,
): Promise<void> {
  const keys = queueKeys(connection.address.prefix).run(offer.run)
  const permits = createSharedPermits(connection, keys)
  try {
    const start = startForOffer(
      offer,
      {
        shell,
        front: new TerminalFront({}, shell),
        warn: (text) => printWarning(shell, text),
        signal: new AbortController().signal,
      },
      { allowed: { names: given.name ?? [], connectors: given.connector ?? [] }, permits, concurrency },
    )
    await workerSetup.use(start, (ready) => serve(openRunOf(ready)))
  } finally {
    permits.close()
  }
}
