import { vivaSimulator } from '../agents/helpers/viva-simulator.ts'
import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { agentName } from '../text/agent-name.ts'
import type { AuthoredCase } from './case-schema.ts'

/** The settings of a case's simulator, merged from all places where they can be written. */
export interface SimulatorSettings {
  /** The name without `agents:`. */
  use: string
  options: Data
  brief: Data
  opening?: string
  /** As written. */
  stubs?: AuthoredCase['stubs']
  maxTurns?: number
}

/** Whether a case may have more than one user message. */
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
  // Without a first message of the author, a simulator or person begins and may continue.
  if (input === undefined && messages === undefined) return true
  return (
    [turns, simulator, checkpoints, terminate_when].some((field) => field !== undefined) ||
    interactive?.enabled === true
  )
}

/**
 * The simulator of a case, if it has one. `byDefault` is `--simulator`, which does not apply to cases with a single
 * message.
 */
export function readSimulatorSettings(
  authored: AuthoredCase,
  byDefault: string | undefined,
): SimulatorSettings | undefined {
  const { simulator } = authored
  if (simulator === undefined && (byDefault === undefined || !isMultiTurn(authored))) return undefined
  const { use, persona, goal, max_turns, facts, opening, stubs, metadata, options } = simulator ?? {}
  const brief: Data = {
    ...defined({ persona, goal, facts, max_turns }),
    ...metadata,
    ...options?.metadata,
  }
  const { max_turns: limit, ...rest } = brief
  return {
    use: agentName(use ?? byDefault ?? vivaSimulator),
    options: options ?? {},
    brief: rest,
    ...defined({ opening, stubs, maxTurns: typeof limit === 'number' ? limit : undefined }),
  }
}
