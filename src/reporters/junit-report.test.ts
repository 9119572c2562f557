import { describe, expect, it } from 'vitest'
import type { GateOutcome } from '../results/gates.ts'
import { keyText } from '../results/key.ts'
import { toLine } from '../results/line.ts'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import type { CompareVerdict, RunStart } from '../results/summary.ts'
import { exitCodeOf, Tally } from '../results/tally.ts'
import { junitReport } from './junit-report.ts'

const outcomes: [string, Partial<CaseResult>][] = [
  ['passed', {}],
  ['failed', { status: 'failed', fault: 'agent' }],
  ['failed again', { status: 'failed', fault: 'agent' }],
  ['the infrastructure', { status: 'failed', fault: 'infrastructure' }],
  ['a bug', { status: 'failed', fault: 'viva' }],
  ['skipped', { status: 'skipped' }],
  ['skipped for an infrastructure error', { status: 'skipped', fault: 'infrastructure' }],
  ['known', { status: 'failed', fault: 'agent', expectedFailure: 'later' }],
]
const unfinished: [string, Partial<CaseResult>][] = [['interrupted', { status: 'interrupted' }]]

const start: RunStart = {
  vivaVersion: '1.0.0',
  timestamp: '2026-01-01T00:00:00.000Z',
  planHash: 'p',
  totalCases: 1,
  agentId: 'a',
  variants: ['a'],
  runs: 1,
  environment: { userId: 'u', teamId: 't', locale: 'en-us' },
}

interface Ending {
  played: [string, Partial<CaseResult>][]
  /** Of those that were never begun. */
  missing?: number
  gates?: GateOutcome[]
  comparison?: CompareVerdict
  /** The share of infrastructure errors that may be there. */
  tolerated?: number
}

async function report({ played, missing = 0, gates, comparison, tolerated }: Ending): Promise<string> {
  const results = played.map(([id, changes]) => {
    const result = caseResult(changes)
    return { ...result, key: { ...result.key, id } }
  })
  const never = Array.from({ length: missing }, (_, index) => ({ ...caseResult().key, id: `never-${index}` }))
  const tally = new Tally(
    new Map([...results.map(({ key }) => key), ...never].map((key) => [keyText(key), 'h'])),
  )
  for (const result of results) tally.add(toLine(result))
  const summary = {
    ...tally.summary(1),
    ...(gates && { gates }),
    ...(comparison && { comparison: { baseline: 'b', verdict: comparison, text: comparison } }),
  }
  let xml = ''
  const read = async function* () {
    yield* results
  }
  for await (const part of junitReport({ start, summary, exitCode: exitCodeOf(summary, tolerated) }, read))
    xml += part
  return xml
}

function countsIn(xml: string) {
  const told = (name: string) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1])
  const there = (element: string) => xml.split(`<${element} `).length - 1
  return {
    told: [told('tests'), told('failures'), told('errors'), told('skipped')],
    there: [there('testcase'), there('failure'), there('error'), there('skipped')],
  }
}

const gate = (status: GateOutcome['status'], more: Partial<GateOutcome> = {}): GateOutcome => ({
  gate: 'case',
  required: 0.9,
  status,
  reached: 1,
  ...more,
})

describe('a JUnit report', () => {
  const endings: [string, Ending, string[]][] = [
    ['without gates', { played: outcomes }, []],
    ['of a run that was stopped', { played: [...outcomes, ...unfinished], missing: 2 }, []],
    ['of gates that are reached', { played: outcomes, gates: [gate('reached')] }, []],
    ['of a gate that is missed', { played: outcomes, gates: [gate('missed')] }, ['failure']],
    ['of a gate that is undecided', { played: outcomes, gates: [gate('undecided')] }, ['failure']],
    [
      'of a gate that nobody could judge',
      { played: [], missing: 0, gates: [gate('undecided', { reached: 0, unjudged: 1 })] },
      ['error'],
    ],
    [
      'of a gate of a run that was cut off',
      { played: outcomes, missing: 1, gates: [gate('undecided')] },
      ['error'],
    ],
    ['of a regression', { played: outcomes, comparison: 'regression' }, ['failure']],
    ['of a comparison without an answer', { played: outcomes, comparison: 'nothing compared' }, ['error']],
    ['of no regression', { played: outcomes, comparison: 'not enough runs' }, []],
  ]
  it.each(endings)('%s counts what is in it', async (_, ending, ofTheRun) => {
    const xml = await report(ending)
    const { told, there } = countsIn(xml)
    expect(told).toEqual(there)
    const own = [...xml.matchAll(/<testcase classname="viva" name="(?!not played)[^>]*>\s*<(failure|error)/g)]
    expect(own.map(([, element]) => element)).toEqual(ofTheRun)
  })

  it('takes nothing for an error that a green run tolerates', async () => {
    const played = outcomes.filter(
      ([, { status, fault }]) => status !== 'failed' || fault === 'infrastructure',
    )
    const strict = countsIn(await report({ played }))
    const lenient = countsIn(await report({ played, tolerated: 1 }))
    expect([strict.told, lenient.told]).toEqual([
      [4, 0, 1, 2],
      [4, 0, 0, 3],
    ])
    expect(lenient.there).toEqual(lenient.told)
  })

  it('takes no failure for one that the gates allow', async () => {
    const { told } = countsIn(await report({ played: outcomes, gates: [gate('reached')] }))
    expect(told).toEqual([9, 0, 2, 5])
  })
})
