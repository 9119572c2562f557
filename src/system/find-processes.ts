import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Set in the environment of every process that viva starts: the ids of its owners, separated by slashes, innermost last. */
export const ownerVariable = 'VIVA_OWNER'

/** Must hold the environments of thousands of processes; the default of 1 MB is soon full. */
const maxOutputBytes = 64 * 1024 * 1024
const ownedLine = new RegExp(`^\\s*(\\d+) .*\\b${ownerVariable}=(\\S+)`)

/** Lists the processes, other than this one, with one of these ids in their environment. Empty where that cannot be seen. */
export function findOwnedProcesses(ids: readonly string[]): number[] {
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
    const text = readIfPossible(`/proc/${name}/environ`)
    const entry = text.split('\0').find((each) => each.startsWith(`${ownerVariable}=`))
    return entry === undefined ? [] : [{ pid, owners: entry.slice(ownerVariable.length + 1).split('/') }]
  })
}

/** On macOS, `ps` prints the environment of the user's own processes after their command. */
function listEnvironments(): Owned[] {
  if (process.platform === 'win32') return []
  const options = { encoding: 'utf8', maxBuffer: maxOutputBytes } as const
  const { stdout, error } = spawnSync('ps', ['-axww', '-E', '-o', 'pid=,command='], options)
  if (error !== undefined) return []
  return stdout.split('\n').flatMap((line) => {
    const [, pid, owners] = ownedLine.exec(line) ?? []
    if (owners === undefined || Number(pid) === process.pid) return []
    return [{ pid: Number(pid), owners: owners.split('/') }]
  })
}

/** Lists children and their children, whatever their environment; Linux only. */
export function listDescendants(pid: number): number[] {
  if (process.platform !== 'linux') return []
  const children = listThreads(pid)
    .flatMap((thread) => readIfPossible(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((text) => text.trim() !== '')
    .map(Number)
  return children.flatMap((child) => [child, ...listDescendants(child)])
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Returns an empty text for a process that has ended or belongs to another user. */
function readIfPossible(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
