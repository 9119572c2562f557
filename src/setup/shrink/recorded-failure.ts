import { basename, dirname, join, relative, resolve } from 'node:path'
import type { ReductionName } from '../../analysis/shrink/reduction-names.ts'
import { hasReply, SameFailure } from '../../analysis/shrink/same-failure.ts'
import type { Reference } from '../../cases/references.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import type { AgentLimits } from '../../cases/validate.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import type { Project } from '../../project/project.ts'
import { failureText } from '../../results/failure-text.ts'
import { findResult } from '../../results/find-result.ts'
import { type CaseResult, notRecorded } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { type Move, moveReferences } from '../branch/moved-references.ts'
import { caseFolder, describePlace, testedFolder } from '../branch/recorded.ts'
import type { PlayStart } from '../command-start.ts'
import { knownProcesses } from '../requests/known-process.ts'
import { openSavedRun, resultsFile } from '../saved/saved-run.ts'
import { listFrameReferences, noStaticCase } from './frame.ts'
import { createOriginal, type Original } from './original.ts'
import { findOwnCase, type OwnCase } from './own-case.ts'
import { ShrunkFile } from './shrunk-file.ts'

/** What `viva shrink` is asked for. */
export interface ShrinkRequest {
  /** The results file, as it was given. */
  file: string
  /** The id or name of a case. */
  wanted: string
  variant?: string
  /** Absent: the first run that failed. */
  run?: number
  output?: string
  /** In how many of how many runs a case must fail. Absent: it is found out how often it does. */
  runs?: { least: number; most: number }
  only?: readonly ReductionName[]
  /** A text that the failing reply must contain. */
  reply?: string
  /** Whatever is replied, a failure of the same check counts. */
  anyReply: boolean
  /** The results file is enough, even if the case has changed since. */
  asRecorded: boolean
}

export interface ShrinkStart extends PlayStart {
  shrinking: ShrinkRequest
}

/** A failed conversation, and what is made of it. */
export interface RecordedFailure {
  result: CaseResult
  /** As the case that is written names it. */
  failure: SameFailure
  /** Of the recorded run. */
  seed?: number
  /** Nobody knows which tools were stubbed, and all that were called were: no other is called. */
  stubsAll: boolean
  /** The case of the result, if it is still the same. */
  own: Data | undefined
  target: ShrunkFile
  /** The whole conversation as a static case for the agent under test. */
  original(agent: AgentLimits): Original
  input: DetectedInput
}

interface RecordedNeeds extends ShrinkStart {
  project: Project
}

export const recordedFailurePhase = { name: 'recorded', open: openRecordedFailure } as const

async function openRecordedFailure(needs: RecordedNeeds): Promise<RecordedFailure> {
  const { shrinking, project, request, shell, warn } = needs
  const { file, wanted, variant, reply, anyReply } = shrinking
  const run = shrinking.run ?? ((each: CaseResult) => findProblem(each) === undefined)
  const path = resultsFile(file, shell.cwd)
  const { start, results } = await openSavedRun(file, {}, { shell, warn })
  const result = await findResult(results(), { from: file, wanted, run, ...defined({ variant }) })
  refuseWithoutFailure(result, file)
  const failure = SameFailure.fromRecording(result, { anyReply, ...defined({ reply }) })
  if (failure === undefined) throw noStaticCase(result, 'depends on the simulated user')
  refuseOtherReply(result, failure, reply)
  const { own, stubNames } = await readOwnCase(result, project, shrinking)
  const from = caseFolder(result, project)
  const moveTo = (to: string): Move => ({ from, to, agentFolder: testedFolder(result, request, project) })
  const references = listFrameReferences(failure, own)
  const isFoundHere = findLost(references, moveTo(shell.cwd), project) === undefined
  const target = new ShrunkFile(shrinking.output, {
    id: result.key.id,
    cwd: shell.cwd,
    folder: isFoundHere ? shell.cwd : from,
    results: path,
  })
  const folder = dirname(target.path)
  refuseLost(findLost(references, moveTo(folder), project), target, from, shell.cwd)
  const place = await describePlace(result, moveTo(folder), project)
  const isProcess = knownProcesses(project)
  const original = (agent: AgentLimits) =>
    createOriginal({ result, failure, own, stubNames, isProcess, from: file }, { ...agent, ...place })
  const write = (agent: AgentLimits) => original(agent).write()
  const shown = `${result.key.id} of ${file}`
  const input: DetectedInput = { kind: 'given', path: resolve(target.path), folder, shown, write }
  const stubsAll = own === undefined && stubNames.length === 0 && wasEveryCallStubbed(result)
  const played = failure.renamed(place.rename)
  return { result, failure: played, own, target, original, input, stubsAll, ...defined({ seed: start.seed }) }
}

