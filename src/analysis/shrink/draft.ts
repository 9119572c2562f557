import { isRecord } from '../../json/json.ts'

/** A conversation that is made smaller: what the user says, and what surrounds it. */
export interface Draft {
  /** The messages before the first turn, as a case has them. */
  history: readonly object[]
  turns: readonly DraftTurn[]
  /** Stubs of the case, by the name of the tool. */
  stubs: Readonly<Record<string, unknown>>
  /** Tools that are stubbed anywhere in the original: they must not be called for real, whatever is left out. */
  neverReal: readonly string[]
}

export interface DraftTurn {
  /** Its number in the recorded conversation. */
  number: number
  /** The failing check looks at its reply, so it stays. */
  isPinned: boolean
  /** A text, a message, or any other value. */
  input: unknown
  /** What else the case has for this turn. */
  stubs?: Readonly<Record<string, unknown>>
  options?: unknown
}

/** The text of a turn, if it is one that can be made shorter. */
export function turnText({ input }: DraftTurn): string | undefined {
  if (typeof input === 'string') return input
  return isRecord(input) && typeof input.role === 'string' && typeof input.content === 'string'
    ? input.content
    : undefined
}

export function withText(turn: DraftTurn, text: string): DraftTurn {
  return { ...turn, input: isRecord(turn.input) ? { ...turn.input, content: text } : text }
}

/** The same draft has the same text. */
export function draftKey({ history, turns, stubs }: Draft): string {
  return JSON.stringify([history, turns, stubs])
}

export interface DraftSize {
  turns: number
  words: number
  history: number
  stubs: number
}

export function measureDraft({ history, turns, stubs }: Draft): DraftSize {
  const texts = turns.map((turn) => turnText(turn) ?? '')
  return {
    turns: turns.length,
    words: texts.reduce((sum, text) => sum + (text.trim().match(/\S+/g)?.length ?? 0), 0),
    history: history.length,
    stubs: Object.keys(stubs).length,
  }
}
