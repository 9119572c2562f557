import { expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const icontains = (value: unknown, more = {}) => ({ type: 'icontains', value, ...more })

it('finds text in upper or lower case', async () => {
  expect(await verdict(icontains('THANK you'), 'Well, Thank You.')).toBe(
    'passed: output contains "THANK you" in any case',
  )
  expect(await verdict(icontains('thanks'), 'Thank you')).toBe(
    'failed: output does not contain "thanks" in any case',
  )
  expect(await verdict(icontains('ÉTÉ'), "l'été")).toMatch(/^passed/)
})

it('searches every text in data, and its compact JSON', async () => {
  expect(await verdict(icontains('red'), ['RED', 'Blue'])).toMatch(/^passed/)
  expect(await verdict(icontains('re'), ['RED'])).toMatch(/^passed/)
  expect(await verdict(icontains('green'), ['RED'])).toMatch(/^failed/)
  expect(await verdict(icontains('"STATUS":"draft"'), { status: 'DRAFT' })).toMatch(/^passed/)
  expect(await verdict(icontains('say "HI"'), { text: 'Say "hi"' })).toMatch(/^passed/)
})

it('supports negate and path', async () => {
  expect(await verdict(icontains('a', { negate: true }), 'A')).toMatch(/^failed/)
  expect(await verdict(icontains('ada', { path: 'name' }), '{"name": "ADA"}')).toMatch(/^passed: name/)
})

it('requires a non-empty text', () => {
  expect(validationProblems({ type: 'icontains' })).toEqual(['value: icontains needs a "value" that is text'])
  expect(validationProblems(icontains(5))).toEqual(['value: icontains needs a "value" that is text'])
  expect(validationProblems(icontains(''))).toEqual(['value: icontains needs a "value" that is not empty'])
})
