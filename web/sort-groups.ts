import type { Group } from './group-rows.ts'
import { outcomes } from './outcomes.ts'

/** `status`: failures first. `order`: as in the file. With a minus, the reverse. */
export const sorts = [
  'status',
  'order',
  '-order',
  'id',
  '-id',
  'duration',
  '-duration',
  'cost',
  '-cost',
  'turns',
  '-turns',
] as const
export type Sort = (typeof sorts)[number]

export function sortGroups(groups: readonly Group[], sort: Sort): Group[] {
  const sorted = [...groups]
  const field = sort.replace('-', '')
  if (field === 'id') {
    const collator = new Intl.Collator('en', { numeric: true })
    sorted.sort((left, right) => collator.compare(left.head.id, right.head.id))
  } else if (field !== 'order') {
    sorted.sort((left, right) => figure(left, field) - figure(right, field))
  }
  return sort.startsWith('-') ? sorted.reverse() : sorted
}

/** The order after a click on a column: up, down, and back to failures first. */
export function nextSort(current: Sort, field: string): Sort {
  // Numbers are sorted in descending order first.
  const steps = field === 'id' || field === 'order' ? [field, `-${field}`] : [`-${field}`, field]
  const next = [...steps, 'status'][steps.indexOf(current) + 1]
  return sorts.find((sort) => sort === next) ?? 'status'
}

function figure(group: Group, field: string): number {
  if (field === 'duration') return group.durationMs
  if (field === 'turns') return group.turns
  if (field === 'cost') return group.cost ?? -1
  const rank = outcomes.indexOf(group.worst)
  // A flaky case needs more attention than one that just passed.
  return group.worst === 'passed' && group.flaky ? rank - 0.5 : rank
}
