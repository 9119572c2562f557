import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf, runTest } from '../testing.fixture.ts'

const order = {
  id: 7,
  items: [
    { sku: 'a', total: 5 },
    { sku: 'b', total: 6 },
  ],
  note: null,
}

describe('JSONPath', () => {
  it.each([
    ['id', 7],
    ['$.items[1].sku', 'b'],
    ['items.0', { total: 5, sku: 'a' }],
    ['$..total', [5, 6]],
    ['note', null],
    ['$', order],
  ])('finds %s', async (path, expected) => {
    expect(await reasonOf(({ JSONPath }) => JSONPath(order, path, expected))).toBeUndefined()
    expect(await reasonOf(({ JSONPath }) => JSONPath(JSON.stringify(order), path, expected))).toBeUndefined()
    expect(await reasonOf(({ JSONPath }) => JSONPath(order, path, 'else'))).toContain(
      `${path}: expected "else", got `,
    )
  })

  it('names the place of a difference', async () => {
    expect(
      await failureOf(({ JSONPath }) => JSONPath(order, 'items', [order.items[0], { sku: 'b', total: 1 }])),
    ).toMatchObject({
      reason: 'items[1].total: expected 1, got 6',
      actual: order.items,
    })
  })

  it('compares with the whole array, not with one of its items', async () => {
    expect(await reasonOf(({ JSONPath }) => JSONPath(order, 'id', [6, 7]))).toBe('id: expected [6,7], got 7')
  })

  it('fails when there is nothing', async () => {
    expect(await reasonOf(({ JSONPath }) => JSONPath(order, '$.totl', 5))).toBe(
      '$.totl is missing, expected 5',
    )
    expect(await reasonOf(({ JSONPath }) => JSONPath(order, 'totl', undefined))).toContain('totl is missing')
    expect(await reasonOf(({ JSONPath }) => JSONPath(undefined, 'id', undefined))).toContain('id is missing')
    expect(await reasonOf(({ JSONPath }) => JSONPath('no data', 'id', 5))).toBe(
      'the text holds no JSON: "no data"',
    )
  })

  it('finds JSON in the text of an agent', async () => {
    const text = 'Here you are:\n```json\n{"id": 7}\n```'
    expect(await reasonOf(({ JSONPath }) => JSONPath(text, 'id', 7))).toBeUndefined()
  })

  it('repairs text that is almost JSON, and reports it', async () => {
    const printed: string[] = []
    const report = await runTest(({ assert }) => void assert.JSONPath("{'id': 7,}", 'id', 7), {
      bridge: { print: (line) => printed.push(line) },
    })
    const note = '(the JSON was repaired: single quotes, trailing comma)'
    expect(report.status).toBe('passed')
    expect(printed).toEqual([`t.assert.JSONPath id ${note}`])
    expect(await reasonOf(({ JSONPath }) => JSONPath("{'id': 7,}", 'id', 8))).toBe(
      `id: expected 8, got 7 ${note}`,
    )
    expect(await reasonOf(({ JSONPath }) => JSONPath("{'id': 7,}", 'no', 8))).toBe(
      `no is missing, expected 8 ${note}`,
    )
  })

  it('reports what is wrong with a path', async () => {
    expect(await reasonOf(({ JSONPath }) => JSONPath(order, '$[?', 1))).toContain('not a valid JSONPath')
    expect(await reasonOf(({ JSONPath }) => JSONPath('id', order as never, 7))).toContain(
      'JSONPath needs a path that is a string, got ',
    )
  })
})
