import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { redactEvent } from '../privacy/redact-event.ts'
import { createRedactor } from '../privacy/secrets.ts'
import { resultToLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import { turnToLine } from '../results/turn-line.ts'
import { agentReply } from './agent.ts'
import { typedInput, typedOutput } from './held-values.ts'
import { createEvalSuite } from './suite.ts'

/** Shows a word in JSON, and holds a secret and itself. */
class Sealed {
  readonly hidden = 'sk-hidden-value-4711'
  readonly self = this
  toJSON(): string {
    return 'sealed'
  }
}

const output = new Sealed()
const agent = {
  execute: async (_input: unknown) => agentReply(output, { metadata: { trace: new Sealed() } }),
}

/** What a reporter is given of a case that was played. */
async function playedEvents(): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  const reporter = { name: 'events', on: (event: RunEvent) => void events.push(event) }
  await createEvalSuite({ agent }).run([{ input: new Sealed() }], { reporters: [reporter] })
  return events
}

async function playedResult(): Promise<CaseResult> {
  const finished = (await playedEvents()).find((event) => event.type === 'case_finished')
  if (finished?.type !== 'case_finished') throw new Error('nothing was played')
  return finished.result
}

describe('the typed value of an input or an output', () => {
  it('is there for code of the same process', async () => {
    const [turn] = (await playedResult()).view.turns
    expect(turn && typedInput(turn.input)).toBeInstanceOf(Sealed)
    expect(turn?.reply && typedOutput(turn.reply)).toBe(output)
  })

  it('reaches no line of the journal, no event as text, and no copy', async () => {
    const result = await playedResult()
    const [turn] = result.view.turns
    if (turn === undefined) throw new Error('there is no turn')
    const lines = [resultToLine(result), turnToLine(turn)]
    expect(lines[1]).toMatchObject({ input: 'sealed', output: 'sealed' })
    for (const value of [...lines, ...(await playedEvents())]) {
      expect(JSON.stringify(value)).not.toContain('4711')
      expect(inspect(value, { depth: null })).not.toContain('4711')
    }
    expect(typedInput({ ...turn.input })).toBe('sealed')
  })

  it('is not looked at by redaction, and not passed on with what is redacted', async () => {
    const result = await playedResult()
    const event: RunEvent = { type: 'case_finished', result }
    expect(redactEvent(event, createRedactor(['sk-hidden-value-4711']))).toBe(event)
    const spoken = { ...result, logs: ['the word is secret-in-a-log'] }
    const redacted = redactEvent(
      { type: 'case_finished', result: spoken },
      createRedactor(['secret-in-a-log']),
    )
    if (redacted.type !== 'case_finished') throw new Error('it is another event')
    const [turn] = redacted.result.view.turns
    expect(turn && typedInput(turn.input)).toBe('sealed')
    expect(turn?.reply && typedOutput(turn.reply)).toBe('sealed')
  })
})
