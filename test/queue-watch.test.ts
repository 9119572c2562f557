import { expect, it, onTestFinished, vi } from 'vitest'
import { parseQueueAddress } from '../src/run/workers/address.ts'
import { CoordinatorMark } from '../src/run/workers/coordinator-mark.ts'
import { JobSender } from '../src/run/workers/job-sender.ts'
import { queueKeys } from '../src/run/workers/keys.ts'
import { Notes } from '../src/run/workers/notes.ts'
import { OpenJobs } from '../src/run/workers/open-jobs.ts'
import { connectQueue } from '../src/run/workers/redis.ts'
import { RunWatch } from '../src/run/workers/run-watch.ts'
import { createSeal } from '../src/run/workers/seal.ts'
import { describeWithRedis, startRedis, stopRedisAfterAll } from './support/redis.ts'

stopRedisAfterAll()

const run = '20260101000000-00000000'

/** Watches a run with one job that nobody plays. */
async function watchRun(limits: { workerTimeoutMs: number; mostLostMs: number }) {
  const server = await startRedis()
  const connection = await connectQueue(parseQueueAddress(server.url, {}))
  const { redis, packages, address } = connection
  const keys = queueKeys(address.prefix)
  const own = keys.run(run)
  const mark = new CoordinatorMark(redis, own)
  await mark.take(() => {})
  await redis.hset(keys.runs, run, 'offer')
  const queue = new packages.Queue(own.queue, { connection: redis, prefix: address.prefix })
  queue.on('error', () => {})
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const jobs = new OpenJobs({ tapes: undefined, keepTools: () => {}, onPoisonous: () => {} })
  const givenUp: string[] = []
  const watch = new RunWatch({
    connection,
    keys,
    own,
    run,
    seal: createSeal(undefined),
    mark,
    jobs,
    sender: new JobSender({ queue, take: async () => [], onRefused: say }),
    notes: new Notes({ note: say, complain: say }),
    workerTimeoutMs: limits.workerTimeoutMs,
    announce: async () => void (await redis.hset(keys.runs, run, 'announced again')),
    countFinished: () => 0,
    onLoad: () => {},
    onDataLost: () => {},
    forgetCounted: async () => {},
    giveUp: (message) => void givenUp.push(message),
    times: { tickMs: 20, mostLostMs: limits.mostLostMs },
  })
  const addJob = () =>
    jobs.add('j', {
      job: { planHash: '', entries: [], variant: 'x', run: 1, attempt: 1 },
      tapes: new Map(),
      message: '',
      isStarted: false,
      lostBefore: 0,
      lost: 0,
      missed: 0,
      onResult: () => {},
      done: () => {},
      fail: () => {},
    })
  watch.start()
  onTestFinished(async () => {
    watch.stop()
    await queue.close()
    connection.close()
  })
  const reason = () => vi.waitUntil(() => givenUp[0], 15_000)
  return { server, keys, own, addJob, givenUp, reason, lines, watch }
}

describeWithRedis('the watch of a run', () => {
  it('gives up when Redis is full for too long, and says so', async () => {
    const { server, addJob, reason, lines } = await watchRun({ workerTimeoutMs: 500, mostLostMs: 1000 })
    addJob()
    await server.client.config('SET', 'maxmemory', '1')
    expect(await reason()).toBe('Redis could not be used for 1s: Redis is full (raise its maxmemory)')
    expect(lines.join()).toContain('what it has refused is sent again until it takes it')
  })

  it('gives up when Redis does not answer, although it keeps the connection', {
    timeout: 30_000,
  }, async () => {
    const { server, addJob, reason } = await watchRun({ workerTimeoutMs: 60_000, mostLostMs: 4000 })
    addJob()
    await server.client.call('CLIENT', 'PAUSE', '60000', 'ALL')
    expect(await reason()).toBe('Redis could not be used for 4s: it does not answer')
  })

  it('gives up when the run was removed, and does not bring it back', async () => {
    const { server, keys, own, addJob, reason } = await watchRun({
      workerTimeoutMs: 60_000,
      mostLostMs: 60_000,
    })
    addJob()
    await server.client.multi().set(own.ended, '1').del(own.coordinator).hdel(keys.runs, run).exec()
    expect(await reason()).toBe('it was removed from the queue')
    expect(await server.client.exists(own.coordinator, keys.runs)).toBe(0)
  })

  it('does not take the end of the run for a loss', async () => {
    const { server, keys, lines, watch } = await watchRun({ workerTimeoutMs: 60_000, mostLostMs: 60_000 })
    const looksEnd = () => new Promise((done) => setTimeout(done, 300))
    watch.stop()
    await looksEnd()
    await server.client.hdel(keys.runs, run)
    watch.start()
    watch.stop()
    await looksEnd()
    expect([lines, await server.client.exists(keys.runs)]).toEqual([[], 0])
    watch.start()
    await vi.waitUntil(() => lines.includes('Redis has lost the run: 0 jobs are sent again'))
  })

  it('gives up when somebody else has overwritten a key that only workers use, and names it', async () => {
    const { server, own, reason, lines } = await watchRun({ workerTimeoutMs: 60_000, mostLostMs: 60_000 })
    await server.client.set(own.reports, 'of somebody else')
    expect(await reason()).toMatch(
      /^the key \S+:reports in \S+ is not of viva: it is a string, where viva keeps a stream \(.*redis-cli del/,
    )
    expect(lines).toEqual([])
  })

  it('needs no workers when no job is open', async () => {
    const { addJob, givenUp, reason, own, server } = await watchRun({
      workerTimeoutMs: 50,
      mostLostMs: 60_000,
    })
    // The mark is renewed once in each of its looks.
    await server.client.pexpire(own.coordinator, 100)
    await vi.waitUntil(async () => (await server.client.pttl(own.coordinator)) > 7500)
    await new Promise((done) => setTimeout(done, 300))
    expect(givenUp).toEqual([])
    addJob()
    expect(await reason()).toBe('no worker for 50ms: start one with viva worker')
  })
})
