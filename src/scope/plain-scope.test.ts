import { expect, test } from 'vitest'
import { createPlainScope } from './plain-scope.ts'
import type { Stop } from './stop.ts'

test('a plain scope makes one attempt and passes its signal on', async () => {
  const scope = createPlainScope()
  const seen: AbortSignal[] = []
  const perform = ({ signal }: Stop) => {
    seen.push(signal)
    return Promise.reject(new Error('once'))
  }
  await expect(scope.exchange({ target: 'target', request: {}, perform })).rejects.toThrow('once')
  expect(seen).toEqual([scope.signal])
})

test('a child of a plain scope has another role, the same signal and no more time', () => {
  const scope = createPlainScope({ deadline: 1000, key: { id: 'T001' } })
  const child = scope.child('judge', 3_600_000)
  expect(child).toMatchObject({ role: 'judge', deadline: 1000, key: { id: 'T001' } })
  expect(child.signal).toBe(scope.signal)
  expect(createPlainScope().child('judge').deadline).toBe(Number.POSITIVE_INFINITY)
  expect(createPlainScope().child('judge', 1000).deadline).toBeLessThanOrEqual(Date.now() + 1000)
})

test('a plain scope passes its log lines on', () => {
  const lines: string[] = []
  createPlainScope({ log: (line) => lines.push(line) }).log('hello')
  expect(lines).toEqual(['hello'])
})
