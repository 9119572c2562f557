import type { Agent } from '../agents/agent.ts'
import type { Person } from '../conversation/person.ts'

/** Agents that can play the user. */
export interface Simulators {
  /** Undefined when there is such a simulator and it can be asked; else what is wrong. */
  problem(use: string, connector: string | undefined): string | undefined
  agent(use: string): Promise<Agent>
}

/** Who may speak for the user besides the author. */
export interface Speakers {
  simulators: Simulators
  /** `--simulator` */
  simulator?: string
  /** `--interactive`: a person is asked in all cases that go on, not only in those that say so. */
  interactive: boolean
  /** Whoever sits at the terminal; absent when nobody does, or nobody is to be asked. */
  person?: Person
}

/** For cases that are listed and not played. */
export const noSpeakers: Speakers = {
  simulators: {
    problem: () => undefined,
    agent: () => Promise.reject(new Error('there are no simulators here')),
  },
  interactive: false,
}
