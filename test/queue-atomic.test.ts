import { beforeEach, expect, it } from 'vitest'
import { countLost, findSuperseded, reportResults, returnJob, startJob } from '../src/run/workers/atomic.ts'
import { queueKeys } from '../src/run/workers/keys.ts'
import { createSeal } from '../src/run/workers/seal.ts'
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
    expect(await countLost(redis, keys, 'j')).toBe(1)
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

  it('the list of workers forgets those that were killed', async () => {
    const redis = await client()
    await redis.sadd(queue.workers, 'gone')
    expect((await listWorkers(redis, queue, createSeal(undefined))).workers).toEqual([])
    expect(await redis.smembers(queue.workers)).toEqual([])
  })
})
