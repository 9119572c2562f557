import type { Data } from './transcript/message.ts'

/** What a judge or a validator is asked. */
export interface JudgeQuestion {
  /** One, or several that must all hold. */
  criteria: string | readonly string[]
  /** The least score with which it passes, 0 to 1. */
  threshold?: number
  /** Its answer is a score, and the threshold alone decides. */
  isScored?: boolean
  /** How often it is asked; the majority decides. */
  samples?: number
  /** What it is told: criteria, rubric, the conversation. */
  params: Data
  options: Data
}

/** What it finds. `unknown` is an answer of its own, and never a pass. */
export interface JudgeFinding {
  verdict: 'passed' | 'failed' | 'unknown'
  reason: string
  /** 0 to 1. */
  score?: number
  /** What else it said: suggestions, findings by criterion, samples. */
  details?: Data
}
