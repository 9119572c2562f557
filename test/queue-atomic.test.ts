import { beforeEach, expect, it } from 'vitest'
import { parseQueueAddress } from '../src/run/workers/address.ts'
import {
  countLost,
  findSuperseded,
  findUnfinished,
  forgetJobs,
  reportResults,
  returnJob,
  startJob,
  startToken,
  withdrawJobs,
} from '../src/run/workers/atomic.ts'
import { CoordinatorMark } from '../src/run/workers/coordinator-mark.ts'
import { queueKeys } from '../src/run/workers/keys.ts'
import { takePermit } from '../src/run/workers/permits.ts'
import { connectQueue } from '../src/run/workers/redis.ts'
import { removeRun, sweepRun } from '../src/run/workers/remove-run.ts'
import { ReportInbox } from '../src/run/workers/report-inbox.ts'
import { createSeal } from '../src/run/workers/seal.ts'
import { createSharedPermits } from '../src/run/workers/shared-permits.ts'
import { listWorkers } from '../src/run/workers/worker-watch.ts'
import { describeWithRedis, startRedis, stopRedisAfterAll } from './support/redis.ts'
import { shared } from './support/viva.ts'

stopRedisAfterAll()
const server = shared(() => startRedis())
const queue = queueKeys('viva')
const keys = queue.run('20260101000000-00000000')
const client = async () => (await server()).client

