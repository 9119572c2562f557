import { isRecord } from '../../json/json.ts'
import { type Draft, type DraftTurn, turnText, withText } from './draft.ts'
import { cutSentences, cutWords, joinParts } from './message-parts.ts'
import type { ReductionName } from './reduction-names.ts'

/** A list of parts of a draft, of which some may be left out. */
export interface PartList {
  count: number
  /** The draft with only these parts; undefined if that cannot be played. */
  keep(draft: Draft, kept: readonly number[]): Draft | undefined
}

/** A way to make a draft smaller: lists that are made shorter one by one. */
export interface Reduction {
  name: ReductionName
  lists(draft: Draft): PartList[]
}

/** In this order: what makes a conversation smallest comes first. */
export const reductions: readonly Reduction[] = [
  { name: 'turns', lists: (draft) => [turnList(draft)] },
  { name: 'sentences', lists: (draft) => textLists(draft, cutSentences) },
  { name: 'words', lists: (draft) => textLists(draft, cutWords) },
  { name: 'history', lists: (draft) => [historyList(draft)] },
  { name: 'stubs', lists: (draft) => [stubList(draft)] },
]

function turnList({ turns }: Draft): PartList {
  const numbers = turns.filter(({ isPinned }) => !isPinned).map(({ number }) => number)
  return {
    count: numbers.length,
    keep(draft, kept) {
      const wanted = new Set(kept.map((index) => numbers[index]))
      const left = draft.turns.filter(({ number, isPinned }) => isPinned || wanted.has(number))
      return left.length === 0 ? undefined : { ...draft, turns: left }
    },
  }
}

/** One list for each message that has more than one part, the last message first. */
function textLists({ turns }: Draft, split: (text: string) => string[]): PartList[] {
  return turns.toReversed().flatMap((turn) => {
    const parts = split(turnText(turn) ?? '')
    return parts.length < 2 ? [] : [textList(turn, parts)]
  })
}

function textList({ number }: DraftTurn, parts: readonly string[]): PartList {
  return {
    count: parts.length,
    keep(draft, kept) {
      const text = joinParts(parts, kept)
      if (text === '') return undefined
      const turns = draft.turns.map((turn) => (turn.number === number ? withText(turn, text) : turn))
      return { ...draft, turns }
    },
  }
}

/** Messages of tools go with the message that called them. */
function historyList({ history }: Draft): PartList {
  const groups: object[][] = []
  for (const message of history) {
    const last = groups.at(-1)
    if (last !== undefined && roleOf(message) === 'tool') last.push(message)
    else groups.push([message])
  }
  return {
    count: groups.length,
    keep(draft, kept) {
      const left = kept.flatMap((index) => groups[index] ?? [])
      // A user message at the end of the history would be a turn.
      const isTurn = roleOf(left.at(-1)) === 'user' && roleOf(history.at(-1)) !== 'user'
      return isTurn ? undefined : { ...draft, history: left }
    },
  }
}

function roleOf(message: object | undefined): unknown {
  return isRecord(message) ? message.role : undefined
}

function stubList({ stubs }: Draft): PartList {
  const names = Object.keys(stubs)
  return {
    count: names.length,
    keep: (draft, kept) => ({
      ...draft,
      stubs: Object.fromEntries(
        kept.flatMap((index) => names[index] ?? []).map((name) => [name, stubs[name]]),
      ),
    }),
  }
}
