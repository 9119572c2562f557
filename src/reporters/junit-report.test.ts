import { describe, expect, it } from 'vitest'
import type { GateOutcome } from '../results/gates.ts'
import { ResultPlan } from '../results/planned-results.ts'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import type { CompareVerdict, RunStart } from '../results/summary.ts'
import { computeExitCode, Tally } from '../results/tally.ts'
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
  /** How many cases were never started. */
  missing?: number
  gates?: GateOutcome[]
  comparison?: CompareVerdict
  /** The share of infrastructure errors that is tolerated. */
  tolerated?: number
}

async function report({ played, missing = 0, gates, comparison, tolerated }: Ending): Promise<string> {
  const results = played.map(([id, changes]) => {
    const result = caseResult(changes)
    return { ...result, key: { ...result.key, id } }
  })
  const never = Array.from({ length: missing }, (_, index) => ({ ...caseResult().key, id: `never-${index}` }))
  const plan = new ResultPlan()
  for (const key of [...results.map((result) => result.key), ...never]) plan.set(key, 'h')
  const tally = new Tally(plan)
  for (const result of results) tally.add(result)
  const summary = {
    ...tally.summary(1),
    ...(gates && { gates }),
    ...(comparison && { comparison: { baseline: 'b', verdict: comparison, text: comparison } }),
  }
  let xml = ''
  const read = async function* () {
    yield* results
  }
  for await (const part of junitReport(
    { start, summary, exitCode: computeExitCode(summary, tolerated) },
    read,
  ))
    xml += part
  return xml
}

function countsIn(xml: string) {
  const reported = (name: string) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1])
  const there = (element: string) => xml.split(`<${element} `).length - 1
  return {
    reported: [reported('tests'), reported('failures'), reported('errors'), reported('skipped')],
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

describe('the JUnit report', () => {
  const endings: [string, Ending, string[]][] = [
    ['without gates', { played: outcomes }, []],
    ['of an interrupted run', { played: [...outcomes, ...unfinished], missing: 2 }, []],
    ['with a gate that is reached', { played: outcomes, gates: [gate('reached')] }, []],
    ['with a gate that is missed', { played: outcomes, gates: [gate('missed')] }, ['failure']],
    ['with an undecided gate', { played: outcomes, gates: [gate('undecided')] }, ['failure']],
    [
      'with a gate that could not be judged',
      { played: [], missing: 0, gates: [gate('undecided', { reached: 0, unjudged: 1 })] },
      ['error'],
    ],
    [
      'with a gate in an incomplete run',
      { played: outcomes, missing: 1, gates: [gate('undecided')] },
      ['error'],
    ],
    ['with a regression', { played: outcomes, comparison: 'regression' }, ['failure']],
    [
      'with a comparison that could not be made',
      { played: outcomes, comparison: 'nothing compared' },
      ['error'],
    ],
    ['with a comparison without regression', { played: outcomes, comparison: 'not enough runs' }, []],
  ]
  it.each(endings)('%s has counts that match its elements', async (_, ending, ofTheRun) => {
    const xml = await report(ending)
    const { reported, there } = countsIn(xml)
    expect(reported).toEqual(there)
    const own = [...xml.matchAll(/<testcase classname="viva" name="(?!not run)[^>]*>\s*<(failure|error)/g)]
    expect(own.map(([, element]) => element)).toEqual(ofTheRun)
  })

  it('reports tolerated infrastructure errors of a green run as skipped', async () => {
    const played = outcomes.filter(
      ([, { status, fault }]) => status !== 'failed' || fault === 'infrastructure',
    )
    const strict = countsIn(await report({ played }))
    const lenient = countsIn(await report({ played, tolerated: 1 }))
    expect([strict.reported, lenient.reported]).toEqual([
      [4, 0, 1, 2],
      [4, 0, 0, 3],
    ])
    expect(lenient.there).toEqual(lenient.reported)
  })

  it('reports failures that the gates allow as skipped', async () => {
    const { reported } = countsIn(await report({ played: outcomes, gates: [gate('reached')] }))
    expect(reported).toEqual([9, 0, 2, 5])
  })
})
