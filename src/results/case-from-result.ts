import { defined, emptyToUndefined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import type { CheckLine, MessageLine, ResultLine, TurnFields } from './line-schema.ts'
import { playedTurns } from './skipped-turn.ts'
import { checkFromLine } from './turn-line.ts'

/** A recorded conversation in the words of the case format. */
export interface ReadConversation {
  id: string
  name?: string
  tags?: string[]
  expected?: unknown
  singleTurn: boolean
  /** The messages before the first turn. */
  history: readonly object[]
  /** What the user said, whoever wrote it. */
  turns: readonly SaidTurn[]
  finals: readonly object[]
}

/** A user message with the checks of its turn, as their author wrote them. */
export interface SaidTurn {
  /** In its shortest complete form. */
  input: unknown
  /** The same as a message. */
  message: object
  description?: string
  checks: readonly object[]
}

/**
 * Makes a case that repeats a recorded conversation: every user message as it was sent, whoever wrote it, with the checks
 * of its turn. Undefined for a result without a conversation.
 */
export function createCaseFromResult(line: ResultLine): object | undefined {
  const conversation = readConversation(line)
  return conversation && writeCase(conversation)
}

/** Undefined for a result without a conversation. */
export function readConversation(line: ResultLine): ReadConversation | undefined {
  if (line.kind === 'script' || line.total_turns === 0) return undefined
  const { id, name, tags, expected, history = [], final_assertions: finals = [] } = line
  const singleTurn = line.mode === 'single_turn'
  return {
    id,
    ...defined({ name, tags, expected }),
    singleTurn,
    history: history.map(messageAsWritten),
    turns: (singleTurn ? [line] : playedTurns(line)).map(saidTurn),
    finals: finals.filter(({ turn }) => !(Number(turn) > line.total_turns)).flatMap(writtenCheck),
  }
}

/** The case that plays the conversation again. */
export function writeCase({
  history,
  turns,
  singleTurn,
  expected,
  finals,
  ...common
}: ReadConversation): object {
  const ends = defined({ final_assertions: emptyToUndefined([...finals]) })
  const [first, ...others] = turns
  if (singleTurn && first !== undefined) {
    const opening = history.length === 0 ? { input: first.input } : { messages: [...history, first.message] }
    return { ...common, ...opening, ...writtenChecks(first), ...defined({ expected }), ...ends }
  }
  // A turn is one message: if the history ends with the user, the first turn belongs to the history.
  const opens = first !== undefined && endsWithUser(history)
  const written = (opens ? others : turns).map((turn) => ({
    input: turn.input,
    ...defined({ description: turn.description }),
    ...writtenChecks(turn),
  }))
  return {
    ...common,
    ...(history.length === 0 ? {} : { messages: [...history, ...(opens ? [first.message] : [])] }),
    ...(written.length === 0 ? { type: 'multi_turn' } : { turns: written }),
    ...ends,
  }
}

function endsWithUser(history: readonly object[]): boolean {
  const last = history.at(-1)
  return isRecord(last) && last.role === 'user'
}

type RecordedTurn = Pick<Partial<TurnFields>, 'input' | 'message' | 'description' | 'assertions'>

function saidTurn({ input, message, description, assertions = [] }: RecordedTurn): SaidTurn {
  const asMessage = message === undefined ? { role: 'user', content: input } : messageAsWritten(message)
  const isShort =
    message === undefined ||
    (isRecord(input) && typeof message.content === 'string' && message.name === undefined)
  return {
    input: isShort ? input : asMessage,
    message: asMessage,
    ...defined({ description }),
    checks: assertions.flatMap(writtenCheck),
  }
}

/** A message as a case has it. */
export function messageAsWritten({ tool_calls, content, ...message }: MessageLine): object {
  return {
    ...message,
    content: Array.isArray(content) ? content.map(partAsWritten) : content,
    ...defined({
      tool_calls: tool_calls?.map(({ id = '', name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) ?? '' },
      })),
    }),
  }
}

function writtenChecks({ checks }: SaidTurn): object {
  return defined({ assert: emptyToUndefined([...checks]) })
}

/** The check as its author wrote it. Left out if it looks at tool calls of the user, which nobody makes again. */
function writtenCheck(line: CheckLine): object[] {
  const { type, fields, gates } = checkFromLine(line)
  const written = { type, ...fields, ...(gates ? {} : { gates }) }
  return looksAtUser(written) ? [] : [written]
}

function looksAtUser(written: unknown): boolean {
  if (!isRecord(written)) return false
  const { by, assertions } = written
  return by === 'user' || (Array.isArray(assertions) && assertions.some(looksAtUser))
}

/** Drops what viva added to a file, because it will be added again. */
function partAsWritten(part: unknown): unknown {
  if (!isRecord(part)) return part
  const { media_type: _, ...rest } = part
  if (part.type !== 'image_url') return rest
  const { name: __, ...image } = rest
  return image
}
