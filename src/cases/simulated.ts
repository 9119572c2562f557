import { vivaSimulator } from '../agents/helpers/viva-simulator.ts'
import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { agentName } from '../text/agent-name.ts'
import type { AuthoredCase } from './case-schema.ts'

/** A case's simulator with all that stands in several places brought together. */
export interface SimulatorSettings {
  /** Without `agents:`. */
  use: string
  options: Data
  told: Data
  opening?: string
  maxTurns?: number
}

/** Whether a case goes on for more than one message. */
export function isMultiTurn({
  type,
  input,
  messages,
  turns,
  simulator,
  checkpoints,
  interactive,
  terminate_when,
}: AuthoredCase): boolean {
  if (type !== undefined) return type === 'multi_turn'
  // Who begins it is not the author, but one who can go on.
  if (input === undefined && messages === undefined) return true
  return (
    [turns, simulator, checkpoints, terminate_when].some((field) => field !== undefined) ||
    interactive?.enabled === true
  )
}

/**
 * Who plays the user, if anybody does. `byDefault` is `--simulator`: it is for cases that may go on, not for those
 * that are a single message.
 */
export function simulatorOf(
  authored: AuthoredCase,
  byDefault: string | undefined,
): SimulatorSettings | undefined {
  const { simulator } = authored
  if (simulator === undefined && (byDefault === undefined || !isMultiTurn(authored))) return undefined
  const { use, persona, goal, max_turns, facts, opening, metadata, options } = simulator ?? {}
  const told: Data = {
    ...defined({ persona, goal, facts, max_turns }),
    ...metadata,
    ...options?.metadata,
  }
  const { max_turns: limit, ...rest } = told
  return {
    use: agentName(use ?? byDefault ?? vivaSimulator),
    options: options ?? {},
    told: rest,
    ...defined({ opening, maxTurns: typeof limit === 'number' ? limit : undefined }),
  }
}
