import { dirname, resolve } from 'node:path'
import {
  type FailureScope,
  type FailureSignature,
  findFailureScope,
  hasReply,
  readReason,
} from '../../analysis/shrink/failure.ts'
import type { ReductionName } from '../../analysis/shrink/reduction-names.ts'
import type { Rule } from '../../analysis/shrink/rules.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import type { AgentLimits } from '../../cases/validate.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import { failureText } from '../../results/failure-text.ts'
import { findResult } from '../../results/find-result.ts'
import { type CaseResult, notRecorded } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import { findOwnFiles } from '../branch/own-files.ts'
import { isProjectAgent } from '../branch/recorded-agent.ts'
import type { PlayStart } from '../command-start.ts'
import { openSavedRun, resultsFile } from '../saved/saved-run.ts'
import { createOriginal, noStaticCase, type Original } from './original.ts'
import { findOwnCase, type OwnCase } from './own-case.ts'
import { findShrunkFile, type ShrunkFile } from './shrunk-file.ts'

/** What `viva shrink` is asked for. */
export interface ShrinkRequest {
  /** The results file, as it was given. */
  file: string
  /** The id or name of a case. */
  wanted: string
  variant?: string
  run: number
  output?: string
  /** Absent: it is found out how often the case fails. */
  rule?: Rule
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
  reason: FailureSignature
  scope: FailureScope
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
  const { shrinking, project, shell, warn } = needs
  const { file, wanted, variant, run, reply } = shrinking
  const path = resultsFile(file, shell.cwd)
  const { results } = await openSavedRun(file, {}, { shell, warn })
  const result = await findResult(results(), { from: file, wanted, run, ...defined({ variant }) })
  refuseWithoutFailure(result, file)
  const reason = readReason(result)
  if (reason === undefined) throw noStaticCase(result, 'depends on the simulated user')
  const scope = findFailureScope(reason, result)
  if (reply !== undefined) refuseOtherReply(result.view.turns[scope.last - 1], reply)
  const own = await readOwnCase(result, project, shrinking)
  const target = findShrunkFile(shrinking.output, { id: result.key.id, cwd: shell.cwd, results: path })
  const folder = dirname(target.path)
  const mayAttach = await findOwnFiles(result.key, folder, project)
  const mayJudge = (use: string) => isProjectAgent(use, folder, project)
  const original = (agent: AgentLimits) =>
    createOriginal({ result, reason, scope, own, from: file }, { ...agent, mayAttach, mayJudge })
  const write = (agent: AgentLimits) => original(agent).write()
  const shown = `${result.key.id} of ${file}`
  const input: DetectedInput = { kind: 'given', path: resolve(target.path), folder, shown, write }
  return { result, reason, scope, own, target, original, input }
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

function refuseOtherReply(turn: Turn | undefined, wanted: string): void {
  if (hasReply(turn, wanted)) return
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
): Promise<Data | undefined> {
  if (asRecorded) return undefined
  const own = await findOwnCase(result, project)
  if (own.is === 'same') return own.written
  if (own.is === 'unknown') return undefined
  throw changedCase(result, own)
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
