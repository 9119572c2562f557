import { describe, expect, it } from 'vitest'
import { describeThrown } from '../../protocol/thrown.ts'
import { Exception, restoreException } from './exception.ts'

describe('an Exception', () => {
  it('is an error with a code', () => {
    const error = new Exception('not found', 404)
    expect(error).toBeInstanceOf(Error)
    expect([error.message, error.code, error.name]).toEqual(['not found', 404, 'Exception|404'])
    expect(String(error)).toBe('Exception|404: not found')
    expect(error.stack).toMatch(/^Exception\|404: not found\n\s+at .*exception\.test\.ts/)
    expect(Object.keys(error)).toEqual(['code'])
  })

  it('has the code 500 by default', () => {
    expect(new Exception('broken').code).toBe(500)
  })

  it('has a plain message when it is sent, and becomes an Exception again on the other side', () => {
    const { name, message } = describeThrown(new Exception('not found', 404))
    expect(message).toBe('not found')
    expect(restoreException(name, message)).toMatchObject({ code: 404, message: 'not found' })
    expect(restoreException(name, message)).toBeInstanceOf(Exception)
    expect(restoreException('TypeError', message)).toBeUndefined()
  })
})
