import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import type { JudgeFinding, JudgeQuestion } from '../../results/judge-finding.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent } from '../agent.ts'
import { askForData } from './ask-for-data.ts'
import type { Reading } from './ask-twice.ts'
import { readVerdict, scoreIn, verdictIn } from './verdict.ts'
import { wholeAnswer } from './whole-answer.ts'

export type JudgeRequest = JudgeQuestion

/** Asks a judge, as often as it says, and makes one verdict of what it finds. */
export async function askJudge(agent: Agent, request: JudgeRequest, scope: Scope): Promise<JudgeFinding> {
  const { samples = 1, params, options } = request
  const ask = () =>
    askForData(agent, { role: 'judge', params, options }, (reply) => read(reply, request), scope)
  // All are waited for: none may go on when the check is over.
  const settled = await Promise.allSettled(Array.from({ length: samples }, ask))
  const verdicts = settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return withThreshold(outcome.value, request.threshold)
  })
  return majority(verdicts)
}

/** A criterion that answers name by its id. */
export interface NamedCriterion {
  id: string
  text: string
}

/** What a judge finds of one criterion. */
export interface Finding extends JudgeFinding {
  criterion: string
}

/** Scores for criteria, each by itself, on a scale from 0. What comes of them is up to who asks. */
export function askForScores(
  agent: Agent,
  { criteria, scale, ...told }: { criteria: readonly NamedCriterion[]; scale: number } & Data,
  scope: Scope,
): Promise<Finding[]> {
  const params = { test_mode: 'scores', criteria, scale, ...told }
  const ids = criteria.map(({ id }) => id)
  const read = (reply: Reply) => findingsIn(reply, ids, scale)
  return askForData(agent, { role: 'judge', params, options: {} }, read, scope)
}

function read(reply: Reply, { criteria, threshold, isScored }: JudgeRequest): Reading<JudgeFinding> {
  if (isScored) return readScore(reply)
  const reading = typeof criteria === 'string' ? readVerdict(reply) : readFindings(reply, criteria)
  if (!('value' in reading) || threshold === undefined || reading.value.verdict === 'unknown') return reading
  return reading.value.score === undefined ? { problem: 'gave no score (0 to 1)' } : reading
}

function readScore(reply: Reply): Reading<JudgeFinding> {
  const answer = wholeAnswer(reply)
  if ('problem' in answer) return answer
  return isRecord(answer.value)
    ? scoreIn(answer.value, 1)
    : { problem: 'gave no JSON ({"reason": …, "confidence": 0 to 1} and nothing else)' }
}

/** One verdict for all criteria, which must all hold. */
export function readFindings(reply: Reply, criteria: readonly string[]): Reading<JudgeFinding> {
  const found = findingsIn(reply, criteria)
  if ('problem' in found) return found
  const combined = together(found.value)
  return contradicts(wholeAnswer(reply), combined) ? { problem: 'contradicts itself' } : { value: combined }
}

/**
 * A finding for each criterion, by its number, text or id: a verdict, or where there is a scale a score. One that is
 * missing, or for none of them, makes all of it unusable.
 */
function findingsIn(reply: Reply, criteria: readonly string[], scale?: number): Reading<Finding[]> {
  const answer = wholeAnswer(reply)
  if ('problem' in answer) return answer
  const said = answer.value
  // Models of suites answer with `verdicts`, too.
  const list = isRecord(said) ? (said.criteria ?? said.verdicts ?? alone(said, criteria)) : said
  if (!Array.isArray(list))
    return { problem: 'gave no list of verdicts ({"criteria": [{"criterion": …}]} and nothing else)' }
  const name = (number: number) => (scale === undefined ? `criterion ${number}` : criteria[number - 1])
  const found = new Map<number, JudgeFinding>()
  for (const each of list) {
    const { criterion, criterionId, ...rest } = isRecord(each) ? each : {}
    const number = criterionNumber(criterion ?? criterionId, criteria)
    if (number === undefined) return { problem: 'judged a criterion that there is not' }
    if (found.has(number)) return { problem: `judged ${name(number)} twice` }
    const reading = scale === undefined ? verdictIn(rest) : scoreIn(rest, scale)
    if ('problem' in reading) return { problem: `${reading.problem} for ${name(number)}` }
    found.set(number, reading.value)
  }
  const missing = criteria.findIndex((_, index) => !found.has(index + 1))
  if (missing !== -1) return { problem: `did not judge ${name(missing + 1)}` }
  const inOrder = [...found].sort(([one], [other]) => one - other)
  return { value: inOrder.map(([number, each]) => ({ criterion: criteria[number - 1] ?? '', ...each })) }
}

