import type { Draft, DraftTurn } from '../../analysis/shrink/draft.ts'
import type { FailureSignature } from '../../analysis/shrink/failure.ts'
import { guardTools, isSameTool } from '../../analysis/shrink/guards.ts'
import type { SameFailure } from '../../analysis/shrink/same-failure.ts'
import type { Candidate } from '../../analysis/shrink/tester.ts'
import { type CaseFrame, writeCandidate } from '../../analysis/shrink/write-candidate.ts'
import type { BranchAgent } from '../../cases/branched-case.ts'
import { isMessageList } from '../../cases/input.ts'
import { KeptFiles } from '../../cases/kept-files.ts'
import { recordedStubsByTurn } from '../../cases/recorded-stubs.ts'
import { repeatableCheck } from '../../cases/repeatable-check.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import { type ReadConversation, readConversation } from '../../results/case-from-result.ts'
import { failureText } from '../../results/failure-text.ts'
import { resultToLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'

/** A failed conversation, and the case that it was played from. */
export interface OriginalFailure {
  result: CaseResult
  failure: SameFailure
  own: Data | undefined
  /** The tools that its file stubs, even if the case has changed since. */
  stubNames: readonly string[]
  /** Processes are called by scripts, and their calls are in no reply. */
  isProcess(name: string): boolean
  /** The results file, as it was given. */
  from: string
}

/** The conversation that is made smaller, as a static case. */
export interface Original {
  draft: Draft
  frame: CaseFrame
  /** Whether turns may be given to the agent as history. */
  mayReplay: boolean
  /** What is different from the recorded conversation. */
  notes: readonly string[]
  /** As it is written to the file. */
  write(candidate?: Candidate): Data
  /** As it is played: no tool whose stub was left out is called for real. */
  writeGuarded(candidate: Candidate): Data
}

/** What a case has for its whole conversation. */
const kept = ['user', 'team', 'metadata', 'options', 'before', 'after', 'timeout', 'turn_timeout'] as const

export function createOriginal(failure: OriginalFailure, agent: BranchAgent): Original {
  const { result, own } = failure
  const { scope } = failure.failure
  const conversation = readConversation(resultToLine(result))
  if (conversation === undefined) throw new Error(`${result.key.id} has no conversation`)
  const files = new KeptFiles(agent.mayAttach)
  const draft = createDraft(failure, conversation, agent, files)
  const frame = createFrame(failure, conversation, agent)
  const all: Candidate = { draft, replayed: { turns: 0, messages: [] } }
  const write = (candidate = all) => writeCandidate(candidate, frame)
  return {
    draft,
    frame,
    mayReplay: agent.history === 'given' && scope.looksAtFewTurns && !hasSequence(own?.stubs),
    notes: [...files.notes(), ...frameNotes(failure)],
    write,
    writeGuarded: (candidate) => guardTools(write(candidate), candidate.draft),
  }
}

/** Answers in order would begin anew after turns that are not sent. */
function hasSequence(stubs: unknown): boolean {
  return JSON.stringify(stubs ?? {}).includes('"sequence"')
}

function createDraft(
  { result, failure: { scope }, own, stubNames, isProcess }: OriginalFailure,
  { history, turns }: ReadConversation,
  agent: BranchAgent,
  files: KeptFiles,
): Draft {
  const hasStubs = agent.tools === 'served' || agent.tools === 'wrapped'
  const recorded = hasStubs && own === undefined ? recordedStubsByTurn(result) : undefined
  const stubs = hasStubs && own !== undefined ? own.stubs : recorded?.stubs
  const said = turns.slice(0, scope.last).map((turn, index): DraftTurn => {
    const number = index + 1
    const more = own === undefined ? { stubs: recorded?.turns.get(number) } : ownTurn(own, number)
    return {
      number,
      isPinned: scope.pinned.has(number),
      input: files.keepInTurn(turn).input,
      ...defined({ ...more, stubs: hasStubs ? more.stubs : undefined }),
    }
  })
  const before = files.keep(history)
  // An agent that keeps its own session is sent again what the user had said.
  const isGiven = agent.history === 'given'
  return {
    history: isGiven ? before : [],
    turns: isGiven ? said : [...asTurns(before), ...said],
    stubs: pickStubs(stubs, (name) => !isProcess(name)),
    neverReal: hasStubs ? listNeverReal(result, stubNames) : [],
  }
}

function pickStubs(stubs: unknown, isWanted: (name: string) => boolean): Data {
  return isRecord(stubs) ? Object.fromEntries(Object.entries(stubs).filter(([name]) => isWanted(name))) : {}
}

/** What was stubbed anywhere. What was called for real beside that may be called for real again. */
function listNeverReal(result: CaseResult, stubNames: readonly string[]): string[] {
  const calls = result.view.turns.flatMap(({ reply }) =>
    reply === undefined || reply.toolCalls === 'hidden' ? [] : reply.toolCalls,
  )
  const stubbed = calls.filter((call) => call.stubbed === true).map(({ name }) => name)
  const real = calls.filter((call) => call.stubbed !== true)
  return [...stubNames, ...stubbed].filter(
    (name, index, all) =>
      !real.some((call) => isSameTool(call.name, name)) &&
      all.findIndex((other) => isSameTool(other, name)) === index,
  )
}

function asTurns(history: readonly object[]): DraftTurn[] {
  const said = history.filter((message) => isRecord(message) && message.role === 'user')
  return said.map((input, index) => ({ number: index - said.length + 1, isPinned: false, input }))
}

/** What the author has written for a turn beside its message and its checks. */
function ownTurn(own: Data, number: number): Pick<DraftTurn, 'stubs' | 'options'> {
  const opens =
    isMessageList(own.messages) || isMessageList(own.input) ? endsWithUser(own) : own.input !== undefined
  const turn = Array.isArray(own.turns) ? own.turns[number - 1 - (opens ? 1 : 0)] : undefined
  if (!isRecord(turn)) return {}
  return defined({ options: turn.options, stubs: isRecord(turn.stubs) ? turn.stubs : undefined })
}

function endsWithUser({ messages, input }: Data): boolean {
  const list = isMessageList(messages) ? messages : input
  return isMessageList(list) && list.at(-1)?.role === 'user'
}

function createFrame(
  { result, failure: { reason }, own = {}, isProcess, from }: OriginalFailure,
  { id, name, tags, expected }: ReadConversation,
  agent: BranchAgent,
): CaseFrame {
  const about = `shrunk from ${from}, case ${id}`
  // What is shrunk once more has one origin.
  const ownName = name?.replace(/ ?\(?shrunk from .*$/s, '')
  const head = {
    id,
    name: ownName ? `${ownName} (${about})` : about,
    ...defined({ tags }),
    ...Object.fromEntries(kept.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]]))),
  }
  const onMissingInput = reason.kind === 'missing_input' ? 'fail' : 'end'
  const tail = { ...createTail(result, reason, own), on_missing_input: onMissingInput }
  const stubs = pickStubs(own.stubs, isProcess)
  if (reason.kind !== 'assertion') return { head, tail, stubs }
  const assertion = repeatableCheck(reason.check.assertion, agent.mayJudge)
  if (typeof assertion === 'string')
    throw noStaticCase(result, `is decided by a check that cannot be made here: ${assertion}`)
  if (looksAtUser(assertion)) throw noStaticCase(result, 'depends on tool calls of the simulated user')
  // It has the value itself.
  const reference = assertion.type === 'equals' ? undefined : expected
  return { head, tail, stubs, check: { ...reason.check, assertion }, ...defined({ expected: reference }) }
}

