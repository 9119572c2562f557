import { z } from 'zod'
import { auditAgents } from '../cases/audit-agents.ts'
import { type CaseEntry, type ConversationCase, hashCase } from '../cases/entry.ts'
import { compileStubs, findStubNameProblem, stubsSchema } from '../cases/stubs.ts'
import type { Check } from '../checks/check.ts'
import { showApart } from '../checks/describe.ts'
import { authorSource } from '../conversation/author.ts'
import { splitLimit } from '../conversation/conditions.ts'
import { endDecidesResult, type Plan } from '../conversation/plan.ts'
import { ConfigError, errorMessage } from '../errors.ts'
import { asJson } from '../json/as-json.ts'
import { defined } from '../json/defined.ts'
import { sameData } from '../json/equal/find-difference.ts'
import { durationRangeProblem, parseDuration, rangeProblem } from '../text/duration.ts'
import { isToolName } from '../text/tool-name.ts'
import type { Stubs } from '../tools/stubs.ts'
import { unknownToolHint } from '../tools/unknown-tool.ts'
import { assertionsSchema, compileAssertions } from './assertions.ts'
import { conditionOf } from './conditions.ts'
import { criteriaSchema } from './criteria.ts'
import { earlierSchema, holdEarlier } from './earlier-messages.ts'
import { followUpSource, followUpsSchema, openingSource } from './follow-ups.ts'
import { holdInput, typedOutput } from './held-values.ts'
import { createJudge, type Judge } from './judge.ts'
import { createJudgeCheck } from './judge-check.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import type { MultiTurn, TestCase } from './test-case.ts'

export type AnyTestCase = TestCase<unknown, unknown>

/** What a case is judged with. */
export interface SuiteCaseSettings {
  judge?: Judge
  agentDescription?: string
  /** The tools of the agent, where they are known before it is asked. */
  tools?: readonly string[]
}

/** As long as nobody says otherwise, so that a conversation ends. */
const standardMaxTurns = 20

const caseSchema = lazySchema(() => {
  const outcome = z.enum(['pass', 'fail']).optional()
  const multiTurn = z.strictObject({
    followUpInputs: followUpsSchema(),
    terminateWhen: z
      .array(z.unknown())
      .refine((list) => list.length > 0, 'needs at least one condition: without one it could never succeed'),
    maxTurns: fields.wholeNumber(1).optional(),
    onConditionMet: outcome,
    onMaxTurnsReached: outcome,
    onExhausted: outcome,
  })
  return z.strictObject({
    id: z.string().min(1).optional(),
    description: z.string().optional(),
    messages: earlierSchema().optional(),
    input: fields.present(),
    expectedOutput: z.unknown().optional(),
    assert: assertionsSchema().optional(),
    stubs: stubsSchema.optional(),
    judge: fields.judge().optional(),
    criteria: criteriaSchema().optional(),
    tags: z.array(z.string()).optional(),
    auditAllows: z.array(z.enum(auditAgents)).optional(),
    timeout: fields.timeout().optional(),
    skip: z.union([z.boolean(), z.string()]).optional(),
    multiTurn: multiTurn.optional(),
  })
})

