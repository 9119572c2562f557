import type { CheckHelpers } from '../checks/check-helpers.ts'
import { type Assertion, compileAssertion } from '../checks/list.ts'
import type { Checkpoint } from '../conversation/checkpoints.ts'
import { defined } from '../json/defined.ts'
import type { Issue } from '../json/validation/issues.ts'
import { findNearest } from '../text/nearest.ts'
import type { AuthoredCase, AuthoredCheckpoint } from './case-schema.ts'

export function compileCheckpoint(authored: AuthoredCheckpoint, helpers: CheckHelpers): Checkpoint {
  const { id, description, after = [], forbidden = false, required = !forbidden } = authored
  const [only, ...more] = [authored.assert ?? authored.assertion ?? []].flat()
  const assertion: Assertion =
    only !== undefined && more.length === 0
      ? only
      : { type: 'all_of', assertions: [only, ...more] as Assertion[] }
  return {
    id,
    ...defined({ description }),
    check: compileAssertion(assertion, 'turn', helpers),
    after,
    required,
    forbidden,
  }
}

/** Problems of the checkpoints as a whole: duplicate ids and the graph of `after`. */
export function findCheckpointIssues({ checkpoints }: AuthoredCase): Issue[] {
  if (checkpoints === undefined) return []
  const ids = checkpoints.map(({ id }) => id)
  const own = checkpoints.flatMap((checkpoint, index) => {
    const issues = [...checkpointConflicts(checkpoint), ...findAfterIssues(checkpoint, checkpoints)]
    return issues.map((issue) => ({ ...issue, path: ['checkpoints', index, ...issue.path] }))
  })
  const twice = ids.flatMap((id, index) => {
    if (ids.indexOf(id) === index) return []
    const message = `there are two checkpoints "${id}"`
    return [{ code: 'duplicate_id', path: ['checkpoints', index, 'id'], message }]
  })
  const cycle = findCycle(new Map(checkpoints.map(({ id, after = [] }) => [id, after])))
  const circular = cycle && {
    code: 'cycle',
    path: ['checkpoints', ids.indexOf(cycle[0] ?? ''), 'after'],
    message: `checkpoints have a circular dependency: ${[...cycle, cycle[0]].join(' → ')}`,
  }
  return [...own, ...twice, ...(circular ? [circular] : [])]
}

function checkpointConflicts({ id, assert, assertion, required, forbidden }: AuthoredCheckpoint): Issue[] {
  const issues: Issue[] = []
  const add = (code: string, path: string[], message: string) => issues.push({ code, path, message })
  const written = [assert ?? assertion ?? []].flat()
  if (assert !== undefined && assertion !== undefined)
    add('conflict', ['assertion'], '`assert` and `assertion` are the same: use one')
  if (written.length === 0) add('missing_key', [], `checkpoint ${id} needs an "assert"`)
  if (written.some(({ gates }) => gates !== undefined)) {
    const message = `checkpoint ${id}: "gates" has no effect here; use \`required: false\` for an optional checkpoint`
    add('conflict', [assert === undefined ? 'assertion' : 'assert'], message)
  }
  if (required && forbidden) add('conflict', ['forbidden'], `checkpoint ${id} is required and forbidden`)
  return issues
}

function findAfterIssues(
  { id, after = [] }: AuthoredCheckpoint,
  all: readonly AuthoredCheckpoint[],
): Issue[] {
  const ids = all.map((each) => each.id)
  return after.flatMap((name, index) => {
    if (all.find((each) => each.id === name)?.forbidden) {
      const message = `checkpoint ${id} can never be reached: it comes after "${name}", which is forbidden`
      return [{ code: 'conflict', path: ['after', index], message }]
    }
    if (ids.includes(name)) return []
    const guess = findNearest(name, ids)
    const hint = guess === undefined ? undefined : `did you mean "${guess}"?`
    const message = `unknown checkpoint "${name}" in \`after\``
    return [{ code: 'unknown_checkpoint', path: ['after', index], message, ...defined({ hint }) }]
  })
}

/** The ids of the first cycle, in the order in which they depend on each other. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>()
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return path.slice(path.indexOf(id))
    if (done.has(id)) return undefined
    for (const next of graph.get(id) ?? []) {
      const cycle = visit(next, [...path, id])
      if (cycle) return cycle
    }
    done.add(id)
    return undefined
  }
  for (const id of graph.keys()) {
    const cycle = visit(id, [])
    if (cycle) return cycle
  }
  return undefined
}
