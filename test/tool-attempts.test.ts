import { describe, expect, it } from 'vitest'
import { play, project } from './support/viva.ts'

/** Says what its tool has answered, and how many tools it has called. Each input fails its first attempt differently. */
const agent = `
const failed = new Set<string>()
const isFirst = (input: string) => !failed.has(input) && failed.add(input)

const lookUp = async () => 'real'

export default async (input: string, ctx: any) => {
  const tools = ctx.tools({ lookUp })
  ctx.usage({ model: 'gpt-5', inputTokens: 10, outputTokens: 1 })
  const heard = await tools.lookUp({ input })
  if (input === 'is displaced') try { Process('nothing') } catch {}
  if (input === 'is retried' && isFirst(input))
    throw Object.assign(new Error('too fast'), {
      name: 'AI_APICallError', url: 'https://model.test/v1', statusCode: 429, isRetryable: true,
    })
  if (input === 'dies') await dieOnce()
  return heard
}

import { existsSync, writeFileSync } from 'node:fs'
async function dieOnce() {
  if (existsSync('died')) return
  writeFileSync('died', '')
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}
`

describe('a turn whose first attempt does not count', () => {
  it.each(['is displaced', 'is retried', 'dies'])(
    'begins its stubs, its tool calls and its tokens anew: an agent that %s',
    async (input) => {
      const cwd = project({
        'agent.ts': agent,
        'viva.config.json': JSON.stringify({ network: { backoff: '1ms' } }),
      })
      const stubs = { lookUp: { sequence: [{ result: 'one' }, { result: 'two' }, { result: 'three' }] } }
      const turns = [{ input: 'before' }, { input }, { input: 'after' }]
      const { lines, output } = await play(cwd, [{ id: 'a', turns, stubs }], ['-n', './agent.ts'])
      const said = ['one', 'two', 'three'].map((result) => ({
        output: result,
        tool_calls: [{ name: 'lookUp', result }],
      }))
      expect(lines, output).toMatchObject([{ turns: said }])
      expect(lines[0]).toMatchObject({ usage: { agent: { input_tokens: 30, output_tokens: 3 } } })
    },
  )
})
