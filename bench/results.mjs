/** The figures of all parts, kept in bench/results.json: a part that is measured again replaces its own figures. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeMachine } from './machine.mjs'

const file = fileURLToPath(new URL('results.json', import.meta.url))

export function readResults() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

export function keepResult(name, result) {
  const date = new Date().toISOString().slice(0, 10)
  const kept = { date, node: process.versions.node, machine: describeMachine(), ...result }
  writeFileSync(file, `${JSON.stringify({ ...readResults(), [name]: kept }, null, 2)}\n`)
}
