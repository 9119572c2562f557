import { extractJson } from '../extract-json.ts'
import { isRecord } from '../json.ts'
import { type Data, textOf } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import type { Reading } from './structured.ts'

/** What a validator or a judge finds. `unknown` is an answer of its own, and never a pass. */
export interface Verdict {
  verdict: 'passed' | 'failed' | 'unknown'
  reason: string
  /** 0 to 1. */
  score?: number
  /** What else it said: suggestions, findings by criterion. */
  details?: Data
}

const wanted = 'gave no verdict ({"reason": …, "passed": true | false})'

/** `{"passed": true}`, or `{"verdict": "pass" | "fail" | "unknown"}`; as data, JSON, fenced or in prose. */
export function readVerdict({ output, content }: Pick<Reply, 'output' | 'content'>): Reading<Verdict> {
  const said = isRecord(output) ? output : extractJson(textOf(output) || content)?.value
  if (!isRecord(said)) return { problem: wanted }
  return verdictIn(said)
}

export function verdictIn(said: Data): Reading<Verdict> {
  const { passed, pass, verdict: word, reason, message, score, ...details } = said
  const verdict = verdictOf(passed ?? pass, word)
  if (verdict === undefined) return { problem: wanted }
  if (verdict === 'contradiction') return { problem: 'contradicts itself: "passed" and "verdict" differ' }
  const fraction = scoreOf(score)
  // One of another scale is no score of ours, but worth to be seen.
  const others = fraction === undefined && score !== undefined ? { score, ...details } : details
  return {
    value: {
      verdict,
      reason: textOf(reason ?? message) || `it says ${verdict}`,
      ...(fraction !== undefined && { score: fraction }),
      ...(Object.keys(others).length > 0 && { details: others }),
    },
  }
}

const words: Record<string, Verdict['verdict']> = {
  pass: 'passed',
  passed: 'passed',
  fail: 'failed',
  failed: 'failed',
  unknown: 'unknown',
  cannot_tell: 'unknown',
}

function verdictOf(passed: unknown, word: unknown): Verdict['verdict'] | 'contradiction' | undefined {
  const byWord = typeof word === 'string' ? words[word.trim().toLowerCase()] : undefined
  if (typeof passed !== 'boolean') return passed === undefined || passed === null ? byWord : undefined
  const byFlag = passed ? 'passed' : 'failed'
  return word === undefined || byWord === byFlag ? byFlag : 'contradiction'
}

function scoreOf(score: unknown): number | undefined {
  return typeof score === 'number' && score >= 0 && score <= 1 ? score : undefined
}
