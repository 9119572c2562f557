import { describe, expect, it } from 'vitest'
import { type Activation, activate, chainOf, deepestCalls, type Mock, mockOf } from './activation.ts'

function chain(length: number): Activation {
  let last = activate('n1', undefined)
  for (let number = 2; number <= length; number += 1) last = activate(`n${number}`, last)
  return last
}

/** A mock at work, as it stands in the chain of those who call. */
function atWork(mock: Mock, caller: Activation): Activation {
  return { name: 'mock of db.find', caller, mocks: new Map(), mock }
}

const answer =
  (text: string): Mock =>
  async () =>
    text

describe('a chain of calls', () => {
  it('may be eight deep', () => {
    expect(chainOf(chain(deepestCalls))).toBe('n1 → n2 → n3 → n4 → n5 → n6 → n7 → n8')
  })

  it('is not nine deep, and says how it came to be', () => {
    const eighth = chain(8)
    expect(() => activate('ninth', eighth)).toThrow(
      expect.objectContaining({
        name: 'InfrastructureError',
        kind: 'too_deep',
        message: 'scripts call each other more than 8 deep: n1 → n2 → n3 → n4 → n5 → n6 → n7 → n8 → ninth',
      }),
    )
  })

  it('is not longer for one that was refused', () => {
    const eighth = chain(8)
    expect(() => activate('ninth', eighth)).toThrow()
    expect(chainOf(eighth)).not.toContain('ninth')
    expect(() => activate('eighth again', eighth.caller)).not.toThrow()
  })

  it('does not count mocks, but shows them', () => {
    const eighth = activate('n8', atWork(answer('a'), chain(7)))
    expect(chainOf(eighth)).toBe('n1 → n2 → n3 → n4 → n5 → n6 → n7 → mock of db.find → n8')
    expect(() => activate('n9', atWork(answer('b'), eighth))).toThrow(/mock of db\.find → n8 → mock/)
  })

  it('is a tree: what one calls is no business of the other', () => {
    const root = activate('root', undefined)
    const [left, right] = [activate('left', root), activate('right', root)]
    left.mocks.set('db.find', answer('left'))
    expect(mockOf('db.find', right)).toBeUndefined()
    expect(mockOf('db.find', root)).toBeUndefined()
    expect(chainOf(activate('leaf', right))).toBe('root → right → leaf')
  })
})

describe('a mock', () => {
  it('is for whoever left it and for all that it calls', () => {
    const mock = answer('root')
    const root = activate('root', undefined)
    root.mocks.set('db.find', mock)
    const leaf = activate('leaf', activate('middle', root))
    for (const each of [root, leaf]) expect(mockOf('db.find', each)).toBe(mock)
    expect(mockOf('db.save', leaf)).toBeUndefined()
    expect(mockOf('db.find', undefined)).toBeUndefined()
  })

  it('counts from when it is left, also for calls that are under way', () => {
    const root = activate('root', undefined)
    const leaf = activate('leaf', root)
    expect(mockOf('db.find', leaf)).toBeUndefined()
    root.mocks.set('db.find', answer('root'))
    expect(mockOf('db.find', leaf)).toBeDefined()
  })

  it('stands before those further away', () => {
    const [far, near] = [answer('far'), answer('near')]
    const root = activate('root', undefined)
    const leaf = activate('leaf', root)
    root.mocks.set('db.find', far)
    leaf.mocks.set('db.find', near)
    expect(mockOf('db.find', leaf)).toBe(near)
    expect(mockOf('db.find', root)).toBe(far)
  })

  it('does not answer itself: while it works, the next one does, or none', () => {
    const [far, near] = [answer('far'), answer('near')]
    const root = activate('root', undefined)
    const leaf = activate('leaf', root)
    leaf.mocks.set('db.find', near)
    expect(mockOf('db.find', atWork(near, leaf))).toBeUndefined()
    root.mocks.set('db.find', far)
    expect(mockOf('db.find', atWork(near, leaf))).toBe(far)
    expect(mockOf('db.find', atWork(far, atWork(near, leaf)))).toBeUndefined()
  })

  it('does not answer what it calls either, however deep that asks', () => {
    const mock = answer('root')
    const root = activate('root', undefined)
    root.mocks.set('db.find', mock)
    const called = activate('scripts.real', atWork(mock, root))
    expect(mockOf('db.find', called)).toBeUndefined()
    expect(mockOf('db.find', root)).toBe(mock)
  })

  it('that works does not keep others from answering', () => {
    const [find, save] = [answer('find'), answer('save')]
    const root = activate('root', undefined)
    root.mocks.set('db.find', find).set('db.save', save)
    expect(mockOf('db.save', atWork(find, root))).toBe(save)
  })

  it('may be named like anything', () => {
    const root = activate('root', undefined)
    for (const name of ['__proto__', 'constructor', '']) expect(mockOf(name, root)).toBeUndefined()
    const mock = answer('odd')
    root.mocks.set('__proto__', mock)
    expect(mockOf('__proto__', root)).toBe(mock)
  })
})
