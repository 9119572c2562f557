import { describe, expect, it } from 'vitest'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import { createPen } from './pen.ts'
import { hostile, runStart, runSummary } from './script.fixture.ts'
import { createRecap } from './terminal-recap.ts'

const failed = (changes: Partial<CaseResult> = {}) =>
  caseResult({
    status: 'failed',
    fault: 'agent',
    failure: { kind: 'assertion', message: 'too short' },
    ...changes,
  })

const key = (id: string, run = 1) => ({ file: 'a.jsonl', id, variant: 'a', run, attempt: 1 })

async function renderRecap(results: readonly CaseResult[], { runs = 1 } = {}): Promise<string[]> {
  const recap = createRecap({
    pen: createPen(false),
    placeOf: ({ file }, line) => `${file}:${line}`,
    rerunCommand: (all) => all.map(({ id }) => id).join(' '),
  })
  await recap.on?.({ type: 'run_started', start: runStart({ variants: ['a'], runs }) })
  await recap.on?.({
    type: 'run_finished',
    summary: runSummary({ failed: results.length }),
    exitCode: 1,
  })
  await recap.finish?.(async function* () {
    yield* results
  })
  return recap.lines(true).map(({ text }) => text)
}

describe('the recap', () => {
  it('lists failures, infrastructure errors and bugs in viva separately', async () => {
    const lines = await renderRecap([
      failed({ key: key('bug'), fault: 'viva' }),
      failed({ key: key('down'), fault: 'infrastructure' }),
      failed({ key: key('short') }),
      failed({ key: key('unheard'), fault: 'infrastructure', status: 'skipped' }),
    ])
    expect(lines.filter((line) => !line.startsWith('      '))).toEqual([
      '',
      '  Failed',
      '  ✗ [short] a.jsonl:1',
      '',
      '  Infrastructure errors',
      '  ⚠ [down] a.jsonl:1',
      '  ⚠ [unheard] a.jsonl:1',
      '',
      '  Bugs in viva',
      '  ✗ [bug] a.jsonl:1',
      '',
      '  Run what failed again:',
      '    bug down short unheard',
    ])
  })

  it('omits passed and skipped cases and expected failures', async () => {
    const skipped = caseResult({ status: 'skipped' })
    expect(await renderRecap([caseResult(), skipped, failed({ expectedFailure: 'ticket 7' })])).toEqual([])
  })

  it('groups runs that failed for the same reason', async () => {
    const other = { kind: 'assertion', message: 'too long\nand more' }
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((run) =>
      failed({ key: key('T1', run), ...(run === 2 && { failure: other }) }),
    )
    expect((await renderRecap(all, { runs: 8 })).slice(2, 6)).toEqual([
      '  ✗ [T1] (runs 1, 3, 4, 5, 6 and 2 more) a.jsonl:1',
      '      too short',
      '  ✗ [T1] (run 2) a.jsonl:1',
      '      too long',
    ])
  })

  it('escapes control characters in the words of an agent', async () => {
    const lines = await renderRecap([
      failed({ key: key(hostile), failure: { kind: 'agent_error', message: hostile } }),
    ])
    expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
  })
})
