import { type CaseEntry, type ConversationCase, hashOf } from '../cases/entry.ts'
import type { Check } from '../checks/check.ts'
import { showApart } from '../checks/describe.ts'
import { authorSource } from '../conversation/author.ts'
import { splitLimit } from '../conversation/conditions.ts'
import { endDecides, type Plan } from '../conversation/plan.ts'
import { ConfigError, messageOf } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { sameData } from '../json/equal/find-difference.ts'
import { durationRangeProblem, outOfRange, parseDuration } from '../text/duration.ts'
import { conditionOf } from './conditions.ts'
import { checkFollowUps, followUpSource } from './follow-ups.ts'
import { holdInput, outputOf } from './held-values.ts'
import { asJson } from './json-value.ts'
import type { Judge } from './judge.ts'
import { createJudgeCheck } from './judge-check.ts'
import { refuseUnknown } from './known-keys.ts'
import type { MultiTurn, TestCase } from './test-case.ts'

export type AnyTestCase = TestCase<unknown, unknown>

/** What a case is judged with. */
export interface SuiteCaseSettings {
  judge?: Judge
  agentDescription?: string
}

/** As long as nobody says otherwise, so that a conversation ends. */
const standardMaxTurns = 20

const caseKeys = ['id', 'description', 'input', 'expectedOutput', 'tags', 'timeout', 'skip', 'multiTurn']
const multiTurnKeys = [
  'followUpInputs',
  'terminateWhen',
  'maxTurns',
  'onConditionMet',
  'onMaxTurnsReached',
  'onExhausted',
]
const followUpKeys = ['input', 'description', 'turns']

/** A case of a suite comes to the same plan as one of a file. */
export function compileTestCase(
  testCase: AnyTestCase,
  id: string,
  settings: SuiteCaseSettings,
): ConversationCase {
  refuseUnknown(testCase, caseKeys, id)
  if (!('input' in testCase) || testCase.input === undefined) throw badCase(id, 'has no input')
  const { multiTurn, skip, timeout, expectedOutput } = testCase
  if (multiTurn === null) throw badCase(id, 'multiTurn is null: leave it out for a single turn')
  const opening = authorSource([{ say: holdInput(testCase.input), source: 'initial', checks: [] }])
  const plan: Plan = {
    history: [],
    sources: [opening],
    singleTurn: multiTurn === undefined,
    checkpoints: [],
    conditions: [],
    finals: finalsOf(testCase, settings),
    maxTurns: 1,
    stopOnFailure: false,
    onMissingInput: 'end',
    options: {},
    stubs: {},
    ...(multiTurn && goesOn(multiTurn, opening, id)),
  }
  return {
    kind: 'conversation',
    plan,
    metadata: {},
    ...(skip ? { skip: skip === true ? 'skipped by its author' : skip } : {}),
    ...defined({ timeoutMs: timeout === undefined ? undefined : milliseconds(timeout, id) }),
    ...(expectedOutput === undefined ? {} : { expected: asJson(expectedOutput) }),
  }
}

function goesOn(
  multiTurn: MultiTurn<unknown, unknown>,
  opening: Plan['sources'][number],
  id: string,
): Partial<Plan> {
  refuseUnknown(multiTurn, multiTurnKeys, `${id}.multiTurn`)
  const { followUpInputs, terminateWhen, maxTurns } = multiTurn
  if (!Array.isArray(followUpInputs)) throw badCase(id, 'multiTurn needs followUpInputs, a list')
  if (!Array.isArray(terminateWhen) || terminateWhen.length === 0)
    throw badCase(
      id,
      'multiTurn needs terminateWhen, a list of conditions: without one it could never succeed',
    )
  for (const [place, followUp] of followUpInputs.entries())
    refuseUnknown(followUp, followUpKeys, `${id}.multiTurn.followUpInputs[${place}]`)
  checkFollowUps(followUpInputs, id)
  if (maxTurns !== undefined && !(Number.isInteger(maxTurns) && maxTurns >= 1))
    throw badCase(id, `maxTurns is ${maxTurns}, must be a whole number of at least 1`)
  const { limit, conditions } = splitLimit(terminateWhen.map(conditionOf))
  const outcome = (
    name: 'onConditionMet' | 'onMaxTurnsReached' | 'onExhausted',
    standard: 'pass' | 'fail',
  ) => {
    const given = multiTurn[name] ?? standard
    if (given !== 'pass' && given !== 'fail')
      throw badCase(id, `${name} is ${String(given)}, must be 'pass' or 'fail'`)
    return given
  }
  return {
    sources: [opening, followUpSource(followUpInputs)],
    conditions,
    maxTurns: Math.min(maxTurns ?? limit ?? standardMaxTurns, limit ?? Number.POSITIVE_INFINITY),
    outcomes: {
      conditionMet: outcome('onConditionMet', 'pass'),
      maxTurns: outcome('onMaxTurnsReached', 'fail'),
      exhausted: outcome('onExhausted', 'fail'),
    },
  }
}

function finalsOf(testCase: AnyTestCase, { judge, agentDescription }: SuiteCaseSettings): Check[] {
  const { expectedOutput } = testCase
  const leftToJudge = judge !== undefined && judge.usesExpectedOutput !== false
  return [
    ...(expectedOutput === undefined || leftToJudge ? [] : [equalsExpected(expectedOutput)]),
    ...(judge === undefined ? [] : [createJudgeCheck(judge, { expectedOutput, agentDescription })]),
  ]
}

function equalsExpected(expectedOutput: unknown): Check {
  const expected = asJson(expectedOutput)
  return {
    type: 'equals',
    async run({ turns }) {
      const reply = turns.at(-1)?.reply
      const actual = reply?.output
      const shared = { type: 'equals', gates: true, expected, actual }
      const [came, wanted] = showApart(actual, expected)
      try {
        const holds = reply !== undefined && sameData(outputOf(reply), expectedOutput)
        return holds
          ? { ...shared, status: 'passed', reason: `output is ${came}` }
          : { ...shared, status: 'failed', reason: `output is ${came}, expected ${wanted}` }
      } catch (error) {
        return { ...shared, status: 'unknown', reason: messageOf(error) }
      }
    },
  }
}

export function suiteCaseEntry(
  testCase: AnyTestCase,
  id: string,
  { plan, timeoutMs }: ConversationCase,
): CaseEntry {
  const { description, tags = [] } = testCase
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string'))
    throw badCase(id, 'tags must be a list of texts')
  return {
    id,
    file: '',
    line: 0,
    hash: hashOf(asJson(testCase)),
    tags: [...tags],
    ...defined({ name: description, timeoutMs }),
    ...(!plan.singleTurn && { multiTurn: true }),
    ...(plan.finals.length === 0 && !endDecides(plan) && { unchecked: true }),
    at: { inline: undefined },
  }
}

export function milliseconds(timeout: number | string, where: string): number {
  const parsed = typeof timeout === 'number' ? timeout : parseDuration(timeout)
  const range = typeof timeout === 'number' ? outOfRange(timeout) : durationRangeProblem(timeout)
  if (parsed !== undefined && Number.isFinite(parsed) && range === undefined) return parsed
  const form = "must be milliseconds above 0, or a text like '30s'"
  throw badCase(where, `timeout ${String(timeout)}: ${range ?? form}`)
}

function badCase(id: string, message: string): ConfigError {
  return new ConfigError({ code: 'bad_case', message: `${id}: ${message}` })
}
