/** Damaged replies: how long it takes to make them, to judge them, and to find checks for the survivors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vivaCommand } from '../contenders.mjs'
import { measureProcess } from '../measure.mjs'
import { writeFiles } from '../project.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'

const { cases, seconds, cpu, peakMb } = columnOf
export const columns = [
  cases,
  ['mutants', ({ mutants }) => count(mutants)],
  ['killed', ({ killed }) => count(killed)],
  ['checks proposed', ({ proposed }) => count(proposed)],
  seconds,
  cpu,
  peakMb,
  ['calls of agents and models', ({ calls }) => count(calls)],
]

/** Both note every call. */
const noted = `import { appendFileSync } from 'node:fs'
const note = () => appendFileSync(new URL('calls.txt', import.meta.url), 'x')
`
const files = {
  'agent.mjs': `${noted}
export default (input) => {
  note()
  const number = Number(input.slice(6))
  return {
    content: \`I have booked flight HAT\${100 + number} for Anna. It leaves on 2025-05-20 at 10:30 and costs \${200 + number} euros. You cannot change it later. Which seat would you like?\`,
    tool_calls: [
      { name: 'find_flight', arguments: { number }, result: { flight: \`HAT\${100 + number}\` } },
      { name: 'book_flight', arguments: { flight: \`HAT\${100 + number}\`, bags: 1 }, result: { ok: true } },
    ],
  }
}
`,
  'judge.mjs': `${noted}
export default () => {
  note()
  return { reply: { reason: 'it is', verdict: 'pass' } }
}
`,
  'viva.config.json': {
    connectors: { judge: { type: 'scripted', options: { module: 'judge.mjs' } } },
    helpers: { connector: 'judge' },
  },
}

export async function measure({ size, rounds, folder }) {
  const number = size(70, 7)
  const assert = [
    { type: 'contains', value: 'booked' },
    { type: 'judge', criteria: 'It is polite' },
  ]
  const written = Array.from({ length: number }, (_, index) => ({
    id: `c${index}`,
    input: `flight${index}`,
    assert,
  }))
  await writeFiles(folder, { ...files, 'cases.jsonl': written })
  const options = { cwd: folder }
  await measureProcess(
    [...vivaCommand, 'test', 'cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl'],
    options,
  )
  const callsBefore = countCalls(folder)
  const run = async () => {
    const command = [...vivaCommand, 'mutate', 'results.jsonl', 'cases.jsonl', '--json', '-o', 'mutants.json']
    const measured = await measureProcess(command, options)
    const report = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8'))
    const proposed = report.cases.reduce((sum, { proposals }) => sum + proposals.length, 0)
    const { killed, survived } = report
    return {
      ...measured,
      mutants: killed + survived,
      killed,
      proposed,
      calls: countCalls(folder) - callsBefore,
    }
  }
  const rows = await measureInTurn([{ name: 'viva mutate', run }], rounds)
  return rows.map((row) => ({ cases: number, ...row }))
}

function countCalls(folder) {
  return readFileSync(join(folder, 'calls.txt'), 'utf8').length
}
