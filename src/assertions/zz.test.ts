import { it } from 'vitest'
import { z } from 'zod'
import { renderDiff } from './diff.ts'
import { assertionReference, assertionSchema, type Assertion } from './list.ts'
it('x', () => {
  const a: Assertion = { type: 'json_path', path: 'a', value: 2, scope: 'any' }
  // @ts-expect-error wrong
  const b: Assertion = { type: 'json_path', value: 2, scope: 'any' }
  // @ts-expect-error wrong
  const c: Assertion = { type: 'contains', vlue: 2 }
  void [a, b, c]
  console.log(assertionReference())
  console.log(JSON.stringify(z.toJSONSchema(z.object({ a: z.array(assertionSchema) }), { io: 'input' })).slice(0, 3000))
  for (const [l, r] of [[{ a: 1, b: [1, 2, { c: 3 }] }, { b: [1, 2, { c: 4 }], a: 1, z: 'new' }],
    ['What type of expense would you like to submit today? Please tell me the amount and the currency.', 'What kind of expense would you like to submit today? Please tell me the amount and the date.'],
    ['x'.repeat(300), 'hello '.repeat(70)],
    [Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n'), Array.from({ length: 100 }, (_, i) => i === 50 ? 'other' : `line ${i}`).join('\n')],
    [{ a: 1 }, 'text'], ['a\nb', 'a\nc'],
    [Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n'), Array.from({ length: 100 }, (_, i) => `mine ${i}`).join('\n')]]) console.log(renderDiff(l, r)?.join('\n'))
  const t = performance.now()
  for (let i = 0; i < 100_000; i++) assertionSchema.safeParse({ type: 'contains', value: 'x' + i })
  console.log('100k contains', performance.now() - t)
  const t2 = performance.now()
  for (let i = 0; i < 10_000; i++) assertionSchema.safeParse({ type: 'regex', pattern: 'order-\\d+' + i })
  console.log('10k regex', performance.now() - t2)
})
