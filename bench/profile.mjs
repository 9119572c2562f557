/**
 * Where one run of viva spends the time of its main thread, by the owner of the code.
 *
 *   npm run build && node bench/profile.mjs [--cases 1000] [--latency 50] [--parallel 16]
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { vivaCommand, withKey } from './contenders.mjs'
import { measureProcess, startServer } from './measure.mjs'
import { writeFiles } from './project.mjs'
import { trivialCases } from './trivial-cases.mjs'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    latency: { type: 'string', default: '50' },
    parallel: { type: 'string', default: '16' },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'viva-profile-'))
const server = await startServer(values.latency)
try {
  await writeFiles(folder, { 'cases.jsonl': trivialCases(Number(values.cases)) })
  const agent = `openai:${server.url}#bench`
  const test = ['test', '-i', 'cases.jsonl', '-n', agent, '--parallel', values.parallel, '-o', 'x.jsonl']
  const [node, ...viva] = vivaCommand
  const profiled = [node, '--cpu-prof', '--cpu-prof-dir', folder, ...viva, ...test]
  await measureProcess(profiled, { cwd: folder, env: withKey })
  for (const [owner, ms] of await sumByOwner())
    if (ms >= 5) console.log(`${ms.toFixed(0).padStart(6)} ms  ${owner}`)
} finally {
  await server.close()
  await rm(folder, { recursive: true, force: true })
}

async function sumByOwner() {
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.cpuprofile'))
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(join(folder, name), 'utf8'))
  const owners = new Map(nodes.map((node) => [node.id, findOwner(node.callFrame)]))
  const sums = new Map()
  for (const [index, id] of samples.entries()) {
    const owner = owners.get(id)
    sums.set(owner, (sums.get(owner) ?? 0) + timeDeltas[index] / 1000)
  }
  return [...sums].sort(([, left], [, right]) => right - left)
}

function findOwner({ functionName, url }) {
  if (functionName === '(idle)') return 'waiting'
  if (functionName === '(garbage collector)') return 'garbage collection'
  const modules = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)
  if (modules) return modules[1]
  if (url.includes('/dist/')) return 'viva'
  if (/modules\/|bootstrap|wrapSafe|compileSourceTextModule/.test(`${url} ${functionName}`))
    return 'loading modules'
  return 'node'
}
