import { AgentError, InfrastructureError } from '../../errors.ts'
import type { Faults } from '../../project/config-schema.ts'

/** Gateways say these of what stands behind them, and overloaded servers of themselves: not the agent's own failure. */
const notTheAgents = [502, 503, 504, 529]

/** Whether an agent that answers with this status has failed itself. `faults` of the config decides where it says so. */
export function isAgentsFault(status: number, faults: Faults = {}): boolean {
  const told = faults[status]
  if (told !== undefined) return told === 'agent'
  return status >= 500 && !notTheAgents.includes(status)
}

/** An error status of an agent behind HTTP, as the failure of the one whose it is. */
export function blameStatus(error: unknown, faults: Faults | undefined): unknown {
  if (!(error instanceof InfrastructureError) || error.status === undefined) return error
  if (isAgentsFault(error.status, faults)) return new AgentError(error.message, { cause: error })
  if (error.status !== 404) return error
  const { kind, message, status, cause } = error
  return new InfrastructureError(kind, `${message} (is its URL right?)`, { status, cause })
}
