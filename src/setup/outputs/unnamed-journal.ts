import { dirname, join } from 'node:path'
import { errorMessage, OutputError } from '../../errors.ts'
import type { Project } from '../../project/project.ts'
import { Journal } from '../../results/journal.ts'
import { LockedError } from '../../results/lock.ts'
import type { PlannedResults } from '../../results/planned-results.ts'
import { makeFolder } from '../../system/make-folder.ts'
import { makeVivaFolder } from '../../system/viva-folder.ts'

/** Results that nobody gave a place. */
export function openUnnamed(
  plan: PlannedResults,
  project: Project,
  { beside, keptIn = 'runs' }: { beside: string | undefined; keptIn: string | undefined },
): Journal {
  if (beside !== undefined) return createUntaken(join(dirname(beside), `output-${timestamp()}`), plan)
  const folder = join(project.root, '.viva')
  try {
    makeFolder(join(makeVivaFolder(project.root), keptIn))
  } catch (error) {
    throw new OutputError(`${folder} cannot be written: ${errorMessage(error)}`)
  }
  return createUntaken(join(folder, keptIn, timestamp()), plan)
}

/** Two runs in the same second get a file each. */
function createUntaken(base: string, plan: PlannedResults): Journal {
  for (let suffix = 1; ; suffix++) {
    try {
      return Journal.create(`${base}${suffix === 1 ? '' : `-${suffix}`}.jsonl`, plan, { exclusive: true })
    } catch (error) {
      const isTaken = error instanceof LockedError || (error as NodeJS.ErrnoException).code === 'EEXIST'
      if (!isTaken) throw error
    }
  }
}

/** `20241217100000`, local time. */
function timestamp(): string {
  const now = new Date()
  const parts = [
    now.getFullYear(),
    now.getMonth() + 1,
    now.getDate(),
    now.getHours(),
    now.getMinutes(),
    now.getSeconds(),
  ]
  return parts.map((part) => String(part).padStart(2, '0')).join('')
}
