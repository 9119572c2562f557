import type { CaseList } from '../../cases/case-list.ts'
import type { CaseEntry, CaseSource, ConversationCase } from '../../cases/entry.ts'
import { describeChangedMessages } from '../../conversation/changed-messages.ts'
import { ConfigError, type Problem } from '../../errors.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { createRedaction, type RedactEvent } from '../../privacy/redaction.ts'
import { isGradable } from '../../results/gradable.ts'
import { type CaseResult, notRecorded } from '../../results/result.ts'
import type { SavedResults } from '../../results/saved-results.ts'
import { listFirst } from '../../results/unreadable-lines.ts'
import { type JobList, makeJobs, planResults, resultKey } from '../../run/jobs.ts'
import type { RunPlan } from '../../run/run.ts'
import { pluralize } from '../../text/counted.ts'
import type { CommandStart } from '../command-start.ts'
import type { PlayedAgents } from './agents.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Source } from './source.ts'

interface GradedPlanNeeds extends Pick<CommandStart, 'warn' | 'signal'> {
  cases: CaseList
  agents: PlayedAgents
  settings: Settings
  source: Source
  recorded: SavedResults
  secrets: Secrets
}

/** One job for each recorded result. Conversations that are not those of their cases any more are refused here. */
export const gradedPlanPhase = {
  name: 'plan',
  open: (needs: GradedPlanNeeds) => openPlan(needs, 'taken over as they are'),
} as const

/** The same where results without a complete conversation are of no use. */
export const mutatedPlanPhase = {
  name: 'plan',
  open: (needs: GradedPlanNeeds) => openPlan(needs, 'left out'),
} as const

async function openPlan(
  { cases, agents, settings, recorded, secrets, ...needs }: GradedPlanNeeds,
  fate: string,
): Promise<RunPlan> {
  const redact = secrets.redact()
  const jobs = makeJobs(cases, agents.keys(), settings.runs).filter((job) =>
    job.entries.some((entry) => recorded.has(redactKey(resultKey(entry, job), redact))),
  )
  nameOtherAgents(cases, jobs, { recorded, file: settings.graded ?? '', redact, warn: needs.warn })
  const inspection = new Inspection(needs.source.cases, settings, redact)
  for (const job of jobs) {
    needs.signal.throwIfAborted()
    for (const entry of job.entries) {
      const result = await recorded.find(redactKey(resultKey(entry, job), redact))
      if (result !== undefined) await inspection.add(entry, result)
    }
  }
  inspection.end(needs.warn, fate)
  return { jobs, expected: planResults(jobs, redact) }
}

interface GradedPlanTexts {
  /** The name of the results file. */
  file: string
  redact: Redactor
  warn(text: string): void
}

/** The case of a suite names its agent, which may be another one now than in the results. */
function nameOtherAgents(
  cases: CaseList,
  jobs: JobList,
  { recorded, file, redact, warn }: GradedPlanTexts & { recorded: SavedResults },
): void {
  const graded = new Set<string>()
  for (const { entries } of jobs) for (const { file: from, id } of entries) graded.add(caseName(from, id))
  const missing = cases.filter(({ file: from, id }) => !graded.has(caseName(from, id)))
  if (missing.length === 0) return
  const ids = listFirst(Array.from(missing, ({ id }) => redact(id)))
  const message = `${file} has results of ${pluralize(missing.length, 'case')} only with other agents than now: ${ids}`
  if (jobs.length === 0) {
    const hint = `its results are of ${listFirst(recorded.variants)}: run the cases again`
    throw new ConfigError({ code: 'nothing_in_common', message, hint })
  }
  warn(message)
}

function caseName(file: string, id: string): string {
  return JSON.stringify([file, id])
}

/** So many changed cases are listed. */
const mostListed = 20

