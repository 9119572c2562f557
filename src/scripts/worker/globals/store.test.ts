import { afterEach, describe, expect, it, vi } from 'vitest'
import { emptyMemory } from '../../../scope/context.ts'
import { type SharedState, StateView } from '../../protocol/state.ts'
import { callsInFlight, enterCall, leaveCall, owner, type RunningCall } from '../running-call.ts'
import { Store, storeMethods } from './store.ts'

afterEach(() => {
  for (const call of callsInFlight().values()) leaveCall(call)
  vi.useRealTimers()
})

/** Begins a call of a case whose scripts share this state. */
function begin(state: SharedState | undefined = emptyMemory()): RunningCall {
  const call: RunningCall = {
    id: 1,
    file: '/app/scripts/a.ts',
    controller: new AbortController(),
    state: state && new StateView(state),
    tellLoading() {},
    print() {},
    renewAllowance() {},
    report() {},
    fail() {},
  }
  enterCall(call)
  return call
}

describe('a Store', () => {
  it('holds values by key', () => {
    begin()
    const store = storeMethods('cache')
    expect(store.Set('a', { b: [1] })).toBeUndefined()
    store.Set('n', null)
    expect([store.Get('a'), store.Get('n'), store.Get('z')]).toEqual([{ b: [1] }, null, undefined])
    expect([store.Has('a'), store.Has('z'), store.Len(), store.Keys()]).toEqual([true, false, 2, ['a', 'n']])
    expect([store.GetDel('a'), store.GetDel('a'), store.Has('a')]).toEqual([{ b: [1] }, undefined, false])
    store.Del('n')
    expect(store.Keys()).toEqual([])
  })

  it('creates missing values with GetSet', () => {
    begin()
    const store = storeMethods('cache')
    const make = vi.fn((key: string) => ({ key }))
    expect([store.GetSet('a', make), store.GetSet('a', make)]).toEqual([{ key: 'a' }, { key: 'a' }])
    expect(make).toHaveBeenCalledTimes(1)
    expect(() => store.GetSet('b', 'x' as never)).toThrow('Store cache: GetSet needs a function')
  })

  it('has counters and lists', () => {
    begin()
    const store = storeMethods('cache')
    expect([store.Incr('n'), store.Incr('n', 4), store.Decr('n')]).toEqual([1, 5, 4])
    expect([store.Push('l', [1, 2]), store.Push('l', 3), store.ArrayLen('l')]).toEqual([2, 3, 3])
    expect([store.Pop('l'), store.Pull('l', 1), store.PullAll('l')]).toEqual([3, [1], [2]])
    store.Set('text', 'x')
    expect(() => store.Push('text', 1)).toThrow('Store cache: text is not a list')
    expect(() => store.Incr('text')).toThrow('Store cache: text is not a number')
  })

  it('is separate from other stores, and identified by its name', () => {
    begin()
    const [one, other] = [storeMethods('one'), storeMethods('other')]
    one.Set('a', 1)
    other.Set('a', 2)
    other.Set('__proto__', 3)
    expect([one.Get('a'), other.Get('a'), storeMethods('one').Get('a')]).toEqual([1, 2, 1])
    expect(other.Keys()).toEqual(['a', '__proto__'])
    other.Clear()
    expect([one.Keys(), other.Len()]).toEqual([['a'], 0])
  })

  it('returns copies', () => {
    begin()
    const store = storeMethods('cache')
    const value = { list: [1] }
    store.Set('a', value)
    value.list.push(2)
    ;(store.Get('a') as typeof value).list.push(3)
    expect(store.Get('a')).toEqual({ list: [1] })
  })

  it('forgets expired values', () => {
    vi.useFakeTimers({ now: 1_000 })
    begin()
    storeMethods('cache').Set('a', 1, 2)
    vi.setSystemTime(2_999)
    expect(storeMethods('cache').Get('a')).toBe(1)
    vi.setSystemTime(3_000)
    expect([storeMethods('cache').Has('a'), storeMethods('cache').Keys()]).toEqual([false, []])
  })

  it('is shared by the scripts of a case, and empty for the next case', () => {
    const state = emptyMemory()
    const first = begin(state)
    // Like a store in a module that is loaded once.
    const store = storeMethods('cache')
    store.Set('a', 1)
    const changes = first.state?.changes()
    expect(changes).toEqual([['stores', '["cache","a"]', { value: 1 }]])
    const elsewhere = new StateView(emptyMemory())
    elsewhere.apply(changes)
    begin(elsewhere.data)
    expect(store.Get('a')).toBe(1)
    begin()
    expect(store.Get('a')).toBeUndefined()
  })

  it('accepts only JSON, and refuses other values at once', () => {
    begin()
    const store = storeMethods('cache')
    expect(() => store.Set('f', () => 1)).toThrow('Store cache: f is a function: a store holds JSON data')
    expect(store.Has('f')).toBe(false)
    store.Set('u', undefined)
    expect(store.Get('u')).toBeNull()
  })

  it('needs a name and a case', () => {
    for (const name of ['', undefined, 7]) expect(() => new Store(name)).toThrow('needs the name of a store')
    const store = storeMethods('cache')
    expect(() => store.Get('a')).toThrow('there is no running test or script')
    const call = begin()
    call.state = undefined
    expect(() => store.Set('a', 1)).toThrow('Store cache: no case is running')
  })

  it('cannot be used by leftovers of an ended script', () => {
    const ended = begin()
    leaveCall(ended)
    begin()
    expect(() => owner.run(ended, () => storeMethods('cache').Set('a', 1))).toThrow('has ended')
  })

  it('shows its name, but not its methods', () => {
    begin()
    const store = new Store('cache') as Store & ReturnType<typeof storeMethods>
    store.Set('a', 1)
    expect(Object.entries(store)).toEqual([['name', 'cache']])
    expect(store.Get('a')).toBe(1)
  })
})
