/** What one trivial case costs: CPU time and allocated memory, which differ little from run to run even on a busy machine. */
import { forgetRuns, vivaCommand, withKey } from '../contenders.mjs'
import { measureProcess, startServer } from '../measure.mjs'
import { writeFiles } from '../project.mjs'
import { measureInTurn } from '../rounds.mjs'
import { trivialCases } from '../trivial-cases.mjs'

export const columns = [
  ['per case', ({ name }) => name],
  ['', ({ value }) => String(value)],
]

/** The start of the command is left out by comparing two runs of different length. */
const short = 1000

export async function measure({ size, rounds, folder }) {
  const { kilobytes, cpuMs } = await costPerCase({ cases: size(5000, 1000), rounds, folder })
  return [
    { name: 'KB allocated', value: kilobytes },
    { name: 'CPU ms', value: cpuMs },
  ]
}

export async function costPerCase({ cases, rounds, folder }) {
  const long = short + cases
  const server = await startServer(0)
  try {
    const contenders = [short, long].map((count) => ({
      name: String(count),
      run: () => runCases(server, folder, count),
    }))
    const [few, many] = await measureInTurn(contenders, rounds)
    return {
      kilobytes: threeDigits((many.kilobytes - few.kilobytes) / cases),
      cpuMs: threeDigits(((many.cpu - few.cpu) * 1000) / cases),
    }
  } finally {
    await server.close()
  }
}

async function runCases(server, folder, count) {
  const file = `${count}.jsonl`
  await forgetRuns(folder)
  await writeFiles(folder, { [file]: trivialCases(count) })
  const agent = `openai:${server.url}#bench`
  const test = ['test', '-i', file, '-n', agent, '--parallel', '16', '-o', 'x.jsonl']
  const [node, ...viva] = vivaCommand
  const measured = await measureProcess([node, '--trace-gc', ...viva, ...test], { cwd: folder, env: withKey })
  return { ...measured, kilobytes: allocatedKb(measured.printed) }
}

/** Sums up by how much the heap had grown before every collection: `Scavenge 24.1 (27.2) -> 21.9 (30.2) MB`. */
function allocatedKb(printed) {
  let allocatedMb = 0
  let after = 0
  for (const [, from, to] of printed.matchAll(/ms: .*? ([\d.]+) \([\d.]+\) -> ([\d.]+) \(/g)) {
    allocatedMb += Number(from) - after
    after = Number(to)
  }
  return allocatedMb * 1000
}

function threeDigits(value) {
  return Number(value.toPrecision(3))
}