/** A case of a suite comes to the same plan as one of a file. */
export function compileTestCase(
  testCase: AnyTestCase,
  id: string,
  settings: SuiteCaseSettings,
): ConversationCase {
  checkOptions(caseSchema, testCase, id)
  const { multiTurn, skip, timeout, expectedOutput } = testCase
  const { input, messages = [] } = testCase
  const opening =
    typeof input === 'function'
      ? openingSource(input)
      : authorSource([{ say: holdInput(input), source: 'initial', checks: [] }])
  const plan: Plan = {
    history: holdEarlier(messages),
    sources: [opening],
    singleTurn: multiTurn === undefined,
    checkpoints: [],
    conditions: [],
    finals: createFinalChecks(testCase, id, settings),
    maxTurns: 1,
    stopOnFailure: false,
    onMissingInput: 'end',
    options: {},
    stubs: createStubs(testCase, id, settings),
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
  const { followUpInputs, terminateWhen, maxTurns } = multiTurn
  const { onConditionMet = 'pass', onMaxTurnsReached = 'fail', onExhausted = 'fail' } = multiTurn
  const { limit, conditions } = splitLimit(terminateWhen.map(conditionOf))
  return {
    sources: [opening, followUpSource(followUpInputs, id)],
    conditions,
    maxTurns: Math.min(maxTurns ?? limit ?? standardMaxTurns, limit ?? Number.POSITIVE_INFINITY),
    outcomes: { conditionMet: onConditionMet, maxTurns: onMaxTurnsReached, exhausted: onExhausted },
  }
}

/** A stub for a tool that is not there would replace nothing. */
function createStubs({ stubs = {} }: AnyTestCase, id: string, { tools }: SuiteCaseSettings): Stubs {
  const problem = findStubNameProblem(stubs)
  if (problem !== undefined) throw badCase(`${id}: stubs: ${problem}`)
  const unknown = Object.keys(stubs).find((name) => tools?.every((tool) => !isToolName(tool, name)))
  if (tools !== undefined && unknown !== undefined) {
    const hint = unknownToolHint(unknown, tools)
    throw badCase(`${id}: stub of "${unknown}": the agent has no such tool (${hint})`)
  }
  // What is absent from a rule that was written is filled in by the schema.
  return compileStubs(stubsSchema.parse(stubs))
}

function createFinalChecks(testCase: AnyTestCase, id: string, settings: SuiteCaseSettings): Check[] {
  const { expectedOutput, assert, multiTurn } = testCase
  const { agentDescription } = settings
  const judge = judgeOf(testCase, id, settings)
  const leftToJudge = judge !== undefined && judge.usesExpectedOutput !== false
  return [
    ...compileAssertions(assert, multiTurn === undefined ? 'turn' : 'final', id, 'assert'),
    ...(expectedOutput === undefined || leftToJudge ? [] : [equalsExpected(expectedOutput)]),
    ...(judge === undefined ? [] : [createJudgeCheck(judge, { expectedOutput, agentDescription })]),
  ]
}

/** The case's own judge beats that of the suite; its criteria are added to either. */
function judgeOf(
  { judge: own, criteria }: AnyTestCase,
  id: string,
  { judge = own }: SuiteCaseSettings,
): Judge | undefined {
  const chosen = own ?? judge
  if (criteria === undefined) return chosen
  try {
    if (chosen === undefined) return createJudge({ criteria })
    if (chosen.withCriteria !== undefined) return chosen.withCriteria(criteria)
  } catch (error) {
    if (error instanceof ConfigError) throw badCase(`${id}: criteria: ${error.message}`)
    throw error
  }
  throw badCase(`${id}: criteria: its judge takes no criteria: make it with createJudge`)
}

function badCase(message: string): ConfigError {
  return new ConfigError({ code: 'bad_case', message })
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
        const holds = reply !== undefined && sameData(typedOutput(reply), expectedOutput)
        return holds
          ? { ...shared, status: 'passed', reason: `output is ${came}` }
          : { ...shared, status: 'failed', reason: `output is ${came}, expected ${wanted}` }
      } catch (error) {
        return { ...shared, status: 'unknown', reason: errorMessage(error) }
      }
    },
  }
}

export function suiteCaseEntry(
  testCase: AnyTestCase,
  id: string,
  { plan, skip, timeoutMs }: ConversationCase,
): CaseEntry {
  const { description, tags = [] } = testCase
  return {
    id,
    file: '',
    line: 0,
    hash: hashCase(asJson(testCase)),
    tags: [...tags],
    ...defined({ name: description, timeoutMs }),
    ...(!plan.singleTurn && { multiTurn: true }),
    ...(!isChecked(plan) && { unchecked: true }),
    ...(skip !== undefined && { skipped: true }),
    at: { inline: undefined },
  }
}

function isChecked(plan: Plan): boolean {
  const { finals, sources } = plan
  const hasChecks = sources.some(({ checksFrom }) => checksFrom?.(0).some((checks) => checks.length > 0))
  return finals.length > 0 || hasChecks || endDecidesResult(plan)
}

export function milliseconds(timeout: number | string, where: string): number {
  const parsed = typeof timeout === 'number' ? timeout : parseDuration(timeout)
  const range = typeof timeout === 'number' ? rangeProblem(timeout) : durationRangeProblem(timeout)
  if (parsed !== undefined && Number.isFinite(parsed) && range === undefined) return parsed
  const form = "must be milliseconds above 0, or a text like '30s'"
  throw badCase(`${where}: timeout ${String(timeout)}: ${range ?? form}`)
}