export function noStaticCase(
  { key, failure, termination }: CaseResult,
  why: string,
  more: { hint?: string } = {},
): ConfigError {
  const message = `${key.id} cannot be shrunk: that it failed (${failureText(failure, termination)}) ${why}`
  return new ConfigError({ code: 'no_static_case', message, ...more })
}

function looksAtUser(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { by, assertions } = value
  return by === 'user' || (Array.isArray(assertions) && assertions.some(looksAtUser))
}

/** Results files have only what came of checkpoints and conditions, so they are taken from the case. */
function createTail(result: CaseResult, { kind }: FailureSignature, own: Data): Data {
  const key =
    kind === 'condition_met'
      ? 'terminate_when'
      : kind === 'missing_checkpoints' || kind === 'checkpoint_failed'
        ? 'checkpoints'
        : undefined
  if (key === undefined) return {}
  if (own[key] === undefined)
    throw noStaticCase(result, `is decided by \`${key}\`, which the results file does not have`)
  if (key === 'checkpoints') return { checkpoints: own.checkpoints }
  return {
    terminate_when: own.terminate_when,
    on_condition_met: 'fail',
    on_exhausted: 'pass',
    on_max_turns_reached: 'pass',
  }
}

function frameNotes({ own, result }: OriginalFailure): string[] {
  return own !== undefined || result.key.file === ''
    ? []
    : [
        'the case itself is not used: its options and scripts, and stubs that were not called, are not in a results file',
      ]
}
