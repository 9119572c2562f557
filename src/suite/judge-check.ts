import { z } from 'zod'
import type { Check } from '../checks/check.ts'
import { errorMessage } from '../errors.ts'
import { asJson } from '../json/as-json.ts'
import type { Scope } from '../scope/scope.ts'
import { answeredTurns } from './conversation-context.ts'
import { CannotTell, isMadeJudge, type Judge, type JudgeResult } from './judge.ts'
import type { JudgeContext } from './judge-context.ts'
import { checkOptions, lazySchema } from './options.ts'
import { withScope } from './scope-of.ts'

/** A judge as the last check of a case. One that breaks or makes no sense has judged nothing. */
export function createJudgeCheck(
  judge: Judge,
  about: Pick<JudgeContext, 'expectedOutput' | 'agentDescription'>,
): Check {
  return {
    type: 'judge',
    async run(view, _, scope) {
      const history = answeredTurns(view)
      const first = history.find(({ turn }) => turn > 0)
      const context = { input: first?.input, output: history.at(-1)?.output, history, ...about }
      try {
        const result = readJudgeResult(await askJudge(judge, Object.freeze(context), scope))
        const { passed, overallScore, verdicts } = result
        return {
          type: 'judge',
          status: passed ? 'passed' : 'failed',
          gates: true,
          reason: describeVerdicts(result),
          score: overallScore / 100,
          details: { verdicts },
        }
      } catch (error) {
        scope.stop.throwIfAborted()
        const reason = errorMessage(error)
        return error instanceof CannotTell
          ? { type: 'judge', status: 'unknown', gates: true, reason: `the judge cannot tell: ${reason}` }
          : { type: 'judge', status: 'error', gates: true, reason: `the judge failed: ${reason}` }
      }
    },
  }
}

/** A judge of the user's is one call of a recording, whatever it asks. */
async function askJudge(judge: Judge, context: JudgeContext, scope: Scope): Promise<Partial<JudgeResult>> {
  const evaluate = async () => judge.evaluate(withScope(context, scope))
  if (isMadeJudge(judge)) return evaluate()
  const { result, cannotTell, error } = await scope.child('judge').exchange<OwnAnswer>({
    target: 'judge',
    request: asJson(context),
    // It is no infrastructure, which would be asked again.
    perform: () => evaluate().then((said) => ({ result: said }), describeRefusal),
    counted: false,
  })
  if (cannotTell !== undefined) throw new CannotTell(cannotTell)
  if (error !== undefined) throw new Error(error)
  return result ?? {}
}

interface OwnAnswer {
  result?: Partial<JudgeResult>
  cannotTell?: string
  error?: string
}

function describeRefusal(error: unknown): OwnAnswer {
  return { [error instanceof CannotTell ? 'cannotTell' : 'error']: errorMessage(error) }
}

const resultSchema = lazySchema(() => {
  const verdict = z.looseObject({
    criterionId: z.string(),
    score: z.number(),
    reasoning: z.string().optional(),
  })
  const overallScore = z.number().min(0).max(100)
  return z.looseObject({ passed: z.boolean(), overallScore, verdicts: z.array(verdict).optional() })
})

/** Judges may be anybody's. */
export function readJudgeResult(said: Partial<JudgeResult>): JudgeResult {
  checkOptions(resultSchema, said, 'its answer')
  const { passed = false, overallScore = 0, verdicts = [] } = said
  return {
    passed,
    overallScore,
    verdicts: verdicts.map(({ criterionId, score, reasoning = '' }) => ({ criterionId, score, reasoning })),
  }
}

/** The worst verdict says it best. */
function describeVerdicts({ overallScore, verdicts }: JudgeResult): string {
  const [worst] = [...verdicts].sort((one, other) => one.score - other.score)
  const why = worst === undefined ? '' : `; ${worst.criterionId} ${worst.score}: ${worst.reasoning}`
  return `the judge gives ${overallScore} of 100${why}`
}
