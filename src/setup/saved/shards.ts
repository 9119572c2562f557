import { findShardProblems, joinPlans } from '../../analysis/merge/check-shards.ts'
import { type RefusedFile, readShardFile, type ShardFile } from '../../analysis/merge/shard-file.ts'
import { ConfigError } from '../../errors.ts'
import type { ResultPlan } from '../../results/planned-results.ts'
import { resultsFile } from './saved-run.ts'

interface OpenShards {
  /** In the order of their numbers. */
  files: readonly [ShardFile, ...ShardFile[]]
  /** The results of all of them. */
  plan: ResultPlan
}

/** Opens the results of all shards of a run. Throws everything that is wrong with them at once. */
export async function openShards(names: readonly string[], cwd: string): Promise<OpenShards> {
  const found: ShardFile[] = []
  const refused: RefusedFile[] = []
  for (const name of names) {
    const file = await openShard(name, cwd)
    if ('problem' in file) refused.push(file)
    else found.push(file)
  }
  found.sort((one, other) => one.start.shard.index - other.start.shard.index)
  const problems = [...refused.map(({ problem }) => problem), ...findShardProblems(found, refused)]
  const [first, ...others] = found
  if (problems.length > 0 || first === undefined) throw new ConfigError(problems)
  const files = [first, ...others] as const
  const { plan, problems: repeated } = joinPlans(files)
  if (repeated.length > 0) throw new ConfigError(repeated)
  return { files, plan }
}

async function openShard(name: string, cwd: string): Promise<ShardFile | RefusedFile> {
  try {
    return await readShardFile(resultsFile(name, cwd), name)
  } catch (error) {
    const problem = error instanceof ConfigError ? error.problems[0] : undefined
    if (problem === undefined) throw error
    return { problem }
  }
}
