import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readReportData } from './support/html-report.ts'
import { type Line, play, project } from './support/viva.ts'

const criterion = 'It names the total of the order'
const reason = 'no sum is mentioned anywhere'

const app = () =>
  project({
    'agent.mjs': 'export default (input) => `You get a refund: ${input}`\n',
    'judge.mjs': `export default () => ({ reply: { reason: '${reason}', verdict: 'fail' } })\n`,
    'viva.config.json': JSON.stringify({
      connectors: { judge: { type: 'scripted', options: { module: 'judge.mjs' } } },
      helpers: { connector: 'judge' },
    }),
  })

const cases = [
  { id: 'judge', input: 'hi', assert: { type: 'judge', criteria: criterion } },
  { id: 'validator', input: 'hi', assert: { type: 'agent', value: criterion } },
  { id: 'negative', input: 'hi', assert: { type: 'not_contains', value: 'refund' } },
  {
    id: 'forbidden',
    turns: [{ input: 'a' }, { input: 'b' }, { input: 'xyz' }, { input: 'c' }],
    checkpoints: [{ id: 'no_xyz', forbidden: true, assert: { type: 'contains', value: 'xyz' } }],
  },
]

const reports = ['terminal', 'github', 'a.xml', 'a.md', 'a.txt', 'a.html'] as const

/** Returns a function that finds what a report says about a case: its lines, or its row in the HTML report. */
async function readReports(): Promise<(report: (typeof reports)[number], id: string) => string> {
  const cwd = app()
  const files = reports.slice(2).flatMap((file) => ['-o', file])
  const flags = ['-n', './agent.mjs', ...files]
  const { stdout } = await play(cwd, cases, flags)
  const { stdout: github } = await play(cwd, cases, ['-n', './agent.mjs', '-r', 'github'])
  const texts: Record<string, string> = { terminal: stdout, github }
  const starts: Record<string, RegExp> = {
    terminal: /^(?=✗ \[|► \[)/m,
    github: /^(?=::)/m,
    'a.xml': /^(?= +<testcase )/m,
    'a.md': /^(?=### )/m,
    'a.txt': /^(?=- )/m,
  }
  return (report, id) => {
    const path = join(cwd, report)
    if (report === 'a.html') return String(readReportData(path, 'rows').find((row) => row.id === id)?.reason)
    const text = texts[report] ?? readFileSync(path, 'utf8')
    const own = text.split(starts[report] ?? '').find((part) => part.slice(0, 80).includes(id)) ?? ''
    return own.replaceAll('&quot;', '"').replaceAll('&#95;', '_')
  }
}

describe('failed checks in every report', () => {
  it('every report shows the criterion and the reason of a failed judge or validator', async () => {
    const findLines = await readReports()
    for (const report of reports) {
      expect(findLines(report, 'judge'), report).toContain(`judge "${criterion}"`)
      expect(findLines(report, 'judge'), report).toContain(reason)
      expect(findLines(report, 'validator'), report).toContain(`agent "${criterion}"`)
      expect(findLines(report, 'validator'), report).toContain(reason)
    }
  })

  it('every report says what a failed negative check expected not to find', async () => {
    const findLines = await readReports()
    for (const report of reports)
      expect(findLines(report, 'negative'), report).toContain('contains "refund", expected not to contain it')
  })

  it('every report says at which turn a forbidden checkpoint was reached', async () => {
    const findLines = await readReports()
    for (const report of reports)
      expect(findLines(report, 'forbidden'), report).toContain(
        'forbidden checkpoint no_xyz was reached at turn 3',
      )
  })
})

it('the result of a forbidden checkpoint keeps the error that scripts look for', async () => {
  const { lines } = await play(app(), cases.slice(3), ['-n', './agent.mjs'])
  expect(lines[0]).toMatchObject({
    error: 'checkpoint no_xyz failed',
    error_kind: 'checkpoint_failed',
    termination: {
      reason: 'forbidden_checkpoint',
      detail: 'forbidden checkpoint no_xyz was reached at turn 3',
    },
  } satisfies Line)
})
