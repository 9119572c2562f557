/** Shared by the benchmarks: the server in its own process, measured child processes, a table. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('..', import.meta.url))

/** A key of realistic length: viva looks for it in everything that it writes. */
export const benchKey = 'sk-bench-0123456789abcdefghijklmnopqrstuvwxyzABCDEF'

export async function startServer(latency) {
  const script = fileURLToPath(new URL('servers/latency-server.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, '--latency', String(latency)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for await (const url of createInterface({ input: child.stdout })) {
    return { url, close: () => child.stdin.end() }
  }
  throw new Error('the server did not start')
}

/** Seconds from the start of a process to its end, including its startup. */
export async function timeProcess(command, options) {
  return (await measureProcess(command, options)).seconds
}

/** How often the memory of a process and its children is read. */
const sampleMs = 20

/**
 * Runs a process to its end. Returns its wall time in seconds, the CPU seconds and the peak memory in MB of the process
 * and all that it started (on Linux), and what it printed.
 */
export function measureProcess(command, { exitCode = 0, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const output = []
    const cpuBefore = cpuOfEndedChildren()
    const started = performance.now()
    const [file, ...parameters] = command
    const child = spawn(file, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let peakMb = 0
    const sampling = setInterval(() => {
      peakMb = Math.max(peakMb, memoryOfTree(child.pid))
    }, sampleMs)
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(sampling)
      const seconds = (performance.now() - started) / 1000
      const printed = Buffer.concat(output).toString()
      if (code === exitCode) resolve({ seconds, cpu: cpuOfEndedChildren() - cpuBefore, peakMb, printed })
      else reject(new Error(`${command.join(' ')} exited with ${code}:\n${printed.slice(-2000)}`))
    })
  })
}

/** CPU seconds of all processes that this one has started and that have ended, with their own children. */
function cpuOfEndedChildren() {
  const fields = readStat('self')
  return fields === undefined ? Number.NaN : (fields.childrenUser + fields.childrenSystem) / 100
}

function readStat(pid) {
  try {
    // The name of the program is in brackets, and may contain spaces.
    const [, rest] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    const fields = rest.split(' ')
    return {
      parent: Number(fields[1]),
      childrenUser: Number(fields[13]),
      childrenSystem: Number(fields[14]),
      pages: Number(fields[21]),
    }
  } catch {
    return undefined
  }
}

const pageMb = 4096 / 1e6

function memoryOfTree(root) {
  const processes = new Map()
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const stat = readStat(name)
      if (stat !== undefined) processes.set(Number(name), stat)
    }
  } catch {
    return 0
  }
  let sum = 0
  for (const [pid, { pages }] of processes) {
    for (let each = pid; each !== undefined && each > 1; each = processes.get(each)?.parent)
      if (each === root) sum += pages * pageMb
  }
  return sum
}

/** Runs every contender once per round, so that a slow minute of the machine affects all of them. */
export async function alternate(contenders, rounds) {
  const times = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { run }] of contenders.entries()) times[index].push(await run())
  }
  return contenders.map(({ name }, index) => ({ name, times: times[index].sort((a, b) => a - b) }))
}

/** The first contender is the baseline. */
export function printTable(results) {
  const best = ({ times }) => times[0]
  const median = ({ times }) => times[Math.floor(times.length / 2)]
  const [floor] = results
  const rows = results.map((result) => [
    result.name,
    best(result).toFixed(3),
    median(result).toFixed(3),
    (best(result) / best(floor)).toFixed(2),
    (median(result) / median(floor)).toFixed(2),
  ])
  printRows([['', 'best s', 'median s', 'best / floor', 'median / floor'], ...rows])
}

/** Prints rows of texts in aligned columns. */
export function printRows(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    )
    console.log(cells.join('  '))
  }
}