/** What the case needs and cannot name from the other folder. */
function findLost(references: readonly Reference[], move: Move, project: Project): string | undefined {
  const rename = moveReferences(move, project)
  return references.find((reference) => rename(reference) === undefined)?.name
}

function refuseLost(name: string | undefined, { path, shown }: ShrunkFile, from: string, cwd: string): void {
  if (name === undefined) return
  throw new ConfigError({
    code: 'bad_output',
    message: `-o ${shown}: ${name} is only found beside the case file`,
    hint: `write the case there, with -o ${shellQuote(relative(cwd, join(from, basename(path))))}`,
  })
}

function refuseWithoutFailure(result: CaseResult, file: string): void {
  const problem = findProblem(result)
  if (problem !== undefined)
    throw new ConfigError({ code: 'no_failure', message: `${file}: ${result.key.id} ${problem}` })
}

/** Why there is no failure of the agent in a conversation. */
function findProblem(result: CaseResult): string | undefined {
  const { script, status, fault, failure, termination, view } = result
  if (script !== undefined) return 'is a script test, which has no conversation'
  if (status === 'passed') return 'passed: there is no failure to shrink'
  if (status !== 'failed') return `was not judged: it is ${status.replace('_', ' ')}`
  if (fault !== 'agent') {
    const whose = fault === 'viva' ? 'because of a bug in viva' : 'for a reason that is not the agent’s'
    return `failed ${whose}: ${failureText(failure, termination)}`
  }
  if (view.turns.length === 0) return 'has no conversation'
  return view.turns.some(({ input }) => input.value === notRecorded)
    ? 'was recorded without its conversation (--no-transcripts)'
    : undefined
}

function refuseOtherReply(
  result: CaseResult,
  { recordedTurn, comparesReplies }: SameFailure,
  wanted: string | undefined,
): void {
  if (comparesReplies && recordedTurn?.reply === undefined)
    throw noStaticCase(
      result,
      'means that something is missing, and there is no reply to compare others with',
      {
        hint: 'use --any-reply to count every failure of the same check',
      },
    )
  if (wanted === undefined || hasReply(recordedTurn, wanted)) return
  throw new ConfigError({
    code: 'bad_flag',
    message: `--reply ${wanted}: the recorded reply does not contain it`,
    hint: 'give a part of the reply that is wrong',
  })
}

async function readOwnCase(
  result: CaseResult,
  project: Project,
  { asRecorded }: ShrinkRequest,
): Promise<{ own: Data | undefined; stubNames: readonly string[] }> {
  const own = await findOwnCase(result, project)
  const stubNames = 'written' in own ? listStubNames(own.written) : []
  if (asRecorded || own.is === 'unknown') return { own: undefined, stubNames }
  if (own.is === 'same') return { own: own.written, stubNames }
  throw changedCase(result, own)
}

function wasEveryCallStubbed({ view }: CaseResult): boolean {
  const calls = view.turns.flatMap(({ reply }) =>
    reply === undefined || reply.toolCalls === 'hidden' ? [] : reply.toolCalls,
  )
  return calls.length > 0 && calls.every(({ stubbed }) => stubbed === true)
}

/** Results files do not have stubs that were not called. Their tools must not be called for real either. */
function listStubNames({ stubs, turns }: Data): string[] {
  const all = [stubs, ...(Array.isArray(turns) ? turns : []).map((turn) => isRecord(turn) && turn.stubs)]
  return all.flatMap((each) => (isRecord(each) ? Object.keys(each) : []))
}

function changedCase({ key: { file, id } }: CaseResult, { is }: OwnCase): ConfigError {
  const what = is === 'gone' ? `${id} is not in ${file} any more` : `${id} in ${file} has changed`
  return new ConfigError({
    code: 'changed_case',
    message: `${what} since it was recorded, so it may fail for another reason`,
    hint: 'run it again with viva test, or use --as-recorded to shrink what was recorded',
  })
}

export const recordedFailureInputsPhase = {
  name: 'inputs',
  open: ({ recorded }: { recorded: RecordedFailure }): readonly DetectedInput[] => [recorded.input],
} as const
