import type { Check } from '../checks/check.ts'
import type { CheckpointResult } from '../results/result.ts'
import type { Data, Message } from '../results/transcript/message.ts'
import type { Input, InputSource, Simulated, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import type { Stubs } from '../tools/stubs.ts'
import type { DetectAwaiting } from './awaiting/awaiting.ts'
import type { Checkpoint } from './checkpoints.ts'
import type { Condition } from './conditions.ts'

/** What a case comes to, whatever form it was written in: the one thing the loop plays. */
export interface Plan {
  /** What was said before turn 1. */
  history: readonly Message[]
  /** Where the next user message comes from, in this order. */
  sources: readonly MessageSource[]
  /** Ends after its one reply, even when that is a question. */
  singleTurn: boolean
  /** What the conversation must reach, may reach, must not reach. */
  checkpoints: readonly Checkpoint[]
  /** Any of them ends the conversation. */
  conditions: readonly Condition[]
  /** What comes of the ways it may end. Absent: its checks and checkpoints alone decide. */
  outcomes?: Outcomes
  finals: readonly Check[]
  maxTurns: number
  /** For the agent's reply, and for what a simulator says; checks have the time of the case. */
  turnTimeoutMs?: number
  stopOnFailure: boolean
  onMissingInput: MissingInput
  /** By the built-in rules, unless the project has more. */
  detectAwaiting?: DetectAwaiting
  /** Options of every turn; a turn's own go over them. */
  options: Data
  /** Tools that are replaced; a turn's own go over them. */
  stubs: Stubs
}

/** What each end of a conversation means that is held until a condition is met. */
export interface Outcomes {
  conditionMet: Outcome
  /** The last turn was taken first. */
  maxTurns: Outcome
  /** All was said first that the author had to say. */
  exhausted: Outcome
}

export type Outcome = 'pass' | 'fail'

/** What becomes of a case whose agent waits for an answer that nobody has. */
export type MissingInput = 'skip' | 'fail' | 'end'

/** What somebody says for the user, and what must hold of the reply. */
export interface Said {
  say: Input
  source: InputSource
  checks: readonly Check[]
  options?: Data
  stubs?: Stubs
  /** What the author says this turn is about. */
  description?: string
  simulated?: Simulated
  /** With this the simulated user has what it wanted: the conversation ends after the reply. */
  last?: boolean
}

/** `exhausted`: this one has nothing more to say, the next one is asked. `goal_achieved`: all has been said. */
export type Next = Said | { end: 'exhausted' | 'goal_achieved'; reasoning?: string }

/** How a conversation stands when somebody is asked for the next message. */
export interface Standing {
  view: View
  /** How often the one who is asked has spoken in this conversation. */
  spoken: number
  checkpoints: readonly CheckpointResult[]
  maxTurns: number
}

/**
 * Somebody who can speak for the user: the author, code that follows up on what was said, a simulator, a person. A plan may be played many times at
 * once, so a source keeps nothing of a conversation.
 */
export interface MessageSource {
  kind: 'author' | 'follow_up' | 'simulator' | 'human'
  /** What it will say, where that is known before anything was said. */
  known?: readonly Said[]
  /** Whether it would speak now: the author while turns are left, a person when the agent waits. */
  wants(view: View, spoken: number): boolean
  next(standing: Standing, scope: Scope): Promise<Next>
}

/** Whether how the conversation ends says anything about the agent: some condition may be met, and some end is none to pass. */
export function endDecides({ conditions, outcomes }: Pick<Plan, 'conditions' | 'outcomes'>): boolean {
  return conditions.length > 0 && Object.values(outcomes ?? {}).includes('fail')
}