/** Looks at every recorded conversation before the first is graded. */
class Inspection {
  readonly #source: CaseSource
  readonly #file: string
  readonly #redact: Redactor
  readonly #isMasked: boolean
  readonly #problems: Problem[] = []
  #changed = 0
  #ungradable = 0
  /** The runs of a case come one after the other. */
  #last: { id: string; file: string; played: ConversationCase | undefined; isChanged: boolean } | undefined

  constructor(source: CaseSource, { graded = '', masks }: Settings, redact: Redactor) {
    this.#source = source
    this.#file = graded
    this.#redact = createRecordedRedactor(masks, redact)
    this.#isMasked = masks.length > 0
  }

  async add(entry: CaseEntry, result: CaseResult): Promise<void> {
    if (!isGradable(result)) {
      this.#ungradable += 1
      return
    }
    if (result.view.turns.some(({ input }) => input.value === notRecorded)) throw noTranscripts(this.#file)
    const own = await this.#load(entry)
    if (own.played === undefined || own.isChanged) return
    const change = own.played.skip === undefined ? this.#describeChange(own.played, result) : undefined
    if (change === undefined) return
    own.isChanged = true
    this.#changed += 1
    const { id, file, line } = entry
    const message = `the recorded conversation is not one of this case any more: ${change}`
    if (this.#changed <= mostListed) this.#problems.push({ code: 'changed_case', message, id, file, line })
  }

  #describeChange({ plan, givenHash }: ConversationCase, result: CaseResult): string | undefined {
    const how = { isMasked: this.#isMasked }
    const change = describeChangedMessages(plan, result, this.#redact, how)
    // Earlier versions wrote none.
    const isSame = result.givenHash === undefined || result.givenHash === givenHash
    return change ?? (isSame ? undefined : 'its stubs, metadata, options, user or team are others now')
  }

  async #load(entry: CaseEntry) {
    const { id, file } = entry
    if (this.#last?.id === id && this.#last.file === file) return this.#last
    const loaded = await this.#source.load(entry)
    // A suite compares the messages in its own process.
    const played = loaded.kind === 'conversation' ? loaded : undefined
    this.#last = { id, file, played, isChanged: false }
    return this.#last
  }

  /** `fate`: what becomes of results without a complete conversation. */
  end(warn: (text: string) => void, fate: string): void {
    if (this.#changed > 0) throw changedCases(this.#problems, this.#changed)
    if (this.#ungradable > 0)
      warn(
        `${this.#file}: ${pluralize(this.#ungradable, 'result has', 'results have')} no complete conversation (infrastructure errors, skipped, not run): ${fate}`,
      )
  }
}

function changedCases(problems: readonly Problem[], count: number): ConfigError {
  const hint =
    'only checks, checkpoints and conditions may change: run such cases again, or leave them out with --run; results written with --mask need the same --mask'
  const more = count - problems.length
  if (more > 0)
    return new ConfigError([...problems, { code: 'changed_case', message: `${more} more such cases`, hint }])
  return new ConfigError(
    problems.map((problem, place) => (place === problems.length - 1 ? { ...problem, hint } : problem)),
  )
}

function noTranscripts(file: string): ConfigError {
  const message = `${file} was written with --no-transcripts: there are no conversations in it`
  return new ConfigError({ code: 'no_transcripts', message })
}

/** Makes of what a case says what a results file has of it. */
export function createRecordedRedactor(masks: readonly string[], redact: Redactor): Redactor {
  const { redactEvent } = createRedaction({ masks, transcripts: true })
  return <T>(value: T) => redact(masked(value, redactEvent) as T)
}

const anyKey = { file: '', id: '', variant: '', run: 1, attempt: 1 }

function masked(value: unknown, redactEvent: RedactEvent): unknown {
  const event = redactEvent({
    type: 'turn',
    key: anyKey,
    turn: {
      number: 1,
      source: 'static',
      input: { value, message: { role: 'user', content: '' } },
      checks: [],
      awaiting: { awaiting: false, reason: 'no_reply' },
      durationMs: 0,
    },
  })
  return event?.type === 'turn' ? event.turn.input.value : value
}
