import { describe, expect, it } from 'vitest'
import {
  type Activation,
  activate,
  describeCallChain,
  findMock,
  type Mock,
  maxCallDepth,
} from './activation.ts'

function chain(length: number): Activation {
  let last = activate('n1', undefined)
  for (let number = 2; number <= length; number += 1) last = activate(`n${number}`, last)
  return last
}

/** A running mock as a member of the call chain. */
function atWork(mock: Mock, caller: Activation): Activation {
  return { name: 'mock of db.find', caller, mocks: new Map(), mock }
}

const answer =
  (text: string): Mock =>
  async () =>
    text

describe('a chain of calls', () => {
  it('may be eight calls deep', () => {
    expect(describeCallChain(chain(maxCallDepth))).toBe('n1 → n2 → n3 → n4 → n5 → n6 → n7 → n8')
  })

  it('refuses a ninth call, and the error shows the chain', () => {
    const eighth = chain(8)
    expect(() => activate('ninth', eighth)).toThrow(
      expect.objectContaining({
        name: 'InfrastructureError',
        kind: 'too_deep',
        message:
          'scripts call each other more than 8 levels deep: n1 → n2 → n3 → n4 → n5 → n6 → n7 → n8 → ninth',
      }),
    )
  })

  it('does not include a call that was refused', () => {
    const eighth = chain(8)
    expect(() => activate('ninth', eighth)).toThrow()
    expect(describeCallChain(eighth)).not.toContain('ninth')
    expect(() => activate('eighth again', eighth.caller)).not.toThrow()
  })

  it('shows mocks, but does not count them', () => {
    const eighth = activate('n8', atWork(answer('a'), chain(7)))
    expect(describeCallChain(eighth)).toBe('n1 → n2 → n3 → n4 → n5 → n6 → n7 → mock of db.find → n8')
    expect(() => activate('n9', atWork(answer('b'), eighth))).toThrow(/mock of db\.find → n8 → mock/)
  })

  it('is a tree: a mock in one branch is not seen in another', () => {
    const root = activate('root', undefined)
    const [left, right] = [activate('left', root), activate('right', root)]
    left.mocks.set('db.find', answer('left'))
    expect(findMock('db.find', right)).toBeUndefined()
    expect(findMock('db.find', root)).toBeUndefined()
    expect(describeCallChain(activate('leaf', right))).toBe('root → right → leaf')
  })
})

describe('a mock', () => {
  it('applies to the script that set it and to everything that script calls', () => {
    const mock = answer('root')
    const root = activate('root', undefined)
    root.mocks.set('db.find', mock)
    const leaf = activate('leaf', activate('middle', root))
    for (const each of [root, leaf]) expect(findMock('db.find', each)).toBe(mock)
    expect(findMock('db.save', leaf)).toBeUndefined()
    expect(findMock('db.find', undefined)).toBeUndefined()
  })

  it('applies as soon as it is set, even to calls already under way', () => {
    const root = activate('root', undefined)
    const leaf = activate('leaf', root)
    expect(findMock('db.find', leaf)).toBeUndefined()
    root.mocks.set('db.find', answer('root'))
    expect(findMock('db.find', leaf)).toBeDefined()
  })

  it('takes precedence over mocks further out', () => {
    const [far, near] = [answer('far'), answer('near')]
    const root = activate('root', undefined)
    const leaf = activate('leaf', root)
    root.mocks.set('db.find', far)
    leaf.mocks.set('db.find', near)
    expect(findMock('db.find', leaf)).toBe(near)
    expect(findMock('db.find', root)).toBe(far)
  })

  it('does not answer its own calls: the next mock out does, or none', () => {
    const [far, near] = [answer('far'), answer('near')]
    const root = activate('root', undefined)
    const leaf = activate('leaf', root)
    leaf.mocks.set('db.find', near)
    expect(findMock('db.find', atWork(near, leaf))).toBeUndefined()
    root.mocks.set('db.find', far)
    expect(findMock('db.find', atWork(near, leaf))).toBe(far)
    expect(findMock('db.find', atWork(far, atWork(near, leaf)))).toBeUndefined()
  })

  it('does not answer calls from scripts that it calls, however deep', () => {
    const mock = answer('root')
    const root = activate('root', undefined)
    root.mocks.set('db.find', mock)
    const called = activate('scripts.real', atWork(mock, root))
    expect(findMock('db.find', called)).toBeUndefined()
    expect(findMock('db.find', root)).toBe(mock)
  })

  it('does not keep other mocks from answering while it runs', () => {
    const [find, save] = [answer('find'), answer('save')]
    const root = activate('root', undefined)
    root.mocks.set('db.find', find).set('db.save', save)
    expect(findMock('db.save', atWork(find, root))).toBe(save)
  })

  it('may have any name', () => {
    const root = activate('root', undefined)
    for (const name of ['__proto__', 'constructor', '']) expect(findMock(name, root)).toBeUndefined()
    const mock = answer('odd')
    root.mocks.set('__proto__', mock)
    expect(findMock('__proto__', root)).toBe(mock)
  })
})
