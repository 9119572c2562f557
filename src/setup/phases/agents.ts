import type { Agent } from '../../agents/agent.ts'
import type { Variants } from './variants.ts'

/** The agents that the cases are played against, by variant. */
export type PlayedAgents = ReadonlyMap<string, Agent>

export const agentsPhase = {
  name: 'agents',
  open: ({ variants }: { variants: Variants }): PlayedAgents =>
    new Map([...variants].map(([variant, { agent }]) => [variant, agent])),
} as const
