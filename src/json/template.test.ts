import { describe, expect, it } from 'vitest'
import { fillTemplate, fillText, placeholdersIn } from './template.ts'

const values: Record<string, unknown> = { input: 'hi', turn: 2, history: [{ role: 'user' }], empty: null }
const fill = (template: unknown) => fillTemplate(template, (name) => values[name])

describe('a template', () => {
  it('keeps the type of a value that is the whole text', () => {
    expect(fill({ a: '{{input}}', b: '{{turn}}', c: ['{{ history }}'], d: 5, e: null })).toEqual({
      a: 'hi',
      b: 2,
      c: [[{ role: 'user' }]],
      d: 5,
      e: null,
    })
  })

  it('inserts values into text, other types as JSON', () => {
    expect(fill('{{input}}, turn {{turn}}: {{history}}{{session}}')).toBe('hi, turn 2: [{"role":"user"}]')
  })

  it('omits keys without a value, and keeps positions in lists', () => {
    expect(fill({ session: '{{session}}', empty: '{{empty}}' })).toEqual({ empty: null })
    expect(fill(['{{session}}', 1])).toEqual([null, 1])
  })

  it('does not fill in placeholders inside values', () => {
    expect(fillText('{{input}}', () => '{{turn}}')).toBe('{{turn}}')
  })

  it('lists its placeholders', () => {
    expect(placeholdersIn({ a: ['{{input}} {{env.KEY}}'], b: { c: '{{metadata.order.id}}' } })).toEqual([
      'input',
      'env.KEY',
      'metadata.order.id',
    ])
  })
})