describeWithRedis('the start of a job', () => {
  beforeEach(async () => void (await (await client()).flushall()))

  it('counts once, however often its command arrives', async () => {
    const redis = await client()
    const first = await startJob(redis, keys, { id: 'j', token: 'a' })
    expect(await startJob(redis, keys, { id: 'j', token: 'a' })).toEqual(first)
    expect(first).toEqual({ started: { id: 'j', start: 1, token: 'a' }, lost: 0 })
    expect(await startJob(redis, keys, { id: 'j', token: 'b' })).toEqual({
      started: { id: 'j', start: 2, token: 'b' },
      lost: 1,
    })
    await returnJob(redis, keys, 'j')
    expect(await countLost(redis, keys, { id: 'j' })).toBe(1)
  })

  it('counts the workers that had ended before the run was continued, until Redis knows more', async () => {
    const redis = await client()
    const asked = { id: 'j', lostBefore: 1 }
    expect(await countLost(redis, keys, asked)).toBe(1)
    expect((await startJob(redis, keys, { ...asked, token: 'a' }))?.lost).toBe(1)
    // This run has left its count in Redis, and in the results file.
    expect(await countLost(redis, keys, { id: 'j', lostBefore: 2 })).toBe(2)
    expect((await startJob(redis, keys, { id: 'j', lostBefore: 2, token: 'b' }))?.lost).toBe(2)
  })

  it('has ended a worker when that one does not hold the job any more', async () => {
    const redis = await client()
    const jobs = `viva:${keys.queue}:`
    const look = () => findUnfinished(redis, keys, jobs)
    await redis.hset(`${jobs}j`, 'name', 'job')
    expect(await look()).toEqual([])
    await startJob(redis, keys, { id: 'j', token: startToken('first', 'one') })
    await redis.set(`${jobs}j:lock`, 'first:7')
    expect(await look()).toEqual([{ id: 'j', lost: 0, isHeld: true, holder: 'one' }])
    await redis.del(`${jobs}j:lock`)
    expect(await look()).toEqual([{ id: 'j', lost: 1, isHeld: false }])
    // Another one waits until it can play it alone.
    await redis.set(`${jobs}j:lock`, 'second:0')
    expect(await look()).toEqual([{ id: 'j', lost: 1, isHeld: true }])
    await startJob(redis, keys, { id: 'j', token: startToken('second', 'two') })
    expect(await look()).toEqual([{ id: 'j', lost: 1, isHeld: true, holder: 'two' }])
    await returnJob(redis, keys, 'j')
    await redis.del(`${jobs}j:lock`)
    expect(await look()).toEqual([{ id: 'j', lost: 1, isHeld: false }])
    // It is played: only its results are not counted yet.
    await redis.del(`${jobs}j`)
    expect(await look()).toEqual([])
  })

  it('is superseded by another one, also when Redis has forgotten the first', async () => {
    const redis = await client()
    const first = await startJob(redis, keys, { id: 'j', token: 'a' })
    await redis.flushall()
    const second = await startJob(redis, keys, { id: 'j', token: 'b' })
    expect([first?.started.start, second?.started.start]).toEqual([1, 1])
    const both = [first?.started, second?.started].filter((each) => each !== undefined)
    expect(await findSuperseded(redis, keys, both)).toEqual([first?.started])
    for (const started of both) await reportResults(redis, keys, started, `of ${started.token}`)
    expect((await redis.xrange(keys.reports, '-', '+')).map(([, fields]) => fields)).toEqual([
      ['report', 'of b'],
    ])
    expect(await redis.get(keys.superseded)).toBe('1')
  })

  it('that ends after its run leaves nothing in Redis', async () => {
    const redis = await client()
    const found = await startJob(redis, keys, { id: 'j', token: 'a' })
    await redis.del(keys.starts)
    await redis.set(keys.ended, '1')
    if (found !== undefined) await reportResults(redis, keys, found.started, 'too late')
    await returnJob(redis, keys, 'j')
    expect(await startJob(redis, keys, { id: 'k', token: 'b' })).toBeUndefined()
    expect(await redis.keys('*')).toEqual([keys.ended])
  })

  it('is refused after its results were counted, while it is still in the queue', async () => {
    const redis = await client()
    const jobs = `viva:${keys.queue}:`
    await startJob(redis, keys, { id: 'j', token: 'a' })
    await startJob(redis, keys, { id: 'gone', token: 'a' })
    await redis.hset(`${jobs}j`, 'name', 'job')
    expect(await forgetJobs(redis, keys, jobs, ['j', 'gone'])).toEqual(['j'])
    expect(await countLost(redis, keys, { id: 'j' })).toBe(0)
    expect(await startJob(redis, keys, { id: 'j', token: 'b' })).toBeUndefined()
    await redis.del(`${jobs}j`)
    expect(await forgetJobs(redis, keys, jobs, ['j'])).toEqual([])
    expect(await redis.keys('*')).toEqual([])
  })

  it('is not possible any more when the job was withdrawn', async () => {
    const redis = await client()
    const jobs = `viva:${keys.queue}:`
    for (const id of ['a', 'b', 'c', 'playing']) await redis.hset(`${jobs}${id}`, 'name', 'job')
    await redis.lpush(`${jobs}wait`, 'a', 'b', 'c')
    expect(await withdrawJobs(redis, jobs, ['c', 'a', 'playing', 'unknown'])).toEqual(['c', 'a'])
    expect(await redis.lrange(`${jobs}wait`, 0, -1)).toEqual(['b'])
    expect((await redis.keys('*')).sort()).toEqual([`${jobs}b`, `${jobs}playing`, `${jobs}wait`])
  })

  it('the list of workers forgets those that were killed', async () => {
    const redis = await client()
    await redis.sadd(queue.workers, 'gone')
    expect((await listWorkers(redis, queue, createSeal(undefined))).workers).toEqual([])
    expect(await redis.smembers(queue.workers)).toEqual([])
  })
})

