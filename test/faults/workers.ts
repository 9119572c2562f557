import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ended, startViva } from '../support/command.ts'
import { jsonl, type Line } from '../support/lines.ts'
import { isRedisInstalled, startRedisServer, type TestRedis } from '../support/redis-server.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { readJournal } from './crash-suite.ts'
import { faultText } from './fault.ts'
import type { Part, PartRun } from './part.ts'
import { createRandom, type Random } from './random.ts'
import { withFolder } from './workspace.ts'

/** How often something is broken in one run. */
const perRound = 10
const workerCount = 3
const concurrency = 4
const runs = 2
/** Long enough for a round: workers play some 40 jobs per second. */
const jobsPerDisturbance = 40
/** Longer than a worker keeps its jobs without renewing its lock on them. */
const suspendedMs = 12_000

export const workers: Part = {
  about: 'workers on Redis: kill -9, SIGSTOP and SIGTERM, Redis restarted, connections cut, then --resume',
  missing: () => (isRedisInstalled() ? undefined : 'no redis-server is installed'),
  counts: { disturbances: { short: 5, long: 100 } },
  async run(run) {
    const total = run.count('disturbances')
    for (let done = 0; done < total; done += perRound) {
      const seed = run.seed + done
      await playRound(run, seed, Math.min(perRound, total - done))
      run.progress(`${Math.min(done + perRound, total)} of ${total}`)
    }
  },
}

async function playRound(run: PartRun, seed: number, disturbances: number): Promise<void> {
  const random = createRandom(seed)
  const keepsData = random() < 0.5
  const redis = await startRedisServer(
    ...(keepsData ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []),
  )
  const proxy = await startTcpProxy(redis.port)
  const count = Math.ceil((disturbances * jobsPerDisturbance) / runs)
  const cases = Array.from({ length: count }, (_, index) => ({
    id: `c${index}`,
    input: `workers ${seed}:c${index} ${faultText({ delay: '250' })}`,
    assert: { type: 'contains', value: `:c${index} ` },
  }))
  const files = { 'cases.jsonl': jsonl(...cases), 'viva.config.json': '{}' }
  await withFolder(files, async (cwd) => {
    const where = `npm run faults -- workers --disturbances ${disturbances} --seed ${seed} (files: ${cwd})`
    const round = new Round(run, { cwd, where, redis, proxy, random, total: count * runs })
    try {
      for (let time = 0; time < disturbances; time += 1) await round.disturb()
      await round.toTheEnd()
    } finally {
      round.close()
      proxy.close()
      await redis.stop()
    }
    return round.isKept
  })
}

interface RoundOptions {
  cwd: string
  where: string
  redis: TestRedis
  proxy: TcpProxy
  random: Random
  /** The number of results. */
  total: number
}

class Round {
  isKept = true
  readonly #run: PartRun
  readonly #options: RoundOptions
  readonly #workers = new Set<ChildProcess>()
  #coordinator: { process: ChildProcess; ended: ReturnType<typeof ended> }
  #isClosed = false

  constructor(run: PartRun, options: RoundOptions) {
    this.#run = run
    this.#options = options
    this.#coordinator = this.#startCoordinator()
    for (let count = 0; count < workerCount; count += 1) this.#startWorker()
  }

  /** Breaks something at a random moment. */
  async disturb(): Promise<void> {
    const { random, redis, proxy } = this.#options
    await wait(200 + random() * 1200)
    const worker = [...this.#workers][Math.floor(random() * this.#workers.size)]
    const draw = random()
    if (draw < 0.4) this.#note('kill -9 of a worker', () => worker?.kill('SIGKILL'))
    else if (draw < 0.6) {
      this.#note('kill -9 of viva test', () => this.#coordinator.process.kill('SIGKILL'))
      await this.#coordinator.ended
      this.#coordinator = this.#startCoordinator()
    } else if (draw < 0.7) {
      this.#note('SIGSTOP past the lock', () => worker?.kill('SIGSTOP'))
      void wait(suspendedMs).then(() => worker?.kill('SIGCONT'))
    } else if (draw < 0.8) this.#note('SIGTERM to a worker', () => worker?.kill('SIGTERM'))
    else if (draw < 0.9) {
      this.#note('Redis restarted', () => {})
      await redis.restart()
    } else this.#note('connections cut', () => proxy.cut())
  }

  /** The run goes on undisturbed, and is resumed for as long as it is needed. */
  async toTheEnd(): Promise<void> {
    let { exitCode, stderr, stdout } = await this.#coordinator.ended
    // A case whose workers were killed twice has failed for that reason, and may be run again.
    for (let times = 0; times < 3 && exitCode === 3; times += 1) {
      this.#coordinator = this.#startCoordinator()
      const again = await this.#coordinator.ended
      ;({ exitCode, stderr, stdout } = again)
    }
    this.#check('a run ends in spite of all faults', exitCode === 0, `exit ${exitCode}: ${stdout}${stderr}`)
    this.#checkJournal()
  }

  close(): void {
    this.#isClosed = true
    for (const worker of this.#workers) worker.kill('SIGKILL')
    this.#coordinator.process.kill('SIGKILL')
  }

  #checkJournal(): void {
    const lines = readJournal(this.#path)
    const passed = new Map<string, number>()
    for (const line of lines)
      if (line.type === 'result' && line.status === 'passed')
        passed.set(keyOf(line), (passed.get(keyOf(line)) ?? 0) + 1)
    const twice = [...passed].filter(([, count]) => count !== 1).map(([key]) => key)
    const { total } = this.#options
    this.#check('every (case, run) has a result', passed.size === total, `${passed.size} of ${total}`)
    this.#check('every (case, run) is counted once', twice.length === 0, `twice: ${twice.join(', ')}`)
    const summary = lines.at(-1) ?? {}
    this.#check(
      'the summary counts every result',
      summary.total === total && summary.passed === total,
      `${summary.passed} of ${summary.total} passed, not ${total}`,
    )
  }

  get #path(): string {
    return join(this.#options.cwd, 'x.jsonl')
  }

  get #queue(): string {
    return `redis://127.0.0.1:${this.#options.proxy.port}`
  }

  get #agent(): string {
    return `openai:${this.#run.server.url}#m`
  }

  #startCoordinator() {
    const file = existsSync(this.#path) ? ['--resume', 'x.jsonl'] : ['-o', 'x.jsonl']
    const flags = ['--runs', String(runs), '--queue', this.#queue]
    const child = startViva(['test', '-i', 'cases.jsonl', '-n', this.#agent, ...flags, ...file], {
      cwd: this.#options.cwd,
    })
    return { process: child, ended: ended(child) }
  }

  /** Whoever starts workers starts another one when one has gone. */
  #startWorker(): void {
    const flags = ['--queue', this.#queue, '--concurrency', String(concurrency), '-n', this.#agent]
    const worker = startViva(['worker', ...flags], { cwd: this.#options.cwd })
    worker.stdout?.resume()
    worker.stderr?.resume()
    this.#workers.add(worker)
    worker.on('exit', () => {
      this.#workers.delete(worker)
      if (!this.#isClosed) this.#startWorker()
    })
  }

  #note(what: string, work: () => void): void {
    const { figures } = this.#run.card
    this.#run.card.figure(what, Number(figures.get(what) ?? 0) + 1)
    work()
  }

  #check(promise: string, kept: boolean, detail: string): void {
    const isKept = this.#run.card.check(promise, kept, `${this.#options.where}: ${detail}`)
    this.isKept &&= isKept
  }
}

function keyOf({ id, run }: Line): string {
  return `${id} ${run ?? 1}`
}
