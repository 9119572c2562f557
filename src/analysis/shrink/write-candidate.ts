import { moveTurns } from '../../checks/renumber-turns.ts'
import { defined, emptyToUndefined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { DraftTurn } from './draft.ts'
import type { FailedAssertion } from './failure.ts'
import { asMessage } from './replayed.ts'
import type { Candidate } from './tester.ts'

/** What surrounds the conversation of a case. */
export interface CaseFrame {
  /** The fields before the conversation: id, name, tags, options. */
  head: Data
  /** The fields after it: checkpoints, conditions. */
  tail: Data
  /** Stubs that stay, because it cannot be seen whether they are needed. */
  stubs?: Data
  /** The check that fails, if the failure is one of a check. */
  check?: FailedAssertion
  /** The expected output, which some checks compare with. */
  expected?: unknown
}

/** A candidate as a case that can be run. */
export function writeCandidate({ draft, replayed }: Candidate, frame: CaseFrame): Data {
  const { head, tail, stubs, check, expected } = frame
  const sent = draft.turns.slice(replayed.turns)
  const numbers = new Map(sent.map(({ number }, index) => [number, index + 1]))
  const assertion = check && moveTurns(check.assertion, numbers)
  const turns = sent.map((turn) => ({
    ...writeTurn(turn),
    ...(check?.turn === turn.number && { assert: assertion, ...defined({ expected }) }),
  }))
  return {
    ...head,
    ...writeConversation([...draft.history, ...replayed.messages], turns),
    ...tail,
    ...defined({
      final_assertions: check?.where === 'final' ? assertion : undefined,
      stubs: emptyToUndefined({ ...stubs, ...draft.stubs }),
    }),
  }
}

function writeTurn({ input, options, stubs }: DraftTurn): Data & { input: unknown } {
  return { input, ...defined({ options, stubs: emptyToUndefined(stubs ?? {}) }) }
}

/** A user message at the end of the history is a turn, so the first turn goes there too. */
function writeConversation(messages: readonly object[], turns: readonly (Data & { input: unknown })[]): Data {
  const last = messages.at(-1)
  const [first, ...others] = turns
  if (first === undefined || !(isRecord(last) && last.role === 'user'))
    return { ...(messages.length > 0 && { messages }), turns }
  const { input, ...rest } = first
  const opened = { messages: [...messages, asMessage(input)] }
  return others.length > 0 ? { ...opened, turns: others } : { ...opened, ...rest }
}
