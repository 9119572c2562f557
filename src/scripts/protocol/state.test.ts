import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SharedState, StateView } from './state.ts'

/** Two sides that begin with the same state, as they do when a call starts. */
function ends(state: SharedState) {
  const runner = new StateView(state)
  const worker = new StateView(structuredClone(state))
  /** Sends changes as JSON. */
  const cross = (from: StateView, to: StateView) => {
    const changes = from.changes()
    to.apply(changes === undefined ? undefined : JSON.parse(JSON.stringify(changes)))
    return changes
  }
  return {
    runner,
    worker,
    toRunner: () => cross(worker, runner),
    toWorker: () => cross(runner, worker),
  }
}

function section(view: StateView, name = 'variables') {
  const values = view.data[name]
  if (values === undefined) throw new Error(`there is no ${name}`)
  return values
}

describe('two sides of a state', () => {
  it('have nothing to send at first', () => {
    const { toRunner, toWorker } = ends({ variables: { a: 1 }, user: {} })
    expect(toRunner()).toBeUndefined()
    expect(toWorker()).toBeUndefined()
  })

  it('send only what changed, once, and never back', () => {
    const { worker, runner, toRunner, toWorker } = ends({ variables: { a: 1, list: [1] }, user: { b: 2 } })
    section(worker).a = 5
    section(worker, 'user').c = { deep: ['x'] }
    expect(toRunner()).toEqual([
      ['variables', 'a', 5],
      ['user', 'c', { deep: ['x'] }],
    ])
    expect(runner.data).toEqual({ variables: { a: 5, list: [1] }, user: { b: 2, c: { deep: ['x'] } } })
    expect(toRunner()).toBeUndefined()
    expect(toWorker()).toBeUndefined()
  })

  it('notice changes inside a value, and ignore a value that was replaced', () => {
    const { worker, runner, toRunner } = ends({ variables: { room: { beds: 1 } } })
    const room = section(worker).room as { beds: number }
    room.beds = 2
    toRunner()
    expect(section(runner).room).toEqual({ beds: 2 })
    room.beds = 3
    section(worker).room = null
    toRunner()
    expect(section(runner).room).toBeNull()
  })

  it('do not share objects after a change was sent', () => {
    const { worker, runner, toRunner, toWorker } = ends({ variables: {} })
    section(worker).list = [1]
    toRunner()
    const list = section(runner).list as number[]
    list.push(2)
    expect(section(worker).list).toEqual([1])
    toWorker()
    expect(section(worker).list).toEqual([1, 2])
  })

  it('delete what the other side deleted or set to undefined', () => {
    const { worker, runner, toRunner } = ends({ variables: { a: 1, b: 2, c: 3 } })
    delete section(worker).a
    section(worker).b = undefined
    expect(toRunner()).toEqual([
      ['variables', 'a'],
      ['variables', 'b'],
    ])
    expect(section(runner)).toEqual({ c: 3 })
    expect(toRunner()).toBeUndefined()
  })

  it('treat null as a value, not as a deletion', () => {
    const { worker, runner, toRunner } = ends({ variables: { a: 1 } })
    section(worker).a = null
    toRunner()
    expect(section(runner)).toEqual({ a: null })
  })

  it('may both change: the last change sent wins, other keys stay', () => {
    const { worker, runner, toRunner, toWorker } = ends({ variables: { a: 0, b: 0 } })
    section(worker).a = 'worker'
    section(runner).a = 'runner'
    section(runner).b = 'runner'
    toRunner()
    toWorker()
    expect(section(runner)).toEqual({ a: 'worker', b: 'runner' })
    expect(section(worker)).toEqual(section(runner))
  })

  it('agree when one deletes what the other changes', () => {
    const { worker, runner, toRunner, toWorker } = ends({ variables: { a: 0 } })
    delete section(worker).a
    section(runner).a = 1
    toRunner()
    toWorker()
    expect(section(runner)).toEqual({})
    expect(section(worker)).toEqual({})
  })

  it('keep sections and keys apart whatever their names are', () => {
    const { worker, runner, toRunner } = ends({ 'a.b': {}, a: {} })
    section(worker, 'a.b').c = 1
    section(worker, 'a')['b.c'] = 2
    section(worker, 'a')['","'] = 3
    section(worker, 'a')[''] = 4
    toRunner()
    expect(runner.data).toEqual({ 'a.b': { c: 1 }, a: { 'b.c': 2, '","': 3, '': 4 } })
  })

  it('treat a key named __proto__ like any other', () => {
    const { worker, runner, toRunner } = ends({ variables: {} })
    Object.defineProperty(section(worker), '__proto__', {
      value: { admin: true },
      enumerable: true,
      configurable: true,
      writable: true,
    })
    toRunner()
    expect(Object.keys(section(runner))).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(section(runner))).toBe(Object.prototype)
    expect((section(runner) as { admin?: boolean }).admin).toBeUndefined()
    Reflect.deleteProperty(section(worker), '__proto__')
    expect(toRunner()).toEqual([['variables', '__proto__']])
    expect(Object.keys(section(runner))).toEqual([])
  })

  it('change nothing outside the existing sections', () => {
    const { runner } = ends({ variables: {} })
    runner.apply([
      ['__proto__', 'polluted', 1],
      ['constructor', 'polluted', 1],
      ['nowhere', 'a', 1],
    ])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect('polluted' in Object).toBe(false)
    expect(runner.data).toEqual({ variables: {} })
  })
})

