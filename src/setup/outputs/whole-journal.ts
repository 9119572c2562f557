import { renameSync, rmSync } from 'node:fs'
import { errorMessage, OutputError } from '../../errors.ts'
import { Journal, lockJournal } from '../../results/journal.ts'
import type { PlannedResults } from '../../results/planned-results.ts'
import { resolveLinks } from '../../system/resolve-links.ts'

/** Writes a journal beside its place, and moves it there when it is whole. */
export async function writeWholeJournal<Result>(
  path: string,
  plan: PlannedResults,
  work: (journal: Journal) => Promise<Result>,
): Promise<Result> {
  const target = resolveLinks(path)
  const draft = `${target}.${process.pid}.part`
  const lock = lockJournal(target)
  try {
    const result = await writeJournal(draft, plan, work)
    moveFile(draft, target)
    return result
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    lock.release()
  }
}

async function writeJournal<Result>(
  path: string,
  plan: PlannedResults,
  work: (journal: Journal) => Promise<Result>,
): Promise<Result> {
  const journal = Journal.create(path, plan)
  try {
    return await work(journal)
  } finally {
    journal.close()
  }
}

function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    throw new OutputError(`${to} cannot be written: ${errorMessage(error)}`)
  }
}
