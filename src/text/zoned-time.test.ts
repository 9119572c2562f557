import { describe, expect, it } from 'vitest'
import { formatZonedTime, parseZonedTime, shownDate, zonedNow } from './zoned-time.ts'

describe('a time with its zone', () => {
  it.each([
    '2026-01-02T03:04:05.678+01:00[Europe/Berlin]',
    '2026-01-02T03:04:05.000-03:30[America/St_Johns]',
    '2026-01-02T03:04:05.000+00:00[UTC]',
  ])('is written as it is read: %s', (text) => {
    expect(formatZonedTime(parseZonedTime(text))).toBe(text)
  })

  it('shows the clocks of its zone, and is the instant that it was there', () => {
    const time = parseZonedTime('2026-01-02T03:04:05.000-03:30[America/St_Johns]')
    expect(time.instant.toISOString()).toBe('2026-01-02T06:34:05.000Z')
    expect(shownDate(time).toISOString()).toBe('2026-01-02T03:04:05.000Z')
  })

  it('without a zone is one of this process', () => {
    const { instant, offsetMinutes } = parseZonedTime('2026-01-02T03:04:05.000')
    expect(instant).toEqual(new Date('2026-01-02T03:04:05.000'))
    expect(offsetMinutes).toBe(-instant.getTimezoneOffset())
  })

  it('of now is this instant in the zone of this process', () => {
    const now = zonedNow()
    expect(parseZonedTime(formatZonedTime(now)).instant).toEqual(now.instant)
  })
})
