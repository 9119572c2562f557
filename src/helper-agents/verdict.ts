import { allJson } from '../extract-json.ts'
import { isRecord } from '../json.ts'
import { type Data, textOf } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import type { Reading } from './ask-twice.ts'

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

/**
 * `{"passed": true}`, or `{"verdict": "pass" | "fail" | "unknown"}`; as data, JSON, fenced or in prose. One that quotes
 * another verdict beside its own has given none: nobody can say which is meant.
 */
export function readVerdict({ output, content }: Pick<Reply, 'output' | 'content'>): Reading<Verdict> {
  const said = isRecord(output) ? [output] : allJson(textOf(output) || content)
  const readings = said.filter(isRecord).filter(looksLikeVerdict).map(verdictIn)
  const [first = { problem: wanted }, ...others] = readings
  const alike = (other: Reading<Verdict>) =>
    'value' in first && 'value' in other && first.value.verdict === other.value.verdict
  return others.every(alike) ? first : { problem: 'gave several verdicts that differ' }
}

function looksLikeVerdict(said: Data): boolean {
  return ['passed', 'pass', 'verdict'].some((key) => Object.hasOwn(said, key))
}

export function verdictIn(said: Data): Reading<Verdict> {
  const { passed, pass, verdict: word, reason, message, score, ...details } = said
  const verdict = verdictOf([passed, pass], word)
  if (verdict === undefined) return { problem: wanted }
  if (verdict === 'contradiction') return { problem: 'contradicts itself' }
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

const words = new Map<string, Verdict['verdict']>([
  ['pass', 'passed'],
  ['passed', 'passed'],
  ['fail', 'failed'],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
  ['cannot_tell', 'unknown'],
])

/** All that is said must be the same, and be a verdict. */
function verdictOf(
  flags: readonly unknown[],
  word: unknown,
): Verdict['verdict'] | 'contradiction' | undefined {
  const given = [
    ...flags.filter(isSaid).map((flag) => (flag === true ? 'passed' : flag === false ? 'failed' : undefined)),
    ...[word]
      .filter(isSaid)
      .map((each) => (typeof each === 'string' ? words.get(each.trim().toLowerCase()) : undefined)),
  ]
  if (given.includes(undefined)) return undefined
  const [first, ...others] = given
  return others.every((each) => each === first) ? first : 'contradiction'
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null
}

function scoreOf(score: unknown): number | undefined {
  return typeof score === 'number' && score >= 0 && score <= 1 ? score : undefined
}
