import { defined, orUndefined } from '../defined.ts'
import { isRecord } from '../json.ts'
import type { CheckLine, MessageLine, ResultLine, TurnFields } from './line-schema.ts'
import { checkFromLine } from './turn-line.ts'

/**
 * A case that says again what was said: every user message as it was, whoever spoke it, with the checks of its turn.
 * Nothing for what has no conversation.
 */
export function caseOf(line: ResultLine): object | undefined {
  if (line.kind === 'script' || line.total_turns === 0) return undefined
  const { id, name, tags, history = [] } = line
  const common = defined({ id, name, tags })
  if (line.mode === 'single_turn')
    return { ...common, input: withHistory(history, line.input), ...checksOf(line) }
  const turns = (line.turns ?? []).map((turn, index) => ({
    input: index === 0 ? withHistory(history, turn.input) : turn.input,
    ...defined({ description: turn.description }),
    ...checksOf(turn),
  }))
  const finals = orUndefined((line.final_assertions ?? []).map(written))
  return { ...common, turns, ...defined({ final_assertions: finals }) }
}

function withHistory(history: readonly MessageLine[], input: unknown): unknown {
  if (history.length === 0) return input
  const last = isRecord(input) && 'role' in input ? input : { role: 'user', content: input }
  return [...history.map(messageAsWritten), last]
}

function messageAsWritten({ tool_calls, ...message }: MessageLine): object {
  return {
    ...message,
    ...defined({
      tool_calls: tool_calls?.map(({ id = '', name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) ?? '' },
      })),
    }),
  }
}

function checksOf({ assertions = [] }: Pick<Partial<TurnFields>, 'assertions'>): object {
  return defined({ assert: orUndefined(assertions.map(written)) })
}

/** As its author wrote it. */
function written(line: CheckLine): object {
  const { type, fields, gates } = checkFromLine(line)
  return { type, ...fields, ...(gates ? {} : { gates }) }
}
