import { ConfigError } from '../../errors.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { resultKey } from '../../run/jobs.ts'
import type { RunPlan } from '../../run/run.ts'
import type { SavedRecording } from '../../scope/recording/recording.ts'
import { pluralize } from '../../text/counted.ts'
import type { OptionNames } from '../option-names.ts'

const mostListed = 10

/** Throws when plays of the run are not in the recording. `mayStop`: a recording may end where a run stopped early. */
export function checkRecorded(
  { jobs }: RunPlan,
  recording: SavedRecording,
  shown: string,
  redact: Redactor,
  names: OptionNames,
  mayStop: boolean,
): void {
  const missing: string[] = []
  let total = 0
  for (const job of jobs) {
    for (const entry of job.entries) {
      if (entry.skipped) continue
      const key = redactKey(resultKey(entry, job), redact)
      total += 1
      if (recording.find(key) === undefined)
        missing.push(key.run === 1 ? key.id : `${key.id} (run ${key.run})`)
    }
  }
  if (missing.length === 0 || (mayStop && missing.length < total)) return
  const listed = missing.slice(0, mostListed).join(', ')
  const more = missing.length - mostListed
  throw new ConfigError({
    code: 'not_in_recording',
    message:
      missing.length === total
        ? `${shown} is a recording of other cases: it has ${describe(recording)}`
        : `${shown} has no recording of ${listed}${more > 0 ? ` and ${more} more` : ''}`,
    hint: `${names.addMissing} plays them and adds them to the recording`,
  })
}

/** `7 plays of "greeting", "flow" … with expense@scripted` */
function describe(recording: SavedRecording): string {
  const keys = [...recording.keys()].filter(({ variant }) => variant !== '')
  if (keys.length === 0) return 'no cases'
  const ids = [...new Set(keys.map(({ file, id }) => `${file}:${id}`))]
  const some = ids.slice(0, 3)
  const variants = [...new Set(keys.map(({ variant }) => variant))]
  return `${pluralize(ids.length, 'case')}, such as ${some.join(', ')}, with ${variants.join(', ')}`
}
