import { afterEach, describe, expect, it } from 'vitest'
import { closeHosts, failure, script, startHost } from '../../../test/fixtures/scripts/hosts.ts'
import { ScriptCrash } from '../runner/script-error.ts'
import { MemoryBudget, memoryLimitMb } from './memory-budget.ts'

afterEach(closeHosts)

const gb = 1024 ** 3

describe('the memory that scripts may use', () => {
  it.each([
    ['half of a machine', 12 * gb, 0, 6144],
    ['at least 2 GB', 3 * gb, 0, 2048],
    ['half of a small machine', 2 * gb, 0, 1024],
    ['at most 8 GB', 256 * gb, 0, 8192],
    ['that of the container, where it is smaller', 256 * gb, 8 * gb, 4096],
    ['that of the machine, where the container has no limit', 12 * gb, 2 ** 64, 6144],
  ])('is %s', (_, machine, container, limit) => {
    expect(memoryLimitMb(machine, container)).toBe(limit)
  })
})

describe('a budget that processes share', () => {
  function holderIn(budget: MemoryBudget) {
    const told: [string, boolean][] = []
    const holder = { exceeded: (message: string, crowded: boolean) => void told.push([message, crowded]) }
    return { told, uses: (mb: number) => budget.note(holder, mb), ends: () => budget.release(holder) }
  }

  it('ends the largest process, which is to blame when it used more than half', () => {
    const budget = new MemoryBudget(1000)
    const [small, large] = [holderIn(budget), holderIn(budget)]
    large.uses(800)
    small.uses(200)
    expect(large.told).toEqual([])
    small.uses(250)
    expect(large.told).toEqual([
      [
        'scripts that run at the same time used 1050 MB of memory, and the limit is 1000 MB: this process used the most, 800 MB',
        false,
      ],
    ])
    small.uses(900)
    expect(small.told).toEqual([])
  })

  it('blames nobody when the others together used more', () => {
    const budget = new MemoryBudget(1000)
    const [one, other, third] = [holderIn(budget), holderIn(budget), holderIn(budget)]
    one.uses(300)
    other.uses(400)
    third.uses(350)
    expect(other.told).toEqual([[expect.stringMatching(/most, 400 MB; run fewer at once/), true]])
    expect([...one.told, ...third.told]).toEqual([])
  })

  it('has room again when a process has ended', () => {
    const budget = new MemoryBudget(1000)
    const [one, other] = [holderIn(budget), holderIn(budget)]
    one.uses(600)
    one.ends()
    other.uses(900)
    expect([...one.told, ...other.told]).toEqual([])
  })
})

describe('a script host', () => {
  const source = `
    const kept: Buffer[] = []
    const clock = new Int32Array(new SharedArrayBuffer(4))
    const fillTo = (mb: number) => {
      while (kept.length * 10 < mb) {
        kept.push(Buffer.alloc(10 * 1024 * 1024, 1))
        Atomics.wait(clock, 0, 0, 5)
      }
    }
    export const keep = (mb: number) => fillTo(mb)
    export const pid = () => process.pid
    export const fill = () => { fillTo(100_000) }`

  it('is ended by buffers beyond its limit, and reports how much it used', async () => {
    const { call } = await script(source, startHost({ maxMemoryMb: 300 }))
    const error = await failure(call('fill'))
    expect(error).toBeInstanceOf(ScriptCrash)
    expect(error).toMatchObject({
      message: expect.stringMatching(/^the script used \d{3,} MB of memory, and the limit is 300 MB$/),
      crowded: false,
    })
  })

  it('is ended when all hosts together exceed the shared budget', async () => {
    const memory = new MemoryBudget(600)
    const modest = await script(source, startHost({ memory }))
    await modest.call('keep', [100])
    const pid = await modest.call('pid')
    const greedy = await script(source, startHost({ memory, maxMemoryMb: 590 }))
    expect(await failure(greedy.call('fill'))).toMatchObject({
      ended: 'host',
      message: expect.stringMatching(
        /\d{3,} MB of memory, and the limit is 600 MB: this process used the most/,
      ),
    })
    expect(await modest.call('pid')).toBe(pid)
  })
})
