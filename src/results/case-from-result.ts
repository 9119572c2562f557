import { defined, emptyToUndefined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import type { CheckLine, MessageLine, ResultLine, TurnFields } from './line-schema.ts'
import { playedTurns } from './skipped-turn.ts'
import { checkFromLine } from './turn-line.ts'

/**
 * Makes a case that repeats a recorded conversation: every user message as it was sent, whoever wrote it, with the checks
 * of its turn. Undefined for a result without a conversation.
 */
export function createCaseFromResult(line: ResultLine): object | undefined {
  if (line.kind === 'script' || line.total_turns === 0) return undefined
  const { id, name, tags, expected, history = [] } = line
  const common = defined({ id, name, tags })
  const before = history.map(messageAsWritten)
  const finals = (line.final_assertions ?? []).filter(({ turn }) => !(Number(turn) > line.total_turns))
  const ends = defined({ final_assertions: emptyToUndefined(finals.map(writtenCheck)) })
  if (line.mode === 'single_turn') {
    const opening =
      before.length === 0 ? { input: shortestInput(line) } : { messages: [...before, userMessage(line)] }
    return { ...common, ...opening, ...writtenChecks(line), ...defined({ expected }), ...ends }
  }
  const taken = playedTurns(line)
  const [first, ...others] = taken
  // A turn is one message: if the history ends with the user, the first turn belongs to the history.
  const opens = before.length > 0 && history.at(-1)?.role !== 'assistant' && first !== undefined
  const turns = (opens ? others : taken).map((turn) => ({
    input: shortestInput(turn),
    ...defined({ description: turn.description }),
    ...writtenChecks(turn),
  }))
  return {
    ...common,
    ...(before.length === 0 ? {} : { messages: [...before, ...(opens ? [userMessage(first)] : [])] }),
    ...(turns.length === 0 ? { type: 'multi_turn' } : { turns }),
    ...ends,
  }
}

type UserInput = Pick<Partial<TurnFields>, 'input' | 'message'>

/** The user message in its shortest complete form. */
function shortestInput({ input, message }: UserInput): unknown {
  return message === undefined ||
    (isRecord(input) && typeof message.content === 'string' && message.name === undefined)
    ? input
    : messageAsWritten(message)
}

function userMessage({ input, message }: UserInput): object {
  return message === undefined ? { role: 'user', content: input } : messageAsWritten(message)
}

function messageAsWritten({ tool_calls, content, ...message }: MessageLine): object {
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

function writtenChecks({ assertions = [] }: Pick<Partial<TurnFields>, 'assertions'>): object {
  return defined({ assert: emptyToUndefined(assertions.map(writtenCheck)) })
}

/** The check as its author wrote it. */
function writtenCheck(line: CheckLine): object {
  const { type, fields, gates } = checkFromLine(line)
  return { type, ...fields, ...(gates ? {} : { gates }) }
}

/** Drops what viva added to a file, because it will be added again. */
function partAsWritten(part: unknown): unknown {
  if (!isRecord(part)) return part
  const { media_type: _, ...rest } = part
  if (part.type !== 'image_url') return rest
  const { name: __, ...image } = rest
  return image
}
