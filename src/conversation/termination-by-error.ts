import {
  AgentError,
  ConfigError,
  errorMessage,
  InfrastructureError,
  InterruptedError,
  TimeoutError,
} from '../errors.ts'
import type { Termination } from '../results/result.ts'
import { EndpointGivenUpError } from '../scope/targets.ts'

/** The termination of a conversation that an error ended. */
export function terminationByError(error: unknown): Termination {
  const detail = errorMessage(error)
  if (error instanceof TimeoutError) return { reason: 'timeout', detail }
  if (error instanceof InterruptedError) return { reason: 'interrupted', detail }
  if (error instanceof EndpointGivenUpError) return { reason: 'not_run', detail }
  if (error instanceof AgentError) return { reason: 'agent_error', detail: `agent error: ${detail}` }
  if (error instanceof InfrastructureError && error.kind === 'simulator_error')
    return { reason: 'simulator_error', detail }
  if (error instanceof InfrastructureError || error instanceof ConfigError)
    return { reason: 'infrastructure_error', detail }
  return { reason: 'internal', detail: `internal error: ${detail}` }
}
