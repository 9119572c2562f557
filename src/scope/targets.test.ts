import { describe, expect, it, vi } from 'vitest'
import { InfrastructureError } from '../errors.ts'
import { NotAskedError, Targets } from './targets.ts'

const refused = () => new InfrastructureError('connection', 'no answer from host:1')
const status = (code: number) => new InfrastructureError('http', `answered ${code}`, { status: code })

function asker(id: string, { variant = 'agent', role = 'agent' as const, run = 1 } = {}) {
  return { key: { file: 'x', id, variant, run, attempt: 1 }, role }
}

function failIn(targets: Targets, ids: readonly string[], error: () => unknown = refused) {
  for (const id of ids) targets.failed('target', error(), asker(id))
}

const five = ['a', 'b', 'c', 'd', 'e']

describe('a target', () => {
  it('is given up after five cases without one success, which is said once', () => {
    const onGivenUp = vi.fn()
    const targets = new Targets(onGivenUp)
    failIn(targets, five.slice(0, 4))
    targets.throwIfGivenUp('target')
    failIn(targets, ['e', 'f', 'g'])
    expect(onGivenUp.mock.calls).toEqual([[{ target: 'target', cases: 5, message: 'no answer from host:1' }]])
    expect(() => targets.throwIfGivenUp('target')).toThrow(
      new NotAskedError({ target: 'target', cases: 5, message: 'no answer from host:1' }),
    )
    expect(targets.isGivenUp('another')).toBe(false)
  })

  it.each([401, 403, 404])('is given up for the status %i', (code) => {
    const targets = new Targets()
    failIn(targets, five, () => status(code))
    expect(targets.isGivenUp('target')).toBe(true)
  })

  it.each([
    ['answers with a status that may pass', () => status(503)],
    ['asks to wait', () => new InfrastructureError('rate_limit', 'wait', { status: 429 })],
    ['was not asked', () => new NotAskedError({ target: 't', cases: 5, message: '' })],
    ['fails by itself', () => new Error('agent')],
  ])('that %s is asked again', (_, error) => {
    const targets = new Targets()
    failIn(targets, five, error)
    expect(targets.isGivenUp('target')).toBe(false)
  })

  it('that has answered once is never given up', () => {
    const targets = new Targets()
    failIn(targets, five.slice(0, 4))
    targets.answered('target', asker('e'))
    failIn(targets, ['f', 'g', 'h', 'i', 'j'])
    expect(targets.isGivenUp('target')).toBe(false)
  })

  it('is not given up for one case that asks it five times', () => {
    const targets = new Targets()
    failIn(targets, ['a', 'a', 'a', 'a', 'a', 'a'])
    expect(targets.isGivenUp('target')).toBe(false)
  })

  it('is not blamed for a call that failed within it', () => {
    const targets = new Targets()
    for (const id of five) {
      const inner = refused()
      targets.failed('target', inner, asker(id))
      targets.failed('outer', new InfrastructureError('connection', 'again', { cause: inner }), asker(id))
    }
    expect([targets.isGivenUp('target'), targets.isGivenUp('outer')]).toEqual([true, false])
  })
})

describe('a variant', () => {
  it('is not played any more when its agent has had no answer from a target that is given up', () => {
    const targets = new Targets()
    failIn(targets, five)
    expect(targets.whyNotPlayed('agent')?.message).toContain('not asked: target had no success in 5 cases')
    expect(targets.whyNotPlayed('another')).toBeUndefined()
  })

  it('is played on when only its judge is given up', () => {
    const targets = new Targets()
    for (const id of five) targets.failed('target', refused(), { ...asker(id), role: 'judge' as const })
    expect(targets.isGivenUp('target')).toBe(true)
    expect(targets.whyNotPlayed('agent')).toBeUndefined()
  })

  it('is played on when its agent has had answers from others', () => {
    const targets = new Targets()
    targets.answered('main', asker('a'))
    failIn(targets, five)
    expect(targets.whyNotPlayed('agent')).toBeUndefined()
  })
})
