/** Shared by the benchmarks: the server in its own process, measured child processes, rows of text. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('..', import.meta.url))

/** A key of realistic length: viva looks for it in everything that it writes. */
export const benchKey = 'sk-bench-0123456789abcdefghijklmnopqrstuvwxyzABCDEF'

/** `takeTraffic` returns the figures of servers/traffic.mjs since it was last called. */
export async function startServer(latency) {
  const script = fileURLToPath(new URL('servers/latency-server.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, '--latency', String(latency)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for await (const url of createInterface({ input: child.stdout })) {
    const takeTraffic = async () => (await fetch(new URL('/traffic', url))).json()
    return { url, takeTraffic, close: () => endServer(child) }
  }
  throw new Error('the server did not start')
}

/** Waits for its end, so that its CPU time is not counted as that of a process that is measured later. */
async function endServer(child) {
  child.stdin.end()
  await once(child, 'exit')
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
    child.on('error', (error) => {
      clearInterval(sampling)
      reject(error)
    })
    child.on('close', (code, signal) => {
      clearInterval(sampling)
      const seconds = (performance.now() - started) / 1000
      const printed = Buffer.concat(output).toString()
      if (code === exitCode) resolve({ seconds, cpu: cpuOfEndedChildren() - cpuBefore, peakMb, printed })
      else
        reject(
          Object.assign(
            new Error(`${basename(file)} ${parameters.join(' ')} exited with ${code ?? signal}`),
            { printed },
          ),
        )
    })
  })
}

/** CPU seconds of all processes that this one has started and that have ended, with their own children. */
export function cpuOfEndedChildren() {
  try {
    // The name of the program is in brackets, and may contain spaces.
    const [, rest] = /\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8'))
    const fields = rest.split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return Number.NaN
  }
}

const pageMb = 4096 / 1e6

/** Only the processes of the tree are read: to look at all of the machine's would take CPU time from what is measured. */
function memoryOfTree(pid) {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(pages) * pageMb + sum(childrenOf(pid).map(memoryOfTree))
  } catch {
    // It has ended, or this is not Linux.
    return 0
  }
}

function childrenOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Prints rows of texts in aligned columns, the first to the left. */
export function printRows(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    )
    console.log(cells.join('  '))
  }
}