describe('a value that is not JSON', () => {
  it.each<[string, unknown, string]>([
    ['a BigInt', { total: 1n }, 'total is a BigInt: scripts can share only JSON data'],
    ['a function', () => 1, 'variables.own is a function: scripts can share only JSON data'],
    ['a map', new Map(), 'variables.own is a Map: scripts can share only JSON data'],
    ['not a number', Number.NaN, 'variables.own is NaN: scripts can share only JSON data'],
  ])('such as %s is refused with its name', (_, value, message) => {
    const { worker } = ends({ variables: {} })
    section(worker).own = value
    expect(() => worker.changes()).toThrow(message)
  })

  it('is refused again as long as it is there', () => {
    const { worker } = ends({ variables: {} })
    section(worker).own = 1n
    expect(() => worker.changes()).toThrow('BigInt')
    expect(() => worker.changes()).toThrow('BigInt')
  })

  it('hides no other change', () => {
    const { worker, runner, toRunner } = ends({
      variables: { gone: 1, changed: 1, kept: 1 },
      user: { last: 1 },
    })
    delete section(worker).gone
    section(worker).changed = 2
    section(worker).own = 1n
    section(worker, 'user').last = 2
    expect(toRunner).toThrow('BigInt')
    delete section(worker).own
    expect(toRunner()).toEqual([
      ['variables', 'changed', 2],
      ['user', 'last', 2],
      ['variables', 'gone'],
    ])
    expect(runner.data).toEqual({ variables: { changed: 2, kept: 1 }, user: { last: 2 } })
  })

  it('is converted when it has a toJSON', () => {
    const { worker, runner, toRunner } = ends({ variables: {} })
    section(worker).when = new Date(0)
    toRunner()
    expect(section(runner)).toEqual({ when: '1970-01-01T00:00:00.000Z' })
    expect(toRunner()).toBeUndefined()
  })
})

it('two sides agree after every exchange, whatever was done', () => {
  const key = fc.constantFrom('a', 'b', '__proto__', 'toString')
  const step = fc.record({
    who: fc.constantFrom('runner' as const, 'worker' as const),
    key,
    value: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
    exchange: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const both = ends({ variables: {}, user: {} })
      const exchange = () => {
        both.toRunner()
        both.toWorker()
        expect(JSON.stringify(sorted(both.worker))).toBe(JSON.stringify(sorted(both.runner)))
      }
      for (const { who, key, value, exchange: now } of steps) {
        const values = section(both[who])
        if (value === undefined) Reflect.deleteProperty(values, key)
        else
          Object.defineProperty(values, key, { value, enumerable: true, configurable: true, writable: true })
        if (now) exchange()
      }
      exchange()
    }),
  )
})

function sorted({ data }: StateView) {
  // By the keys alone: a value may have its own `toString`.
  const byKey = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
  return Object.entries(data).map(([name, values]) => [name, Object.entries(values).sort(byKey)])
}
