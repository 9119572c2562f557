import { describe, expect, it, vi } from 'vitest'
import { AgentError, InfrastructureError } from '../errors.ts'
import { EndpointGivenUpError, Targets } from './targets.ts'

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
  it('is given up after five tests without a success, and reported once', () => {
    const onGivenUp = vi.fn()
    const targets = new Targets(onGivenUp)
    failIn(targets, five.slice(0, 4))
    expect(targets.whyNotAsked('target')).toBeUndefined()
    failIn(targets, ['e', 'f', 'g'])
    expect(onGivenUp.mock.calls).toEqual([[{ target: 'target', tests: 5, message: 'no answer from host:1' }]])
    expect(targets.whyNotAsked('target')).toEqual(
      new EndpointGivenUpError({ target: 'target', tests: 5, message: 'no answer from host:1' }),
    )
    expect(targets.whyNotAsked('another')).toBeUndefined()
    expect(targets.whyNotAsked(undefined)).toBeUndefined()
  })

  it.each([401, 403, 404])('is given up for the status %i', (code) => {
    const targets = new Targets()
    failIn(targets, five, () => status(code))
    expect(targets.whyNotAsked('target')).toBeDefined()
  })

  it.each([
    ['answers with a status that may be temporary', () => status(503)],
    ['asks to wait', () => new InfrastructureError('rate_limit', 'wait', { status: 429 })],
    ['was not called', () => new EndpointGivenUpError({ target: 't', tests: 5, message: '' })],
    ['throws an error of its own', () => new Error('agent')],
  ])('is called again when it %s', (_, error) => {
    const targets = new Targets()
    failIn(targets, five, error)
    expect(targets.whyNotAsked('target')).toBeUndefined()
  })

  it('is never given up once it has answered', () => {
    const targets = new Targets()
    failIn(targets, five.slice(0, 4))
    targets.answered('target', asker('e'))
    failIn(targets, ['f', 'g', 'h', 'i', 'j'])
    expect(targets.whyNotAsked('target')).toBeUndefined()
  })

  it('is not given up for one case that calls it five times', () => {
    const targets = new Targets()
    failIn(targets, ['a', 'a', 'a', 'a', 'a', 'a'])
    expect(targets.whyNotAsked('target')).toBeUndefined()
  })

  it.each([
    ['a status that may be temporary', () => status(500)],
    ['less than it promised', () => new InfrastructureError('truncated', 'cut')],
    ['an error of its own', () => new AgentError('no')],
  ])('counts as reachable after answering with %s, and is never given up', (_, error) => {
    const targets = new Targets()
    targets.failed('target', error(), asker('z'))
    failIn(targets, five)
    expect(targets.whyNotAsked('target')).toBeUndefined()
  })
})

describe('a variant', () => {
  it('is not played any more when its agent needs a target that was given up and never had an answer', () => {
    const targets = new Targets()
    failIn(targets, five)
    expect(targets.whyNotPlayed('agent')?.message).toContain('not called: target never succeeded in 5 tests')
    expect(targets.whyNotPlayed('another')).toBeUndefined()
  })

  it('is still played when only its judge is given up', () => {
    const targets = new Targets()
    for (const id of five) targets.failed('target', refused(), { ...asker(id), role: 'judge' as const })
    expect(targets.whyNotAsked('target')).toBeDefined()
    expect(targets.whyNotPlayed('agent')).toBeUndefined()
  })

  it('is still played when its agent has had answers from others', () => {
    const targets = new Targets()
    targets.answered('main', asker('a'))
    failIn(targets, five)
    expect(targets.whyNotPlayed('agent')).toBeUndefined()
  })
})
