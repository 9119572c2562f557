import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** In the environment of all that viva starts: the ids of who started it, the last one after the last slash. */
export const variable = 'VIVA_OWNER'

/** The processes that have one of these ids in their environment, other than this one. None where that cannot be seen. */
export function processesOwnedBy(ids: readonly string[]): number[] {
  if (ids.length === 0) return []
  const environments = process.platform === 'linux' ? readEnvironments() : listEnvironments()
  return environments.filter(({ owners }) => ids.some((id) => owners.includes(id))).map(({ pid }) => pid)
}

interface Owned {
  pid: number
  owners: string[]
}

function readEnvironments(): Owned[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    const text = contentOf(`/proc/${name}/environ`)
    const entry = text.split('\0').find((each) => each.startsWith(`${variable}=`))
    return entry === undefined ? [] : [{ pid, owners: entry.slice(variable.length + 1).split('/') }]
  })
}

/** macOS shows the environment of one's own processes after their command. */
function listEnvironments(): Owned[] {
  if (process.platform === 'win32') return []
  const { stdout } = spawnSync('ps', ['-axww', '-E', '-o', 'pid=,command='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, owners] = new RegExp(`^\\s*(\\d+) .*\\b${variable}=(\\S+)`).exec(line) ?? []
    if (owners === undefined || Number(pid) === process.pid) return []
    return [{ pid: Number(pid), owners: owners.split('/') }]
  })
}

/** Children and their children, whatever their environment; Linux only. */
export function descendantsOf(pid: number): number[] {
  if (process.platform !== 'linux') return []
  const children = threadsOf(pid)
    .flatMap((thread) => contentOf(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((text) => text.trim() !== '')
    .map(Number)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Empty for a process that has ended, or that belongs to another user. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
