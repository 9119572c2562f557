import type { Agent } from '../agents/agent.ts'
import type { CaseEntry, CaseSource } from '../cases/entry.ts'
import type { DetectAwaiting } from '../conversation/awaiting/awaiting.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RetryPolicy } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'
import type { Targets } from '../scope/targets.ts'
import type { Identity } from './identity.ts'

/** What every job of a run is played with. */
export interface Stage {
  source: CaseSource
  /** By variant. */
  agents: ReadonlyMap<string, Agent>
  identity: Identity
  timeoutMs: number
  /** Of one script test, and of each function around them. */
  testTimeoutMs: number
  /** A test that asserts nothing has failed. */
  requireChecks: boolean
  retry: RetryPolicy
  /** Whom the run has asked so far. */
  targets: Targets
  /** Of the first run of a case; each further run has the next one. */
  seed?: number
  /** Absent: the built-in rules. */
  detectAwaiting?: DetectAwaiting
  /** Resets what surrounds the agent before each case. Throws `InfrastructureError`. */
  beforeCase?(scope: Scope): Promise<void>
  emit(event: RunEvent): void
}

/** Told of every result. One of a test may come twice, when what it left behind broke later: the last one counts. */
export type OnResult = (result: CaseResult, entry: CaseEntry) => void
