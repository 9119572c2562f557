/** Where a process spent its time: a V8 profile, summed up by the owner of the code. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function profileIn(folder) {
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

export function printProfile(sums) {
  console.log('\none run of viva, main thread:')
  for (const [owner, ms] of sums) if (ms >= 5) console.log(`${ms.toFixed(0).padStart(6)} ms  ${owner}`)
}
