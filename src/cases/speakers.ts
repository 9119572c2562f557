import type { Agent } from '../agents/agent.ts'
import type { Person } from '../conversation/person.ts'

/** Agents of one purpose (simulators, judges, generators), found by the name that a case gives. */
export interface AgentLookup {
  /** Why the agent cannot be used, or undefined. */
  problem(use: string, connector: string | undefined): string | undefined
  agent(use: string): Promise<Agent>
}

/** The simulators and the person that may play the user after the author's turns. */
export interface Speakers {
  simulators: AgentLookup
  /** `--simulator` */
  simulator?: string
  /** `--stub-all`, which is for the tools of both sides. */
  stubAll?: boolean
  /** `--interactive`: ask a person in all multi-turn cases, not only in those that say so. */
  interactive: boolean
  /** The person at the terminal; absent if there is none, or if nobody may be asked. */
  person?: Person
}

/** For cases that are listed but not played. */
export const noSpeakers: Speakers = {
  simulators: {
    problem: () => undefined,
    agent: () => Promise.reject(new Error('there are no simulators here')),
  },
  interactive: false,
}
