import { describe, expect, it } from 'vitest'
import { KnownValues } from './known-values.ts'

function knownValues(...values: string[]): KnownValues {
  const known = new KnownValues('[masked]')
  for (const value of values) known.add(value)
  return known
}

describe('KnownValues', () => {
  it.each([
    ['mail ada@example.com now', 'mail [masked] now'],
    ['mail ADA@Example.com now', 'mail [masked] now'],
    ['?to=ada%40example.com&x', '?to=[masked]&x'],
    [`key ${Buffer.from('ada@example.com').toString('base64')}`, 'key [masked]'],
    ['it is "ada@exam…', 'it is "[masked]…'],
    ['…xample.com, and ada@…', '…[masked], and [masked]…'],
    ['ada, example.com', 'ada, example.com'],
  ])('redacts a known value in %s', (text, redacted) => {
    expect(knownValues('ada@example.com').redact(text)).toBe(redacted)
  })

  it.each([
    'Zo\\u00eb \\"O\'Hara\\"',
    'Zoë &quot;O&#39;Hara&quot;',
    'Zo%C3%AB+%22O%27Hara%22',
    'Zoë \\\\\\"O\'Hara\\\\\\"',
  ])('redacts the encoded form %s', (written) => {
    expect(knownValues('Zoë "O\'Hara"').redact(`<${written}>`)).toBe('<[masked]>')
  })

  it('redacts overlapping values completely', () => {
    expect(knownValues('abcdef', 'defghi', 'abcd').redact('abcdefghi, abcd')).toBe('[masked], [masked]')
  })

  it('ignores values of fewer than four letters', () => {
    expect(knownValues('abc').redact('abc')).toBe('abc')
  })

  it('forgets the oldest values when there are too many', () => {
    const known = new KnownValues('[masked]', 10)
    for (const letter of 'abcdefghijak') known.add(`value ${letter}`)
    expect(known.redact('value a, value b, value k')).toBe('[masked], value b, [masked]')
  })

  it('takes the same time per value however many are known, also when they start and end the same way', () => {
    const measure = (count: number) => {
      const known = new KnownValues('[masked]')
      const started = process.cpuUsage()
      for (let index = 0; index < count; index++) {
        const mail = `user${String(index).padStart(6, '0')}@example.com`
        known.add(mail)
        expect(known.redact(`The user with ${mail} wrote: ${'and so on '.repeat(50)}`)).not.toContain(mail)
      }
      return process.cpuUsage(started).user / 1000 / count
    }
    measure(1000)
    // With ten times as many, each may take four times as long before this fails: timing varies between machines.
    expect(measure(20_000)).toBeLessThan(4 * measure(2000) + 0.05)
  })
})
