import type { Check } from '../checks/check.ts'
import { show } from '../checks/describe.ts'
import { messageOf } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { historyOf } from './conversation-context.ts'
import { CannotTell, type Judge, type JudgeResult, type JudgeVerdict } from './judge.ts'
import type { JudgeContext } from './judge-context.ts'
import { withScope } from './scope-of.ts'

/** A judge as the last check of a case. One that breaks or makes no sense has judged nothing. */
export function judgeCheck(
  judge: Judge,
  about: Pick<JudgeContext, 'expectedOutput' | 'agentDescription'>,
): Check {
  return {
    type: 'judge',
    async run(view, _, scope) {
      const history = historyOf(view)
      const context = { input: history[0]?.input, output: history.at(-1)?.output, history, ...about }
      try {
        const result = readResult(await judge.evaluate(withScope(Object.freeze(context), scope)))
        const { passed, overallScore, verdicts } = result
        return {
          type: 'judge',
          status: passed ? 'passed' : 'failed',
          gates: true,
          reason: reasonOf(result),
          score: overallScore / 100,
          details: { verdicts },
        }
      } catch (error) {
        scope.signal.throwIfAborted()
        const reason = messageOf(error)
        return error instanceof CannotTell
          ? { type: 'judge', status: 'unknown', gates: true, reason: `the judge cannot tell: ${reason}` }
          : { type: 'judge', status: 'error', gates: true, reason: `the judge failed: ${reason}` }
      }
    },
  }
}

/** Judges may be anybody's. */
function readResult(said: unknown): JudgeResult {
  if (!isRecord(said)) throw new Error(`it answered ${show(said)}`)
  const { passed, overallScore, verdicts = [] } = said
  if (typeof passed !== 'boolean') throw new Error('it does not say whether it passed')
  if (typeof overallScore !== 'number' || !(overallScore >= 0 && overallScore <= 100))
    throw new Error(`its overallScore is ${show(overallScore)}, must be 0 to 100`)
  if (!Array.isArray(verdicts)) throw new Error('its verdicts are no list')
  return { passed, overallScore, verdicts: verdicts.map(readVerdict) }
}

function readVerdict(said: unknown): JudgeVerdict {
  const { criterionId, score, reasoning = '' } = isRecord(said) ? said : {}
  if (typeof criterionId !== 'string' || typeof score !== 'number' || typeof reasoning !== 'string')
    throw new Error(`${show(said)} is no verdict ({ criterionId, score, reasoning })`)
  return { criterionId, score, reasoning }
}

/** The worst verdict says it best. */
function reasonOf({ overallScore, verdicts }: JudgeResult): string {
  const [worst] = [...verdicts].sort((one, other) => one.score - other.score)
  const why = worst === undefined ? '' : `; ${worst.criterionId} ${worst.score}: ${worst.reasoning}`
  return `the judge gives ${overallScore} of 100${why}`
}
