import { describe, expect, it } from 'vitest'
import { createSeal } from './seal.ts'

const own = createSeal('a long secret')
const message = { job: 'j1', results: [] }
const sealed = own.seal('report r1', message)
const notSigned = 'it is not signed with the VIVA_QUEUE_SECRET of this machine'

describe('a message with a signature', () => {
  it('is read where it was meant to be', () => {
    expect(own.open('report r1', sealed)).toEqual(message)
  })

  it.each([
    ['without a signature', 'report r1', JSON.stringify(message)],
    ['signed with another secret', 'report r1', createSeal('another').seal('report r1', message)],
    ['changed by a character', 'report r1', sealed.replace('j1', 'j2')],
    ['of another run', 'report r2', sealed],
    ['meant for something else', 'job r1', sealed],
    ['shorter than a signature', 'report r1', 'abc'],
    ['empty', 'report r1', ''],
  ])('is refused %s', (_, about, text) => {
    expect(() => own.open(about, text)).toThrow(notSigned)
  })

  it('is refused where no secret is set, and so is what is not JSON', () => {
    const open = createSeal(undefined)
    expect(() => open.open('report r1', sealed)).toThrow(
      'it is signed, and VIVA_QUEUE_SECRET is not set here',
    )
    expect(() => open.open('report r1', '{"job":')).toThrow('it is not JSON')
    expect(open.open('report r1', open.seal('report r1', message))).toEqual(message)
  })
})