describeWithRedis('the coordinator of a run', () => {
  beforeEach(async () => void (await (await client()).flushall()))

  it('notices that its run was removed, and does not bring it back', async () => {
    const redis = await client()
    const mark = new CoordinatorMark(redis, keys)
    await mark.take(() => {})
    expect(await mark.renew(0)).toBe('own')
    await redis.del(keys.coordinator, keys.finished)
    await redis.set(keys.ended, '1')
    expect(await mark.renew(0)).toBe('ended')
    // A look at the run may have begun before.
    await mark.announce(queue.runs, { run: 'r', generation: 'g', offer: 'o' })
    expect(await redis.keys('*')).toEqual([keys.ended])
    expect(await redis.exists(keys.coordinator)).toBe(0)
  })

  it('is the only one who removes the run', async () => {
    const redis = await client()
    await redis.set(keys.coordinator, 'another')
    await redis.hset(queue.runs, '20260101000000-00000000', 'offer')
    const queueOfRun = { obliterate: async () => void (await redis.set('obliterated', '1')) }
    const remove = (mark: string) =>
      removeRun(
        { redis, address: { prefix: 'viva', url: '', shown: '', secrets: [] } },
        '20260101000000-00000000',
        { queue: queueOfRun, mark },
      )
    expect(await remove('own')).toBe(false)
    expect((await redis.keys('*')).sort()).toEqual([keys.coordinator, queue.runs].sort())
    expect(await remove('another')).toBe(true)
    expect((await redis.keys('*')).sort()).toEqual([keys.ended, 'obliterated'].sort())
  })

  it('loses nothing to a worker that leaves, which takes with it what it has left of a removed run', async () => {
    const redis = await client()
    const run = '20260101000000-00000000'
    const left = async () => {
      await redis.hset(keys.meta, 'opts.maxLenEvents', 10000)
      await sweepRun(redis, queue, run)
      return await redis.exists(keys.meta)
    }
    await redis.set(keys.coordinator, 'own')
    expect(await left()).toBe(1)
    await redis.del(keys.coordinator)
    await redis.hset(queue.runs, run, 'offer')
    expect(await left()).toBe(1)
    await redis.del(queue.runs)
    expect(await left()).toBe(0)
  })

  it('reads reports again that Redis has refused to remove', async () => {
    const redis = await client()
    const run = '20260101000000-00000000'
    const seal = createSeal(undefined)
    const invalid: string[] = []
    const mark = new CoordinatorMark(redis, keys)
    const inbox = new ReportInbox({
      redis,
      keys,
      run,
      seal,
      mark,
      onInvalid: (why) => void invalid.push(why),
    })
    const message = { job: 'j', start: 1, worker: 'w', results: [] }
    await redis.xadd(keys.reports, '*', 'report', 'nonsense')
    await redis.xadd(keys.reports, '*', 'report', seal.seal('', message))
    await redis.xadd(keys.reports, '*', 'report', seal.seal('', { ...message, results: 'none' }))
    await redis.config('SET', 'min-replicas-to-write', '1')
    await expect(inbox.read()).rejects.toThrow('NOREPLICAS')
    await redis.config('SET', 'min-replicas-to-write', '0')
    expect((await inbox.read()).map(({ report }) => report)).toEqual([
      message,
      { ...message, start: 0, unreadable: expect.stringContaining('results: ') },
    ])
    expect(await inbox.read()).toEqual([])
    expect(await redis.xlen(keys.reports)).toBe(2)
  })
})

describeWithRedis('permits', () => {
  it('keep to a rate whose gap is no whole number of milliseconds', async () => {
    const redis = await client()
    await redis.flushall()
    const names = keys.permits('model')
    const asked = { concurrency: 0, gapMs: 60_000 / 700, holdMs: 60_000 }
    let given = 0
    // Asked for all the time, also in the last part of a millisecond before the next one is free.
    for (let count = 0; given < 5; count += 1)
      if ((await takePermit(redis, names, { ...asked, token: String(count) })) === 0) given += 1
    expect(await redis.zcard(names[0])).toBe(given)
  })

  it('are waited for while Redis accepts no writes', async () => {
    const redis = await client()
    const { url } = await server()
    const connection = await connectQueue(parseQueueAddress(url, {}))
    const permits = createSharedPermits(connection, keys)
    await redis.config('SET', 'min-replicas-to-write', '1')
    const stop = new AbortController()
    const taken = permits.take('other', { concurrency: 1 }, stop.signal)
    const refused = permits.take('other', { concurrency: 1 }, AbortSignal.abort(new Error('stopped')))
    await expect(refused).rejects.toThrow('stopped')
    await redis.config('SET', 'min-replicas-to-write', '0')
    expect(await taken).toBeTypeOf('function')
    permits.close()
    connection.close()
  })
})
