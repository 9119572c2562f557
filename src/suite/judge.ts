import { z } from 'zod'
import type { Agent } from '../agents/agent.ts'
import { askForScores } from '../agents/helpers/judge.ts'
import { createVivaJudge, vivaJudge } from '../agents/helpers/viva-judge.ts'
import { asJson } from '../json/as-json.ts'
import { defined } from '../json/defined.ts'
import type { Scope } from '../scope/scope.ts'
import { shownCalls } from './conversation-context.ts'
import {
  type Criterion,
  criteriaSchema,
  isValidator,
  nameCriteria,
  type SuiteCriterion,
  usesExpectedOutput,
  type ValidatorCriterion,
} from './criteria.ts'
import { shownTurns } from './evidence.ts'
import type { JudgeContext } from './judge-context.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { isAgent, type ProviderOrAgent, toModel } from './provider.ts'
import { findScope } from './scope-of.ts'

/** The rating of one criterion. */
export interface JudgeVerdict {
  criterionId: string
  /** 0 to 100. */
  score: number
  reasoning: string
}

/** The ratings of all criteria, and whether the whole passes. */
export interface JudgeResult {
  verdicts: JudgeVerdict[]
  /** The mean of the scores by their weights, 0 to 100. */
  overallScore: number
  passed: boolean
}

/** Rates a conversation: made by `createJudge`, or your own object with `evaluate`. */
export interface Judge {
  evaluate(context: JudgeContext): Promise<JudgeResult>
  /** `false`: it does not look at `expectedOutput`, which the last output then must equal. Default true. */
  readonly usesExpectedOutput?: boolean | undefined
  /** The same judge with further criteria, for cases that have `criteria` of their own. */
  withCriteria?(criteria: readonly SuiteCriterion[]): Judge
}

/** The options of `createJudge`. */
export interface JudgeOptions {
  /** A model, or a judge of a project (`EvalProject.judge`). Not needed where all criteria are judged by code. */
  provider?: ProviderOrAgent | undefined
  /** What must hold. A text is judged by the model. */
  criteria: readonly SuiteCriterion[]
  /** The least overall score that passes, 0 to 100. Default 70. */
  passThreshold?: number | undefined
  /** What else the model should know of its task. */
  instructions?: string | undefined
}

const judgeOptions = lazySchema(() =>
  z
    .strictObject({
      provider: z.unknown().optional(),
      criteria: criteriaSchema(),
      passThreshold: fields.share(scale).optional(),
      instructions: z.string().optional(),
    })
    .superRefine(({ provider, criteria }, context) => {
      const asked = criteria.find(({ validate }) => validate === undefined)
      if (asked === undefined || provider !== undefined) return
      context.addIssue({ code: 'custom', message: `criterion ${asked.id} needs a provider` })
    }),
)

/**
 * Creates a judge that rates a conversation by criteria, with a model or by functions.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { accuracy, createEvalSuite, createJudge, createScriptedProvider } from 'vivavoce'
 *
 * // In real suites: createOpenAIProvider({ apiKey }), or any model of the AI SDK.
 * const provider = createScriptedProvider(() => ({
 *   criteria: [{ criterion: 'accuracy', reason: 'Paris is right.', score: 90 }],
 * }))
 * const short = {
 *   id: 'short',
 *   name: 'Short',
 *   description: 'At most 20 characters',
 *   validate: ({ output }: { output: unknown }) => {
 *     const { length } = String(output)
 *     return { score: length <= 20 ? 100 : 0, reasoning: `${length} characters` }
 *   },
 * }
 * const judge = createJudge({ provider, criteria: [accuracy({ weight: 3 }), short], passThreshold: 80 })
 * const suite = createEvalSuite({ agent: { execute: (_: string) => 'Paris' }, judge })
 * const { results } = await suite.run([{ input: 'The capital of France?' }])
 * assert.deepEqual([results[0]?.passed, results[0]?.score], [true, 92.5])
 */
export function createJudge(options: JudgeOptions): Judge {
  checkOptions(judgeOptions, options, 'createJudge')
  const { provider, passThreshold = 70, instructions } = options
  const criteria = nameCriteria(options.criteria) as (Criterion | ValidatorCriterion)[]
  const asked = criteria.filter((criterion) => !isValidator(criterion))
  const agent = provider && judgeAgent(provider)
  const judge: Judge = {
    usesExpectedOutput: criteria.some(usesExpectedOutput),
    withCriteria: (more) => createJudge({ ...options, criteria: [...criteria, ...more] }),
    async evaluate(context) {
      const found = new Map<string, JudgeVerdict>()
      for (const criterion of criteria.filter(isValidator)) {
        const { score, reasoning = '' } = await criterion.validate(context)
        if (!isScore(score))
          throw new Error(`criterion ${criterion.id} gave the score ${score}, must be 0 to 100`)
        found.set(criterion.id, { criterionId: criterion.id, score, reasoning })
      }
      if (agent !== undefined && asked.length > 0)
        for (const verdict of await askModel(agent, asked, context, instructions, findScope(context)))
          found.set(verdict.criterionId, verdict)
      const verdicts = criteria.flatMap(({ id }) => found.get(id) ?? [])
      const score = weighted(criteria, verdicts)
      return { verdicts, overallScore: Math.round(score * 100) / 100, passed: score >= passThreshold }
    },
  }
  made.add(judge)
  return judge
}

const made = new WeakSet<Judge>()

/** Whether what a judge asks is recorded where it is asked. Of an object of the user's, nobody knows what it calls. */
export function isMadeJudge(judge: Judge): boolean {
  return made.has(judge)
}

/** The judge of a project, or the built-in one with this model. */
export function judgeAgent(provider: ProviderOrAgent): Agent {
  if (isAgent(provider)) return provider
  const model = toModel(provider)
  return createVivaJudge(vivaJudge, () => model)
}

function weighted(criteria: readonly Criterion[], verdicts: readonly JudgeVerdict[]): number {
  const weights = criteria.map(({ weight = 1 }) => weight)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const sum = verdicts.reduce((total, { score }, index) => total + score * (weights[index] ?? 0), 0)
  return sum / whole
}

/** The scale of scores and thresholds in suites. */
const scale = 100

/** A judge says that nobody could tell: no verdict, and no fault of anybody. */
export class CannotTell extends Error {}

async function askModel(
  agent: Agent,
  asked: readonly Criterion[],
  { input, output, expectedOutput, agentDescription, history = [] }: JudgeContext,
  instructions: string | undefined,
  scope: Scope,
): Promise<JudgeVerdict[]> {
  const criteria = asked.map(({ id, name, description }) => ({ id, text: `${name}. ${description}` }))
  const told = {
    output: asJson(output),
    conversation: shownTurns(
      history.length > 0 ? history : [{ turn: 1, input, output, ...shownCalls('hidden') }],
    ),
    ...defined({ agent_description: agentDescription, instructions }),
    ...(expectedOutput === undefined ? {} : { expected: asJson(expectedOutput) }),
  }
  const findings = await askForScores(agent, { criteria, scale, ...told }, scope)
  return findings.map(({ criterion, verdict, reason, score = 0 }) => {
    if (verdict === 'unknown') throw new CannotTell(`${criterion}: ${reason}`)
    return { criterionId: criterion, score: onScale(score), reasoning: reason }
  })
}

/** Without the digits that come of dividing and multiplying. */
function onScale(fraction: number): number {
  return Number((fraction * scale).toPrecision(12))
}

function isScore(score: unknown): score is number {
  return typeof score === 'number' && score >= 0 && score <= 100
}
