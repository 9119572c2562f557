import { requiredVariable } from '../../project/app/env.ts'
import type { Environment } from '../../system/environment.ts'

/** The variables that `{{env.NAME}}` names. A variable that is not set is an error before anything runs. */
export function readEnvironment(
  agentId: string,
  placeholders: readonly string[],
  env: Environment,
): Map<string, string> {
  const names = placeholders.filter((name) => name.startsWith('env.')).map((name) => name.slice(4))
  return new Map(names.map((name) => [name, requiredVariable(name, `agent ${agentId}`, env)]))
}
