import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { everything, type Part } from './part.ts'
import { type Round, type RoundEnd, WatchSession } from './session.ts'

/** A session whose runs end when the test says so. */
function openSession({ typed = [] as (string | undefined)[], failed = true } = {}) {
  const controller = new AbortController()
  const rounds: (Round & { end(how: Partial<RoundEnd>): void })[] = []
  const said: string[] = []
  let news = () => {}
  let waits = 0
  const session = new WatchSession({
    signal: controller.signal,
    play: (round) =>
      new Promise((resolve) => {
        const end = (how: Partial<RoundEnd>) => resolve({ end: 'complete', exitCode: 0, ...how })
        round.signal.addEventListener('abort', () => end({ end: 'stopped' }))
        rounds.push({ ...round, end })
        news()
      }),
    askFilter: async () => typed.shift(),
    hasFailed: () => failed,
    waiting() {
      waits += 1
      news()
    },
    say: (text) => void said.push(text),
  })
  const exitCode = session.run()
  /** Waits until so many runs have started. */
  const started = async (count: number) => {
    while (rounds.length < count)
      await new Promise<void>((resolve) => {
        news = resolve
      })
    const round = rounds[count - 1]
    if (round === undefined) throw new Error('unreachable')
    return round
  }
  const waited = async (count: number) => {
    while (waits < count)
      await new Promise<void>((resolve) => {
        news = resolve
      })
  }
  return { session, controller, rounds, said, exitCode, started, waited }
}

const files = (...paths: string[]): Part => ({ files: new Set(paths) })

