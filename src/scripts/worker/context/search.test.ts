import { expect, it } from 'vitest'
import type { AnyScriptRequest } from '../../protocol/ask.ts'
import { createSearch } from './search.ts'

it('ctx.search calls a process of the same name', () => {
  const asked: AnyScriptRequest[] = []
  const search = createSearch({
    ask(ask) {
      asked.push(ask)
      return { items: [] }
    },
  })
  expect(search.Web('viva', { limit: 5 })).toEqual({ items: [] })
  for (const name of ['KB', 'DB', 'All', 'Any', 'Race'] as const) search[name](name)
  expect(asked).toEqual([
    { kind: 'process', name: 'ctx.search.Web', args: ['viva', { limit: 5 }] },
    ...['KB', 'DB', 'All', 'Any', 'Race'].map((name) => ({
      kind: 'process',
      name: `ctx.search.${name}`,
      args: [name],
    })),
  ])
})
