import type { Draft, DraftTurn } from '../../analysis/shrink/draft.ts'
import { guardTools, isSameTool } from '../../analysis/shrink/guards.ts'
import type { Candidate } from '../../analysis/shrink/tester.ts'
import { type CaseFrame, writeCandidate } from '../../analysis/shrink/write-candidate.ts'
import type { BranchAgent } from '../../cases/branched-case.ts'
import { isMessageList } from '../../cases/input.ts'
import { KeptFiles } from '../../cases/kept-files.ts'
import { recordedStubsByTurn } from '../../cases/recorded-stubs.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import { type ReadConversation, readConversation } from '../../results/case-from-result.ts'
import { resultToLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'
import { createFrame, type OriginalFailure, pickStubs } from './frame.ts'

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

export function createOriginal(failure: OriginalFailure, agent: BranchAgent): Original {
  const { result, own } = failure
  const { scope } = failure.failure
  const conversation = readConversation(resultToLine(result))
  if (conversation === undefined) throw new Error(`${result.key.id} has no conversation`)
  const files = new KeptFiles(agent.attach)
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

function frameNotes({ own, result }: OriginalFailure): string[] {
  return own !== undefined || result.key.file === ''
    ? []
    : [
        'the case itself is not used: its options and scripts, and stubs that were not called, are not in a results file',
      ]
}