describe('a session of --watch', () => {
  it('runs everything first, then what a change affects, and ends with the code of the last run', async () => {
    const { session, started, waited, exitCode } = openSession()
    const first = await started(1)
    expect(first).toMatchObject({ part: everything, filter: undefined, because: undefined })
    first.end({ exitCode: 1 })
    await waited(1)
    session.changed(files('/a.jsonl'), 'a.jsonl')
    const second = await started(2)
    expect(second).toMatchObject({ part: files('/a.jsonl'), because: 'a.jsonl' })
    second.end({ exitCode: 0 })
    await waited(2)
    session.command('quit')
    expect(await exitCode).toBe(0)
  })

  it('a change during a run stops it, and what it had to do is done again', async () => {
    const { session, started } = openSession()
    const first = await started(1)
    session.changed(files('/a.jsonl'), 'a.jsonl')
    expect(first.signal.aborted).toBe(true)
    const second = await started(2)
    expect(second.part).toEqual(everything)
    second.end({})
  })

  it('the files of a run that a change has stopped are run together with the changed ones', async () => {
    const { session, started, waited } = openSession()
    ;(await started(1)).end({})
    await waited(1)
    session.changed(files('/a'), 'a')
    await started(2)
    session.changed(files('/b'), 'b')
    expect((await started(3)).part).toEqual(files('/a', '/b'))
  })

  it('changes that come while a run is being stopped are one run', async () => {
    const { session, started, rounds, waited } = openSession()
    ;(await started(1)).end({})
    await waited(1)
    for (const path of ['/a', '/b', '/c']) session.changed(files(path), path)
    const second = await started(2)
    expect(second.part).toEqual(files('/a', '/b', '/c'))
    second.end({})
    await waited(2)
    expect(rounds).toHaveLength(2)
  })

  it('after a mistake, everything that was to be run is run when it is mended', async () => {
    const { session, started, waited, exitCode } = openSession()
    ;(await started(1)).end({ end: 'refused', exitCode: 2 })
    await waited(1)
    session.changed(files('/a'), 'a')
    const second = await started(2)
    expect(second.part).toEqual(everything)
    second.end({ end: 'refused', exitCode: 2 })
    await waited(2)
    session.command('quit')
    expect(await exitCode).toBe(2)
  })

  it('a change without a case that matches the filter changes nothing', async () => {
    const { session, started, waited, exitCode } = openSession()
    ;(await started(1)).end({ exitCode: 1 })
    await waited(1)
    session.changed(files('/a'), 'a')
    ;(await started(2)).end({ end: 'empty', exitCode: 2 })
    await waited(2)
    session.changed(files('/b'), 'b')
    const third = await started(3)
    expect(third.part).toEqual(files('/b'))
    third.end({ end: 'empty', exitCode: 2 })
    await waited(3)
    session.command('quit')
    expect(await exitCode).toBe(1)
  })

  it('Enter repeats the last part, a runs all, f what failed', async () => {
    const { session, started, waited } = openSession()
    ;(await started(1)).end({})
    await waited(1)
    session.changed(files('/a'), 'a')
    ;(await started(2)).end({})
    await waited(2)
    session.command('again')
    const third = await started(3)
    expect(third).toMatchObject({ part: files('/a'), because: undefined })
    third.end({})
    await waited(3)
    session.command('failed')
    const fourth = await started(4)
    expect(fourth.part).toEqual({ failed: true })
    session.command('all')
    expect((await started(5)).part).toEqual(everything)
    expect(fourth.signal.aborted).toBe(true)
  })

  it('f without a failure says so, and does not stop the run', async () => {
    const { session, started, said } = openSession({ failed: false })
    const first = await started(1)
    session.command('failed')
    expect(said).toEqual(['No case is failing now'])
    expect(first.signal.aborted).toBe(false)
  })

  it('a filter holds until it is cleared, by an empty line or by a', async () => {
    const { session, started, waited } = openSession({ typed: ['refund', '', 'order'] })
    const filters: (string | undefined)[] = []
    const next = async (count: number) => {
      const round = await started(count)
      filters.push(round.filter)
      round.end({})
      await waited(count)
    }
    await next(1)
    session.command('filter')
    await next(2)
    session.changed(everything, 'agent.mjs')
    await next(3)
    session.command('filter')
    await next(4)
    session.command('filter')
    await next(5)
    session.command('all')
    await next(6)
    expect(filters).toEqual([undefined, 'refund', 'refund', undefined, 'order', undefined])
  })

  it('a filter that is not typed after all goes on with the run that was stopped', async () => {
    const { session, started } = openSession({ typed: [undefined] })
    await started(1)
    session.command('filter')
    expect(await started(2)).toMatchObject({ part: everything, filter: undefined })
  })

  it('q during the first run stops it and ends with 130, because no run is complete', async () => {
    const { session, started, exitCode } = openSession()
    const first = await started(1)
    session.command('quit')
    expect(first.signal.aborted).toBe(true)
    expect(await exitCode).toBe(130)
  })

  it('ends when it is interrupted, during a run and while it waits', async () => {
    const running = openSession()
    const first = await running.started(1)
    running.controller.abort()
    expect(await running.exitCode).toBe(130)
    expect(first.signal.aborted).toBe(true)
    const idle = openSession()
    ;(await idle.started(1)).end({})
    await idle.waited(1)
    idle.controller.abort()
    expect(await idle.exitCode).toBe(130)
  })

  it('100 rounds leave no listeners behind', async () => {
    const { session, controller, started, waited, exitCode } = openSession()
    const counts = new Set<number>()
    for (let round = 1; round <= 100; round++) {
      ;(await started(round)).end({})
      await waited(round)
      counts.add(getEventListeners(controller.signal, 'abort').length)
      if (round < 100) session.changed(files('/a'), 'a')
    }
    session.command('quit')
    expect(await exitCode).toBe(0)
    expect([...counts]).toEqual([1])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('u runs again what ran last and accepts the snapshots, once', async () => {
    const { session, started, waited } = openSession()
    ;(await started(1)).end({})
    await waited(1)
    session.changed(files('/a.jsonl'), 'a.jsonl')
    ;(await started(2)).end({})
    await waited(2)
    session.command('update')
    const third = await started(3)
    expect(third).toMatchObject({ part: files('/a.jsonl'), updatesSnapshots: true })
    third.end({})
    await waited(3)
    session.command('again')
    expect(await started(4)).toMatchObject({ part: files('/a.jsonl'), updatesSnapshots: false })
    session.command('quit')
  })

  /** A session with a complete run of one file, in which u was pressed. */
  async function updating(typed: (string | undefined)[] = []) {
    const opened = openSession({ typed })
    const { session, started, waited } = opened
    ;(await started(1)).end({})
    await waited(1)
    session.changed(files('/a'), 'a')
    ;(await started(2)).end({})
    await waited(2)
    session.command('update')
    return opened
  }

  it('a change during an update stops it, and the next run accepts the snapshots', async () => {
    const { session, started, waited } = await updating()
    await started(3)
    session.changed(files('/b'), 'b')
    const fourth = await started(4)
    expect(fourth).toMatchObject({ part: files('/a', '/b'), updatesSnapshots: true })
    fourth.end({})
    await waited(3)
    session.changed(files('/a'), 'a')
    expect(await started(5)).toMatchObject({ part: files('/a'), updatesSnapshots: false })
  })

  it('a change before an update has started does not cancel the update', async () => {
    const { session, started, waited } = openSession()
    ;(await started(1)).end({})
    await waited(1)
    session.changed(files('/a'), 'a')
    await started(2)
    session.command('update')
    session.changed(files('/b'), 'b')
    expect(await started(3)).toMatchObject({ part: files('/a', '/b'), updatesSnapshots: true })
  })

  it('an update that was refused accepts the snapshots when the mistake is corrected', async () => {
    const { session, started, waited } = await updating()
    ;(await started(3)).end({ end: 'refused', exitCode: 2 })
    await waited(3)
    session.changed(files('/a'), 'a')
    expect(await started(4)).toMatchObject({ part: files('/a'), updatesSnapshots: true })
  })

  it('an update that a filter has stopped goes on if no filter is typed, and is over if one is', async () => {
    const left = await updating([undefined])
    await left.started(3)
    left.session.command('filter')
    expect(await left.started(4)).toMatchObject({ part: files('/a'), updatesSnapshots: true })
    const typed = await updating(['refund'])
    await typed.started(3)
    typed.session.command('filter')
    expect(await typed.started(4)).toMatchObject({ part: everything, updatesSnapshots: false })
  })

  it('Enter during an update cancels it, also for the runs after a change', async () => {
    const { session, started } = await updating()
    await started(3)
    session.command('again')
    expect(await started(4)).toMatchObject({ part: files('/a'), updatesSnapshots: false })
    session.changed(files('/b'), 'b')
    expect(await started(5)).toMatchObject({ part: files('/a', '/b'), updatesSnapshots: false })
  })
})
