/**
 * The overhead of a run of viva over the bare calls, as whole processes against the same server.
 *
 *   node bench/throughput.mjs [--cases 1000] [--latency 50] [--parallel 16] [--rounds 5]
 *
 * Ends with a profile that shows where one run of viva spent its time.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { alternate, printTable, repository, startServer, timeProcess } from './measure.mjs'
import { printProfile, profileIn } from './profile.mjs'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    latency: { type: 'string', default: '50' },
    parallel: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
  },
})
const { cases, latency, parallel, rounds } = values

function casesAsLines() {
  return Array.from({ length: Number(cases) }, (_, index) => {
    const assert = { type: 'contains', value: 'Hello' }
    return `${JSON.stringify({ id: `T${index}`, input: `Say hello to number ${index}.`, assert })}\n`
  }).join('')
}

const folder = await mkdtemp(join(tmpdir(), 'viva-throughput-'))
const server = await startServer(latency)
try {
  const input = join(folder, 'cases.jsonl')
  await writeFile(input, casesAsLines())
  const floor = [join(repository, 'bench/floor-undici.mjs'), '--url', server.url, '--calls', cases]
  const contenders = [
    { name: 'bare undici', run: () => timeProcess([process.execPath, ...floor, '--parallel', parallel]) },
  ]
  const viva = join(repository, 'bin/viva.js')
  const agent = `openai:${server.url}#bench`
  const output = join(folder, 'x.jsonl')
  const test = [viva, 'test', '-i', input, '-n', agent, '--parallel', parallel, '-o', output]
  const run = async (flags = []) => {
    // Neither results nor history of an earlier round may be found.
    for (const name of ['x.jsonl', '.viva']) await rm(join(folder, name), { recursive: true, force: true })
    return timeProcess([process.execPath, ...flags, ...test], { cwd: folder })
  }
  contenders.push({ name: 'viva test', run: () => run() })
  console.log(
    `${cases} cases, ${latency} ms latency, parallel ${parallel}, ${rounds} rounds, Node ${process.version}`,
  )
  printTable(await alternate(contenders, Number(rounds)))
  await run(['--cpu-prof', '--cpu-prof-dir', folder])
  printProfile(await profileIn(folder))
} finally {
  server.close()
  await rm(folder, { recursive: true, force: true })
}
