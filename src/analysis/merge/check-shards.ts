import type { Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { sortedJson } from '../../json/json.ts'
import { originText } from '../../reporters/origin-text.ts'
import { oneLine } from '../../reporters/printable.ts'
import { ResultPlan } from '../../results/planned-results.ts'
import type { RefusedFile, ShardFile } from './shard-file.ts'

interface Criterion {
  of(file: ShardFile): unknown
  what: string
  /** Whether it can be shown in a message. */
  isShown?: boolean
  hint?: string
}

/** What must be the same in all shards of a run. */
const same: readonly Criterion[] = [
  { of: ({ start }) => start.shard.of, what: 'the number of shards', isShown: true },
  { of: ({ start }) => start.shard.by, what: 'how the cases are divided (--shard-by)', isShown: true },
  {
    of: ({ start: { origin } }) => (origin === undefined ? 'a live run' : originText(origin)),
    what: 'where the results come from (--replay, --live)',
    isShown: true,
    hint: 'run all shards live, or replay them all from one recording: cat joins those of shards',
  },
  { of: ({ start }) => start.variants, what: 'the agents' },
  { of: ({ start }) => start.runs, what: 'the number of runs (--runs)', isShown: true },
  { of: ({ start }) => start.seed, what: 'the seed (--seed)', isShown: true },
  { of: ({ start }) => start.gates, what: 'the gates' },
  { of: ({ start }) => start.environment, what: 'the user, team or locale' },
  {
    of: ({ start: { shard } }) => [shard.planHash, shard.totalCases, shard.agentId],
    what: 'the cases',
    hint: 'run all shards with the same files and the same flags',
  },
  {
    of: ({ start }) => start.shard.division,
    what: 'which case is in which shard',
    hint: 'with --shard-by time, all shards need the same history',
  },
]

/** Finds out whether these are all shards of one run, each of them once. */
export function findShardProblems(files: readonly ShardFile[], refused: readonly RefusedFile[]): Problem[] {
  const [first, ...others] = files
  if (first === undefined) return []
  const problems = others.flatMap((other) => differenceFrom(first, other))
  if (others.some(({ start }) => start.shard.of !== first.start.shard.of)) return problems
  return [...problems, ...findRepeated(files), ...findMissing(files, refused)]
}

/** The first difference explains those after it: other cases are divided in another way. */
function differenceFrom(first: ShardFile, other: ShardFile): Problem[] {
  const different = same.find(({ of }) => sortedJson(of(first) ?? null) !== sortedJson(of(other) ?? null))
  if (different === undefined) return []
  const { of, what, isShown = false, hint } = different
  const values = [of(other), of(first)].map((value) => oneLine(String(value ?? 'none')))
  const message = `${other.file} and ${first.file} are not of one run: they differ in ${what}${isShown ? `: ${values.join(' and ')}` : ''}`
  return [{ code: 'other_run', message, ...defined({ hint }) }]
}

function findRepeated(files: readonly ShardFile[]): Problem[] {
  const byIndex = new Map<number, string[]>()
  for (const { file, start } of files)
    byIndex.set(start.shard.index, [...(byIndex.get(start.shard.index) ?? []), file])
  return [...byIndex].flatMap(([index, names]) => {
    if (names.length === 1) return []
    const message = `shard ${index}/${files[0]?.start.shard.of} is there ${names.length} times: ${names.join(', ')}`
    return [{ code: 'repeated_shard', message }]
  })
}

function findMissing(files: readonly ShardFile[], refused: readonly RefusedFile[]): Problem[] {
  const of = files[0]?.start.shard.of ?? 0
  const found = new Set([
    ...files.map(({ start }) => start.shard.index),
    ...refused.map(({ index }) => index),
  ])
  const missing = Array.from({ length: of }, (_, place) => place + 1).filter((index) => !found.has(index))
  if (missing.length === 0) return []
  const names = missing.map((index) => `${index}/${of}`).join(', ')
  return [
    {
      code: 'missing_shard',
      message: missing.length === 1 ? `shard ${names} is missing` : `shards ${names} are missing`,
    },
  ]
}

/** The results of all shards. A case that is in two of them is a problem: one of the files was changed. */
export function joinPlans(files: readonly ShardFile[]): { plan: ResultPlan; problems: Problem[] } {
  const plan = new ResultPlan()
  const problems: Problem[] = []
  for (const { file, plan: own } of files) {
    let repeated: string | undefined
    for (const { key } of own.keys()) {
      if (plan.has(key)) repeated ??= key.id
      else plan.set(key, own.hash(key) ?? '')
    }
    if (repeated === undefined) continue
    const message = `${file} has results that another shard has too, such as those of ${oneLine(repeated)}`
    problems.push({ code: 'repeated_case', message })
  }
  return { plan, problems }
}
