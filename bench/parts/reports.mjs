/** Reports of saved results, compared with just reading the file. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { vivaCommand, withRatios } from '../contenders.mjs'
import { measureProcess, repository } from '../measure.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'

const { seconds, ratio, cpu, peakMb } = columnOf
export const columns = [
  ['results', ({ results, inputMb }) => `${count(results)} (${inputMb} MB)`],
  ['report', ({ name }) => name],
  seconds,
  ratio,
  cpu,
  peakMb,
  ['report, MB', ({ reportMb }) => reportMb?.toFixed(1) ?? ''],
]

const formats = { HTML: 'html', Markdown: 'md', JUnit: 'xml', JSON: 'json', summary: 'txt' }

/** Only reads the file line by line. */
const floor = `
  const { createReadStream } = require('node:fs')
  const lines = require('node:readline').createInterface({ input: createReadStream(process.argv[1]) })
  lines.on('line', (line) => JSON.parse(line))`

export async function measure({ size, rounds, folder }) {
  const results = size(100_000, 1000)
  const input = makeResults(results, folder)
  const reports = Object.entries(formats).map(([name, extension]) => ({
    name,
    run: async () => {
      const output = join(folder, `x.${extension}`)
      const measured = await measureProcess([...vivaCommand, 'report', input, '-o', output])
      return { ...measured, reportMb: statSync(output).size / 1e6 }
    },
  }))
  const contenders = [
    { name: 'bare `JSON.parse`', run: () => measureProcess([process.execPath, '-e', floor, input]) },
    ...reports,
  ]
  const inputMb = Math.round(statSync(input).size / 1e6)
  const rows = withRatios(await measureInTurn(contenders, rounds))
  return rows.map((row) => ({ results, inputMb, ...row }))
}

/** Writes results of 5 runs and 2 variants, and returns their file. */
export function makeResults(results, folder) {
  const input = join(folder, 'results.jsonl')
  const script = join(repository, 'bench/make-results.mjs')
  execFileSync(process.execPath, [script, String(results), input, '--runs', '5', '--variants', '2'])
  return input
}