/** An overall verdict beside the list, which says something else. */
function contradicts(answer: Reading<unknown>, combined: JudgeFinding): boolean {
  const said = 'value' in answer ? answer.value : undefined
  if (!isRecord(said) || said.criteria === undefined) return false
  const { passed, pass, verdict } = said
  if (passed === undefined && pass === undefined && verdict === undefined) return false
  const overall = verdictIn({ passed, pass, verdict })
  return !('value' in overall) || overall.value.verdict !== combined.verdict
}

/** A single verdict is that of the only criterion. */
function alone(said: Data, criteria: readonly string[]): unknown {
  return criteria.length === 1 ? [{ criterion: 1, ...said }] : undefined
}

function criterionNumber(criterion: unknown, criteria: readonly string[]): number | undefined {
  const number =
    typeof criterion === 'string' ? criteria.indexOf(criterion) + 1 || Number(criterion) : criterion
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= criteria.length
    ? number
    : undefined
}

/** All must hold: the first that does not is the reason. */
function together(all: readonly Finding[]): JudgeFinding {
  const worst =
    all.find(({ verdict }) => verdict === 'failed') ??
    all.find(({ verdict }) => verdict === 'unknown') ??
    all[0]
  const scored = all.every(({ score }) => score !== undefined)
  const mean = all.reduce((sum, { score = 0 }) => sum + score, 0) / all.length
  const held = all.filter(({ verdict }) => verdict === 'passed').length
  return {
    verdict: worst?.verdict ?? 'unknown',
    reason: `${held} of ${all.length} criteria hold; ${worst?.criterion}: ${worst?.reason}`,
    ...(scored && { score: mean }),
    details: { criteria: all },
  }
}

function withThreshold(verdict: JudgeFinding, threshold: number | undefined): JudgeFinding {
  const { score = 0, reason } = verdict
  if (threshold === undefined || verdict.verdict !== 'passed' || score >= threshold) return verdict
  return { ...verdict, verdict: 'failed', reason: `score ${score} is below ${threshold}: ${reason}` }
}

/** More than half must say the same; what they do not agree on is unknown. */
function majority(verdicts: readonly JudgeFinding[]): JudgeFinding {
  const [only] = verdicts
  if (verdicts.length === 1 && only !== undefined) return only
  const count = (wanted: JudgeFinding['verdict']) => verdicts.filter(({ verdict }) => verdict === wanted)
  const groups = (['passed', 'failed', 'unknown'] as const).map(count)
  const largest = groups.reduce((left, right) => (right.length > left.length ? right : left))
  const decided = largest.length * 2 > verdicts.length
  // Of those that decided it: the others are against it.
  const scores = (decided ? largest : verdicts).flatMap(({ score }) => score ?? [])
  const [spokesman] = largest
  const agreement = largest.length / verdicts.length
  return {
    verdict: decided ? (spokesman?.verdict ?? 'unknown') : 'unknown',
    reason: decided
      ? `${largest.length} of ${verdicts.length} say ${spokesman?.verdict}: ${spokesman?.reason}`
      : `${verdicts.length} samples do not agree: ${tally(groups)}`,
    ...(scores.length > 0 && { score: scores.reduce((sum, score) => sum + score, 0) / scores.length }),
    details: {
      ...spokesman?.details,
      agreement,
      samples: verdicts.map(({ verdict, reason, score }) => defined({ verdict, reason, score })),
    },
  }
}

function tally(groups: readonly (readonly JudgeFinding[])[]): string {
  const words = ['passed', 'failed', 'unknown']
  return groups
    .flatMap((group, index) => (group.length === 0 ? [] : `${group.length} ${words[index]}`))
    .join(', ')
}
