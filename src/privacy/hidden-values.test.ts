import { describe, expect, it } from 'vitest'
import { HiddenValues } from './hidden-values.ts'

function hiding(...values: string[]): HiddenValues {
  const hidden = new HiddenValues('[masked]')
  for (const value of values) hidden.add(value)
  return hidden
}

describe('hidden values', () => {
  it.each([
    ['mail ada@example.com now', 'mail [masked] now'],
    ['mail ADA@Example.com now', 'mail [masked] now'],
    ['?to=ada%40example.com&x', '?to=[masked]&x'],
    [`key ${Buffer.from('ada@example.com').toString('base64')}`, 'key [masked]'],
    ['it is "ada@exam…', 'it is "[masked]…'],
    ['…xample.com, and ada@…', '…[masked], and [masked]…'],
    ['ada, example.com', 'ada, example.com'],
  ])('are found in %s', (text, hidden) => {
    expect(hiding('ada@example.com').hide(text)).toBe(hidden)
  })

  it.each([
    'Zo\\u00eb \\"O\'Hara\\"',
    'Zoë &quot;O&#39;Hara&quot;',
    'Zo%C3%AB+%22O%27Hara%22',
    'Zoë \\\\\\"O\'Hara\\\\\\"',
  ])('are found as they are written elsewhere: %s', (written) => {
    expect(hiding('Zoë "O\'Hara"').hide(`<${written}>`)).toBe('<[masked]>')
  })

  it('leave nothing of one another where they overlap', () => {
    expect(hiding('abcdef', 'defghi', 'abcd').hide('abcdefghi, abcd')).toBe('[masked], [masked]')
  })

  it('are four letters at least', () => {
    expect(hiding('abc').hide('abc')).toBe('abc')
  })

  it('are forgotten, the oldest first, when there are too many', () => {
    const hidden = new HiddenValues('[masked]', 10)
    for (const letter of 'abcdefghijak') hidden.add(`value ${letter}`)
    expect(hidden.hide('value a, value b, value k')).toBe('[masked], value b, [masked]')
  })

  it('cost the same however many there are, also where they begin and end alike', () => {
    const timeOf = (count: number) => {
      const hidden = new HiddenValues('[masked]')
      const started = process.cpuUsage()
      for (let index = 0; index < count; index++) {
        const mail = `user${String(index).padStart(6, '0')}@example.com`
        hidden.add(mail)
        expect(hidden.hide(`The user with ${mail} wrote: ${'and so on '.repeat(50)}`)).not.toContain(mail)
      }
      return process.cpuUsage(started).user / 1000 / count
    }
    timeOf(1000)
    // Ten times as many, and each may cost four times as much before this fails: machines have their moods.
    expect(timeOf(20_000)).toBeLessThan(4 * timeOf(2000) + 0.05)
  })
})
