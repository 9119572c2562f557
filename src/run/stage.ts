import type { Agent } from '../agents/agent.ts'
import type { CaseEntry, CaseSource } from '../cases/entry.ts'
import type { DetectAwaiting } from '../conversation/awaiting/awaiting.ts'
import type { Plan } from '../conversation/plan.ts'
import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RetryPolicy } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'
import type { Tapes } from '../scope/tape.ts'
import type { Targets } from '../scope/targets.ts'
import type { Identity } from './identity.ts'

/** Services that run beside the agent. */
export interface CaseServices {
  /** Resets them before each case. Throws `InfrastructureError`. */
  beforeCase(scope: Scope): Promise<void>
  /** What is wrong with those that have ended; `expected` when something went wrong that one of them may explain. */
  troubles(expected: boolean): Promise<string[]>
}

/** Recorded conversations, which are graded instead of being held. */
export interface SavedConversations {
  /** Throws `InfrastructureError` if there is none, or if it is not of this plan. */
  find(key: Key, plan?: Plan): Promise<CaseResult>
}

/** What all jobs of a run have in common. */
export interface Stage {
  source: CaseSource
  /** By variant. */
  agents: ReadonlyMap<string, Agent>
  identity: Identity
  timeoutMs: number
  /** The time limit of one script test, and of each function around them. */
  testTimeoutMs: number
  /** Whether a test without assertions fails. */
  requireChecks: boolean
  retry: RetryPolicy
  /** Whether suites, which bring their agent, refuse calls of tools that are not stubbed. */
  stubAll?: boolean
  /** The endpoints that the run has asked so far. */
  targets: Targets
  /** Where calls are kept, or answered from. */
  tapes?: Tapes
  /** The seed of the first run of a case; each further run uses the next number. */
  seed?: number
  /** Absent for the built-in rules. */
  detectAwaiting?: DetectAwaiting
  services?: CaseServices
  /** Absent for a run that holds its conversations. */
  conversations?: SavedConversations
  emit(event: RunEvent): void
}

/** Called with every result. A test may have two, if something it left behind failed later: the last one counts. */
export type OnResult = (result: CaseResult, entry: CaseEntry) => void
