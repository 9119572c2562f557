import { AgentError, ConfigError, InterruptedError, messageOf, TimeoutError, WorldError } from '../errors.ts'
import type { Termination } from '../results/result.ts'

/** How a conversation ended that something thrown broke off. */
export function brokenBy(error: unknown): Termination {
  const detail = messageOf(error)
  if (error instanceof TimeoutError) return { reason: 'timeout', detail }
  if (error instanceof InterruptedError) return { reason: 'interrupted', detail }
  if (error instanceof AgentError) return { reason: 'agent_error', detail: `agent error: ${detail}` }
  if (error instanceof WorldError && error.kind === 'simulator_error')
    return { reason: 'simulator_error', detail }
  if (error instanceof WorldError || error instanceof ConfigError) return { reason: 'world_error', detail }
  return { reason: 'internal', detail: `internal error: ${detail}` }
}
