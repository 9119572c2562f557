/** Shared by the benchmarks: the server in its own process, timed child processes, a table. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('..', import.meta.url))

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
export function timeProcess(command, options = {}) {
  return new Promise((resolve, reject) => {
    const output = []
    const started = performance.now()
    const [file, ...parameters] = command
    const child = spawn(file, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000
      if (code === 0) resolve(seconds)
      else
        reject(
          new Error(
            `${command.join(' ')} exited with ${code}:\n${Buffer.concat(output).toString().slice(-2000)}`,
          ),
        )
    })
  })
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
  const table = [['', 'best s', 'median s', 'best / floor', 'median / floor'], ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  for (const row of table) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    )
    console.log(cells.join('  '))
  }
}
