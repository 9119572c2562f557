import { AgentError, InfrastructureError } from '../../errors.ts'
import type { Faults } from '../../project/config-schema.ts'

/** Gateways and overloaded servers send these statuses, so they are not the agent's own failure. */
const gatewayStatuses = [502, 503, 504, 529]

/** Whether this status means that the agent itself has failed. `faults` in the config overrides the default. */
export function isAgentFault(status: number, faults: Faults = {}): boolean {
  const configured = faults[status]
  if (configured !== undefined) return configured === 'agent'
  return status >= 500 && !gatewayStatuses.includes(status)
}

/** Turns an error status into an `AgentError` if it is the agent's own failure. */
export function classifyStatusError(error: unknown, faults: Faults | undefined): unknown {
  if (!(error instanceof InfrastructureError) || error.status === undefined) return error
  if (isAgentFault(error.status, faults)) return new AgentError(error.message, { cause: error })
  if (error.status !== 404) return error
  const { kind, message, status, cause } = error
  return new InfrastructureError(kind, `${message} (is its URL right?)`, { status, cause })
}
