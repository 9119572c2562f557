import { expect, it } from 'vitest'
import type { AnyScriptRequest } from '../../protocol/ask.ts'
import { createHttp } from './http.ts'

it('http calls the process of the same name', () => {
  const asked: AnyScriptRequest[] = []
  const answer = { code: 200, status: 200, data: 1, headers: {}, message: '' }
  const http = createHttp({
    ask(ask) {
      asked.push(ask)
      return answer
    },
  })
  const url = 'http://a/'
  expect(http.Get(url, { q: 1 }, { x: 'y' })).toBe(answer)
  http.Post(url, { a: 1 }, null, 'q=1')
  for (const name of ['Put', 'Patch', 'Delete', 'Head'] as const) http[name](url, 'text')
  http.Send('OPTIONS', url)
  expect(asked).toEqual([
    { kind: 'process', name: 'http.Get', args: [url, { q: 1 }, { x: 'y' }] },
    { kind: 'process', name: 'http.Post', args: [url, { a: 1 }, null, 'q=1'] },
    { kind: 'process', name: 'http.Put', args: [url, 'text'] },
    { kind: 'process', name: 'http.Patch', args: [url, 'text'] },
    { kind: 'process', name: 'http.Delete', args: [url, 'text'] },
    { kind: 'process', name: 'http.Head', args: [url, 'text'] },
    { kind: 'process', name: 'http.Send', args: ['OPTIONS', url] },
  ])
  expect(() => http.Stream('GET', url, () => 1)).toThrow('http.Stream: viva does not have it')
})
