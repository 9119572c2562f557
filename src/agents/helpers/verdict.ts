import { isRecord } from '../../json/json.ts'
import type { JudgeFinding } from '../../results/judge-finding.ts'
import { type Data, messageText } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Reading } from './ask-twice.ts'
import { wholeAnswer } from './whole-answer.ts'

const wanted = 'gave no verdict ({"reason": …, "passed": true | false} and nothing else)'

/** `{"passed": true}`, or `{"verdict": "pass" | "fail" | "unknown"}`; as data, or as JSON that is the whole answer. */
export function readVerdict(
  reply: Pick<Reply, 'output' | 'content' | 'finishReason'>,
): Reading<JudgeFinding> {
  const answer = wholeAnswer(reply)
  if ('problem' in answer) return answer
  return isRecord(answer.value) ? verdictIn(answer.value) : { problem: wanted }
}

export function verdictIn(said: Data): Reading<JudgeFinding> {
  const { passed, pass, verdict: word, reason, message, score, ...details } = said
  // Written another way ("Passed"), it may be the opposite of what is read.
  if (Object.keys(details).some((key) => /^(?:passed|pass|verdict)$/i.test(key.trim())))
    return { problem: wanted }
  const verdict = parseVerdictWord([passed, pass], word)
  if (verdict === undefined) return { problem: wanted }
  const isDoubted = isSaid(details.error) || failedIn(details.criteria)
  if (verdict === 'contradiction' || (verdict === 'passed' && isDoubted))
    return { problem: 'contradicts itself' }
  const fraction = parseScore(score)
  // One of another scale is no score of ours, but worth to be seen.
  const others = fraction === undefined && isSaid(score) ? { score, ...details } : details
  return {
    value: {
      verdict,
      reason: messageText(reason ?? message) || `it says ${verdict}`,
      ...(fraction !== undefined && { score: fraction }),
      ...(Object.keys(others).length > 0 && { details: others }),
    },
  }
}

/** A score that is the verdict: from 0 to `scale`, or "unknown". What is said besides may not contradict it. */
export function scoreIn(said: Data, scale: number): Reading<JudgeFinding> {
  const { passed, pass, verdict: word, score = said.confidence } = said
  const reason = messageText(said.reason ?? said.reasoning) || 'it gave no reason'
  const verdict = score === 'unknown' ? 'unknown' : (parseVerdictWord([passed, pass], word) ?? 'passed')
  if (verdict === 'contradiction') return { problem: 'contradicts itself' }
  if (verdict === 'unknown') return { value: { verdict, reason } }
  const fraction = typeof score === 'number' ? parseScore(score / scale) : undefined
  return fraction === undefined
    ? { problem: `gave no score from 0 to ${scale}` }
    : { value: { verdict, reason, score: fraction } }
}

/** A finding beside the verdict that did not pass. */
function failedIn(findings: unknown): boolean {
  if (!Array.isArray(findings)) return false
  return findings.some((each) => {
    const found = isRecord(each) ? verdictIn(each) : undefined
    return found !== undefined && 'value' in found && found.value.verdict !== 'passed'
  })
}

const words = new Map<string, JudgeFinding['verdict']>([
  ['pass', 'passed'],
  ['passed', 'passed'],
  ['fail', 'failed'],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
  ['cannot_tell', 'unknown'],
])

/** All that is said must be the same, and be a verdict. */
function parseVerdictWord(
  flags: readonly unknown[],
  word: unknown,
): JudgeFinding['verdict'] | 'contradiction' | undefined {
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

function parseScore(score: unknown): number | undefined {
  return typeof score === 'number' && score >= 0 && score <= 1 ? score : undefined
}
