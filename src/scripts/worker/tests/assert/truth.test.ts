import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf } from '../testing.fixture.ts'

describe('True and False', () => {
  it('pass for exactly that value', async () => {
    expect(await reasonOf(({ True }) => True(true))).toBeUndefined()
    expect(await reasonOf(({ False }) => False(false))).toBeUndefined()
  })

  it('fail for the other value', async () => {
    expect(await reasonOf(({ True }) => True(false))).toBe('expected true, got false')
    expect(await reasonOf(({ False }) => False(true))).toBe('expected false, got true')
  })

  it('show a value that is not a boolean', async () => {
    expect(await reasonOf(({ True }) => True(1))).toBe('expected true, got 1 (a number)')
    expect(await reasonOf(({ True }) => True('true'))).toBe('expected true, got "true" (a string)')
    expect(await reasonOf(({ True }) => True({ ok: true }))).toBe(
      'expected true, got {"ok":true} (an object)',
    )
    expect(await reasonOf(({ False }) => False(undefined))).toBe('expected false, got undefined')
    expect(await reasonOf(({ False }) => False(0))).toBe('expected false, got 0 (a number)')
    expect(await reasonOf(({ False }) => False(''))).toBe('expected false, got "" (a string)')
    expect(await reasonOf(({ False }) => False(null))).toBe('expected false, got null')
  })

  it('record both values', async () => {
    expect(await failureOf(({ True }) => True(1, 'ready'))).toMatchObject({
      type: 'True',
      message: 'ready',
      expected: true,
      actual: 1,
    })
  })
})

describe('Nil and NotNil', () => {
  it.each([null, undefined])('treat %s as nil', async (nothing) => {
    expect(await reasonOf(({ Nil }) => Nil(nothing))).toBeUndefined()
    expect(await reasonOf(({ NotNil }) => NotNil(nothing))).toBe(`expected a value, got ${nothing}`)
  })

  it.each([0, '', false, Number.NaN, [], {}])('treat %j as a value', async (value) => {
    expect(await reasonOf(({ NotNil }) => NotNil(value))).toBeUndefined()
    expect(await reasonOf(({ Nil }) => Nil(value))).toContain('expected null or undefined, got ')
  })
})
