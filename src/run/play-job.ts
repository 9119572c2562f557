import { isScriptTest, type Job, suiteAgent } from '../cases/entry.ts'
import { resultKey } from './jobs.ts'
import { playCase } from './play-case.ts'
import { playCaseOfSuite } from './play-suite-case.ts'
import { playTests } from './play-tests.ts'
import type { OnResult, Stage } from './stage.ts'

/** Plays the cases of a job. An error in one becomes its result and never ends the run. */
export async function playJob(
  job: Job,
  stage: Stage,
  signal: AbortSignal,
  onResult: OnResult,
): Promise<void> {
  if (job.entries.some(isScriptTest)) return playTests(job, stage, signal, onResult)
  const agent = stage.agents.get(job.variant)
  for (const entry of job.entries) {
    const key = resultKey(entry, job)
    stage.emit(
      entry.name === undefined
        ? { type: 'case_started', key }
        : { type: 'case_started', key, name: entry.name },
    )
    if (suiteAgent(entry) !== undefined) onResult(await playCaseOfSuite(entry, key, stage, signal), entry)
    else if (agent === undefined) throw new Error(`no agent for ${job.variant}`)
    else onResult(await playCase(entry, key, agent, stage, signal), entry)
  }
}
