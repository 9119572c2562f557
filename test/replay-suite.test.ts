import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversations, readJournal, record, replay, run } from './support/replays.ts'
import { installViva, project } from './support/viva.ts'

/** An agent that needs a second attempt, a judge, and a simulated user; each notes that it was called. */
const suite = `import { appendFileSync } from 'node:fs'
import { afterTurns, aiUser, createEvalSuite, createScriptedProvider } from 'vivavoce'
const note = (part: string) => appendFileSync('calls.log', part + '\\n')
let attempts = 0
const agent = {
  name: 'booking',
  async execute(message: string) {
    note('agent')
    if (message === 'shaky' && ++attempts % 2 === 1) throw new Error('not yet')
    return { reply: 'Yes, ' + message, at: Math.random() }
  },
}
const judge = {
  async evaluate({ output }: { output: { reply: string } }) {
    note('judge')
    return { passed: output.reply.startsWith('Yes'), overallScore: 100, verdicts: [] }
  },
}
const user = aiUser({
  provider: createScriptedProvider(() => (note('user'), 'again')),
  systemPrompt: 'You want more.',
})
export default createEvalSuite<string, { reply: string; at: number }>({ agent, judge })
export const cases = [
  ...['one', 'two', 'three', 'shaky'].map((id) => ({ id, input: id })),
  {
    id: 'talk',
    input: 'hello',
    multiTurn: { followUpInputs: [{ input: user }], terminateWhen: [afterTurns(2)], onMaxTurnsReached: 'pass' as const },
  },
]
`

function projectOfSuite(): { cwd: string; takeCalls(): string[] } {
  const cwd = project({ 'booking.suite.ts': suite, 'calls.log': '' })
  installViva(cwd)
  const log = join(cwd, 'calls.log')
  return {
    cwd,
    takeCalls() {
      const parts = new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))
      writeFileSync(log, '')
      return [...parts].toSorted()
    },
  }
}

describe('a suite in TypeScript', () => {
  it('has the same journal at --parallel 1 and 16 of three runs with retries, and calls nothing', async () => {
    const { cwd, takeCalls } = projectOfSuite()
    const args = ['-i', 'booking.suite.ts', '--runs', '3', '--retries', '2']
    const recorded = await record(cwd, args)
    expect(recorded.exitCode, recorded.output).toBe(0)
    expect(recorded.lines.some(({ flaky }) => flaky === true)).toBe(true)
    expect(takeCalls()).toEqual(['agent', 'judge', 'user'])
    const one = await replay(cwd, args)
    const many = await replay(cwd, [...args, '--parallel', '16'])
    expect(takeCalls()).toEqual([])
    expect(readJournal(many.path)).toEqual(readJournal(one.path))
    expect(conversations(one.lines)).toEqual(conversations(recorded.lines))
  })

  it('keeps the secrets that the config lists out of the recording, and is replayed all the same', async () => {
    const suite = `import { afterTurns, createEvalSuite } from 'vivavoce'
const agent = { name: 'echo', execute: (text: string) => text + ' ' + process.env.STAFF_CODE }
export default createEvalSuite({ agent })
const multiTurn = { followUpInputs: [{ input: 'bye' }], terminateWhen: [afterTurns(2)], onMaxTurnsReached: 'pass' as const }
export const cases = [{ id: 'talk', input: 'hello', multiTurn }]
`
    const cwd = project({
      'echo.suite.ts': suite,
      'viva.config.json': '{"secrets": ["STAFF_CODE"]}',
      '.env': 'STAFF_CODE=emerald-harbour\n',
    })
    installViva(cwd)
    const args = ['-i', 'echo.suite.ts']
    expect((await record(cwd, args)).exitCode).toBe(0)
    const recording = readFileSync(join(cwd, 'calls.jsonl'), 'utf8')
    expect(recording).toContain('hello')
    expect(recording).not.toContain('emerald')
    expect((await replay(cwd, args)).exitCode).toBe(0)
  })

  it.each([
    ['agent', ['agent']],
    ['simulator', ['user']],
    ['judge', ['judge']],
  ])('--live %s lets out that, and nothing else', async (layer, parts) => {
    const { cwd, takeCalls } = projectOfSuite()
    const args = ['-i', 'booking.suite.ts', '--run', 'talk|one']
    await record(cwd, args)
    takeCalls()
    // The answers of the agent differ each time, so that they were never judged.
    const live = ['--live', layer, ...(layer === 'agent' ? ['--live', 'judge'] : [])]
    const { exitCode, output } = await replay(cwd, [...args, ...live])
    expect(takeCalls()).toEqual(layer === 'agent' ? [...parts, 'judge'] : parts)
    expect(exitCode, output).toBe(0)
    expect((await run(cwd, [...args, '--replay', 'calls.jsonl', '--live', 'tools'])).exitCode).toBe(2)
  })
})
