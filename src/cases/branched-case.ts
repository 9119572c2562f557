import type { Where } from '../checks/definition.ts'
import type { Assertion } from '../checks/list.ts'
import { renumberTurns, type TurnShift } from '../checks/renumber-turns.ts'
import type { MissingInput } from '../conversation/plan.ts'
import { defined, emptyToUndefined } from '../json/defined.ts'
import {
  messageAsWritten,
  type ReadConversation,
  readConversation,
  type SaidTurn,
  writeCase,
} from '../results/case-from-result.ts'
import { resultToLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import type { Data, Message } from '../results/transcript/message.ts'
import { listMessages } from '../results/transcript/turn.ts'
import { messageToLine } from '../results/turn-line.ts'
import { pluralize } from '../text/counted.ts'
import { type AttachFile, KeptFiles } from './kept-files.ts'
import { stubsOfResult } from './recorded-stubs.ts'
import { type CheckAccess, repeatableCheck } from './repeatable-check.ts'
import type { AgentLimits } from './validate.ts'

/** Where a recorded conversation is left, and what is said instead. */
export interface Branch {
  result: CaseResult
  /** The first turn that is played. */
  turn: number
  /** What the user says from then on. Undefined: what was recorded, with its checks. */
  says?: readonly string[]
  /** The name of the case, which says where it comes from. */
  name: string
  onMissingInput?: MissingInput
}

/** The agent that goes on with a conversation. */
export interface BranchAgent extends Pick<AgentLimits, 'agentId' | 'history' | 'tools'>, CheckAccess {
  attach: AttachFile
}

export interface BranchedCase {
  /** The case as it is written in a file. `typed` is what a person has said at its end. */
  write(typed?: readonly string[]): Data
  /** What is different from the recorded conversation. */
  notes: readonly string[]
}

/** A case that goes on with a recorded conversation: what came before its turn is the history. */
export function branchCase(branch: Branch, agent: BranchAgent): BranchedCase {
  const { result, turn, says, name, onMissingInput = 'end' } = branch
  const recorded = readConversation(resultToLine(result))
  if (recorded === undefined) throw new Error(`${result.key.id} has no conversation`)
  const { before, shift, notes } =
    agent.history === 'kept' ? sendAgain(branch, recorded, agent) : asHistory(branch)
  const checks = new KeptChecks(agent, shift)
  const files = new KeptFiles(agent.attach)
  const history = files.keep(before.history)
  const turns =
    says?.map(plainTurn) ??
    recorded.turns.slice(turn - 1).map((said) => ({ ...said, checks: checks.keep(said.checks, 'turn') }))
  const said = [...before.turns, ...turns].map((each) => files.keepInTurn(each))
  const finals = says === undefined ? checks.keep(recorded.finals, 'final') : []
  const singleTurn = recorded.singleTurn && says === undefined && before.turns.length === 0
  const stubs = agent.tools === 'served' || agent.tools === 'wrapped' ? stubsOfResult(result, turn) : {}
  return {
    write: (typed = []) => ({
      ...writeCase({
        ...recorded,
        name,
        history,
        turns: [...said, ...typed.map(plainTurn)],
        singleTurn: singleTurn && typed.length === 0,
        finals,
      }),
      ...(singleTurn ? {} : { on_missing_input: onMissingInput }),
      ...defined({ stubs: emptyToUndefined(stubs) }),
    }),
    notes: [...notes, ...checks.notes(), ...files.notes(), ...lostNotes(branch), ...stubNotes(stubs)],
  }
}

interface Before {
  before: Pick<ReadConversation, 'history' | 'turns'>
  shift: TurnShift
  notes: string[]
}

function asHistory({ result: { view }, turn }: Branch): Before {
  const messages = listMessages({ history: view.history, turns: view.turns.slice(0, turn - 1) })
  return {
    before: { history: messages.map((message) => messageAsWritten(messageToLine(message))), turns: [] },
    shift: { unplayed: turn - 1, by: 1 - turn },
    notes: [],
  }
}

/** For an agent that cannot be given a history. */
function sendAgain(
  { result: { view }, turn }: Branch,
  { turns }: ReadConversation,
  { agentId }: BranchAgent,
): Before {
  const inHistory = view.history.filter(({ role }) => role === 'user').map(messageTurn)
  const again = [...inHistory, ...turns.slice(0, turn - 1).map((said) => ({ ...said, checks: [] }))]
  const messages = pluralize(again.length, 'earlier message is', 'earlier messages are')
  const differently = `and it may answer ${again.length === 1 ? 'it' : 'them'} differently`
  return {
    before: { history: [], turns: again },
    shift: { unplayed: 0, by: inHistory.length },
    notes:
      again.length === 0
        ? []
        : [`${agentId} keeps its own session: the ${messages} sent again, ${differently}`],
  }
}

function messageTurn(message: Message): SaidTurn {
  const written = messageAsWritten(messageToLine(message))
  const isPlain = typeof message.content === 'string' && message.name === undefined
  return { input: isPlain ? message.content : written, message: written, checks: [] }
}

function plainTurn(text: string): SaidTurn {
  return { input: text, message: { role: 'user', content: text }, checks: [] }
}

/** The recorded checks that can be made again, and why others cannot. */
class KeptChecks {
  readonly #agent: BranchAgent
  readonly #shift: TurnShift
  readonly #leftOut: { type: string; why: string }[] = []

  constructor(agent: BranchAgent, shift: TurnShift) {
    this.#agent = agent
    this.#shift = shift
  }

  keep(checks: readonly object[], where: Where): object[] {
    return checks.flatMap((check) => {
      const kept = this.#renew(check, where)
      if (typeof kept === 'object') return [kept]
      this.#leftOut.push({ type: 'type' in check ? String(check.type) : 'a check', why: kept })
      return []
    })
  }

  notes(): string[] {
    if (this.#leftOut.length === 0) return []
    const checks = pluralize(this.#leftOut.length, 'check is', 'checks are')
    const reasons = countEach(this.#leftOut.map(({ why }) => why)).map(([why]) => {
      const types = this.#leftOut.filter((each) => each.why === why).map(({ type }) => type)
      const counted = countEach(types).map(([type, count]) => (count === 1 ? type : `${count} × ${type}`))
      return `${counted.join(', ')} (${why})`
    })
    return [`${checks} left out: ${reasons.join('; ')}`]
  }

  /** The check as it is made now, or why it is not. */
  #renew(check: object, where: Where): Assertion | string {
    const assertion = repeatableCheck(check, this.#agent)
    if (typeof assertion === 'string') return assertion
    const moved = renumberTurns(assertion, where, this.#shift)
    return moved ?? `it looks at turns before turn ${this.#shift.unplayed + 1}`
  }
}

function countEach(names: readonly string[]): [name: string, count: number][] {
  return [...new Set(names)].map((name) => [name, names.filter((each) => each === name).length])
}

/** Checks of the recorded case that are not in its result. */
function lostNotes({ result, turn, says }: Branch): string[] {
  if (says !== undefined) return []
  const unevaluated = result.view.turns.slice(turn - 1).flatMap((each) => each.unevaluated ?? [])
  const lost = unevaluated.length + result.unevaluated.length
  return [
    ...(lost === 0
      ? []
      : [
          `${pluralize(lost, 'check was', 'checks were')} not evaluated in the recorded run: the results file does not have them`,
        ]),
    ...(result.checkpoints.length === 0
      ? []
      : ['checkpoints are not checked: the results file has only what came of them']),
  ]
}

function stubNotes(stubs: object): string[] {
  const names = Object.keys(stubs)
  return names.length === 0 ? [] : [`stubbed again, with what they returned then: ${names.join(', ')}`]
}
