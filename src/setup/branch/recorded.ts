import { dirname, join, relative, resolve } from 'node:path'
import { agentFolder } from '../../agents/agent-names.ts'
import { type BranchAgent, type BranchedCase, branchCase } from '../../cases/branched-case.ts'
import type { CheckAccess } from '../../cases/repeatable-check.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import type { AgentLimits } from '../../cases/validate.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import { findResult } from '../../results/find-result.ts'
import { type CaseResult, notRecorded } from '../../results/result.ts'
import type { PlayStart } from '../command-start.ts'
import type { RunRequest } from '../phases/settings.ts'
import { openSavedRun, resultsFile } from '../saved/saved-run.ts'
import { type Move, moveReferences } from './moved-references.ts'
import { findOwnFiles } from './own-files.ts'
import { findRecordedAgent, isProjectAgent } from './recorded-agent.ts'

/** What `viva branch` is asked for. */
export interface BranchRequest {
  /** The results file, as it was given. */
  file: string
  /** The id or name of a case. */
  wanted: string
  variant?: string
  run: number
  /** Undefined where it was not given. */
  turn?: number
  says: readonly string[]
  /** A case file to which the branch is added. */
  save?: string
}

export interface BranchStart extends PlayStart {
  branch: BranchRequest
}

/** A recorded conversation, and where it is left. */
export interface Recorded {
  result: CaseResult
  turn: number
  /** The results file. */
  path: string
  /** The case that goes on with it, for the agent under test. */
  branch(agent: AgentLimits): BranchedCase
  input: DetectedInput
}

interface RecordedNeeds extends BranchStart {
  project: Project
}

export const branchedResultPhase = { name: 'recorded', open: openRecorded } as const

async function openRecorded({ branch, request, project, shell, warn }: RecordedNeeds): Promise<Recorded> {
  const { file, wanted, variant, run, says } = branch
  const path = resultsFile(file, shell.cwd)
  const { results } = await openSavedRun(file, {}, { shell, warn })
  const result = await findResult(results(), { from: file, wanted, run, ...defined({ variant }) })
  refuseWithoutConversation(result, file)
  const goesOn = says.length > 0 || request.interactive
  const turn = checkTurn(result, branch.turn, goesOn)
  const from = caseFolder(result, project)
  // What is played is what is saved.
  const folder = branch.save === undefined ? from : dirname(resolve(shell.cwd, branch.save))
  const move = { from, to: folder, agentFolder: testedFolder(result, request, project) }
  const place = await describePlace(result, move, project)
  const about = `branched from ${file}, case ${result.key.id}, turn ${turn}`
  const create = (agent: AgentLimits) =>
    branchCase(
      {
        result,
        turn,
        name: result.name === undefined ? about : `${result.name} (${about})`,
        ...defined({ says: goesOn ? says : undefined, onMissingInput: request.onMissingInput }),
      },
      { ...agent, ...place } satisfies BranchAgent,
    )
  const shown = `${result.key.id} of ${file}, from turn ${turn}`
  const write = (agent: AgentLimits) => create(agent).write()
  return { result, turn, path, branch: create, input: { kind: 'given', path, folder, shown, write } }
}

function refuseWithoutConversation({ key, script, status, view }: CaseResult, file: string): void {
  const problem =
    script !== undefined
      ? 'is a script test, which has no conversation'
      : view.turns.length === 0
        ? `has no conversation to go on with: it is ${status.replace('_', ' ')}`
        : view.turns.some(({ input }) => input.value === notRecorded)
          ? 'was recorded without its conversation (--no-transcripts)'
          : undefined
  if (problem !== undefined)
    throw new ConfigError({ code: 'no_conversation', message: `${file}: ${key.id} ${problem}` })
}

/** After the last turn, somebody must say something new. A message without a reply is sent again. */
function checkTurn({ key, view }: CaseResult, turn: number | undefined, goesOn: boolean): number {
  const last = view.turns.length
  const isAnswered = view.turns.at(-1)?.reply !== undefined
  const most = goesOn && isAnswered ? last + 1 : last
  if (turn !== undefined && turn >= 1 && turn <= most) return turn
  const count = last === 1 ? '1 turn' : `${last} turns`
  const range = most === 1 ? '--turn 1' : `--turn 1 to ${most}`
  const more = !isAnswered
    ? `; turn ${last} was not answered, so nothing can come after it`
    : goesOn
      ? ''
      : `, or ${last + 1} with --say or --interactive`
  throw new ConfigError({
    code: 'bad_flag',
    message: `${turn === undefined ? '--turn is missing' : `--turn ${turn}`}: ${key.id} has ${count}`,
    hint: `give ${range}${more}`,
  })
}

/** What a case may ask and attach that is written to another folder, and how it names that there. */
export async function describePlace(
  { key }: CaseResult,
  move: Move,
  project: Project,
): Promise<CheckAccess & Pick<BranchAgent, 'attach'>> {
  return {
    attach: await findOwnFiles(key, move, project),
    mayJudge: (use) => isProjectAgent(use, move.from, project),
    rename: moveReferences(move, project),
  }
}

/** The folder of the agent that goes on, if it is a package: scripts of cases are looked up there too. */
export function testedFolder(
  { key: { variant } }: CaseResult,
  { names: [name] }: Pick<RunRequest, 'names'>,
  project: Project,
): string | undefined {
  return agentFolder(name ?? variant.replace(/@.*/s, ''), project)
}

/** Files and scripts of the case are looked up beside its file, as long as that is in the project. */
export function caseFolder({ key: { file } }: CaseResult, { root, cwd }: Project): string {
  const folder = dirname(join(root, file))
  return file === '' || relative(root, folder).startsWith('..') ? cwd : folder
}

export const recordedInputsPhase = {
  name: 'inputs',
  open: ({ recorded }: { recorded: Recorded }): readonly DetectedInput[] => [recorded.input],
} as const

/** The request, with the agent of the recorded run where none is named. */
export function withRecordedAgent(
  request: RunRequest,
  { result }: Pick<Recorded, 'result'>,
  project: Project,
): RunRequest {
  const [name] = request.names
  if (name !== undefined) return request
  const { name: recorded, connector } = findRecordedAgent(result.key.variant, project)
  const [given = connector] = request.connectors
  return { ...request, names: [recorded], connectors: [given] }
}
