import type { AgentPrices } from '../models/prices.ts'
import type { Project } from '../project/project.ts'

/** The prices of an agent that calls its models itself: by model, or of the agent under one of its names. */
export function agentPrices({ config }: Project, ...names: (string | undefined)[]): AgentPrices {
  return { own: config.prices, names: names.filter((name) => name !== undefined) }
}
