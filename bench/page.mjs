/** Writes the tables of docs/benchmarks.md. Everything outside of their markers is written by hand, and stays as it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './measure.mjs'
import { loadPart } from './parts.mjs'
import { explainLeftOut, percent, renderMarkdown } from './table.mjs'

const page = join(repository, 'docs/benchmarks.md')
const begin = (name) => `<!-- measured: ${name} -->`
const end = '<!-- end -->'

export async function writePage(results) {
  let text = readFileSync(page, 'utf8')
  for (const [name, result] of Object.entries(results))
    text = replace(text, name, await renderResult(name, result))
  writeFileSync(page, text)
}

function replace(text, name, table) {
  const from = text.indexOf(begin(name))
  const to = text.indexOf(end, from)
  if (from === -1 || to === -1) throw new Error(`docs/benchmarks.md has no ${begin(name)} … ${end}`)
  return `${text.slice(0, from)}${begin(name)}\n\n${table}\n\n${text.slice(to)}`
}

async function renderResult(name, { rows, date, node, machine, rounds, otherPrograms }) {
  const { columns } = await loadPart(name)
  const isMeasured = ({ leftOut }) => leftOut === undefined
  const times = rounds === 1 ? 'one round' : `${rounds} rounds`
  return [
    renderMarkdown(columns, rows.filter(isMeasured)),
    ...rows.filter((row) => !isMeasured(row)).map(explainLeftOut),
    `<sub>${date}, Node ${node}, ${machine}, ${times}; other programs used ${percent(otherPrograms)} of the CPU</sub>`,
  ].join('\n\n')
}
