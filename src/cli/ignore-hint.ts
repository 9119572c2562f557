import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Project } from '../project/project.ts'
import type { Environment } from '../system/environment.ts'
import { makeVivaFolder } from '../system/viva-folder.ts'

/** Results that are beside the cases because no `-o` was given. */
const defaultName = /^output-\d{14}(-\d+)?\.jsonl$/

/** Once in a project, where git would take such results for files to commit. */
export function ignoreHint(journal: string, { root }: Project, env: Environment): string | undefined {
  const given = join(root, '.viva', 'gitignore-hint')
  if (!defaultName.test(basename(journal)) || existsSync(given) || !isUnignored(journal, env))
    return undefined
  try {
    makeVivaFolder(root)
    writeFileSync(given, 'The hint to add output-*.jsonl to .gitignore was given.\n')
  } catch {
    // Where nothing can be remembered, it is given again.
  }
  return 'Hint: add output-*.jsonl to .gitignore, so that results are not committed'
}

/** Git answers 1 for a file that it would not ignore; where there is no git, or no repository, something else. */
function isUnignored(path: string, env: Environment): boolean {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', path], {
    cwd: dirname(path),
    env,
    stdio: 'ignore',
    timeout: 5000,
  })
  return status === 1
}
