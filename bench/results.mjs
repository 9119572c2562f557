/** The figures of all parts, kept in bench/results.json: a part that is measured again replaces its own figures. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('results.json', import.meta.url))

export function readResults() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

export function keepResult(name, { rows, rounds }) {
  const [{ model }, ...others] = cpus()
  const machine = `${others.length + 1} cores (${model})`
  const result = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine,
    rounds,
    rows,
  }
  writeFileSync(file, `${JSON.stringify({ ...readResults(), [name]: result }, null, 2)}\n`)
}
