import type { ConfigError } from '../../errors.ts'
import type { Config } from '../../project/config-schema.ts'
import type { FirstCase } from './first-cases.ts'
import type { Folder } from './folder.ts'

/** One way in which a folder may have an agent. A new one is a file in `starting-points/` and a line in `list.ts`. */
export interface StartingPoint {
  /** It stands in for an agent, in folders that have nothing else. */
  isPlaceholder?: true
  /** The agents of this kind, the most likely first. No code of the user's is run. Throws `ConfigError`. */
  look(folder: Folder): AgentCandidate[]
}

/** An agent that was found, and what it takes to test it. */
export interface AgentCandidate {
  /** What `viva init -n` accepts for it. */
  reference: string
  /** What was found, in words: `an AI SDK agent, support in src/agent.ts`. */
  found: string
  /** What `setUp` does that needs consent: start `node shop.js` to list its tools. */
  starts?: string
  /** Why it cannot be tested. */
  problem?: ConfigError
  /** What cannot be known from the files. */
  question?(signal: AbortSignal): Question | Promise<Question>
  /** Throws `ConfigError` before anything is written. */
  setUp(answer: string, signal: AbortSignal): AgentSetup | Promise<AgentSetup>
}

export interface Question {
  text: string
  /** Taken for an empty line, and with `--yes`. */
  standard?: string
  /** What to do without a terminal when there is no standard. */
  hint: string
  /** Says what is wrong with an answer. */
  problem?(answer: string): string | undefined
}

/** What is written for an agent. */
export interface AgentSetup {
  config: Config
  /** Where the messages of the cases go, in words. */
  target: string
  cases: FirstCase[]
  /** Further files: the demo agent. */
  files?: Record<string, string>
  /** What the user should know before the run. */
  notes?: string[]
  /** Environment variables that a run needs. */
  variables?: string[]
  /** Values of variables that this run has from elsewhere. They are written nowhere. */
  environment?: Record<string, string>
  /** A host that only a file names. Without a person who agrees, or `-n`, it is not called. */
  publicHost?: string
  /** Why the cases are only written, and not run. */
  notRun?: string
}
