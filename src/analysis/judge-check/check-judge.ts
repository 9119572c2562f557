import type { Agent } from '../../agents/agent.ts'
import { askJudge } from '../../agents/helpers/judge.ts'
import { AgentError, errorMessage, InfrastructureError, TimeoutError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { JudgeFinding } from '../../results/judge-finding.ts'
import { type Agreement, computeAgreement } from '../../results/statistics/kappa.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Label } from './labels.ts'

/** The verdict of the judge on something that a person has labelled. */
export interface Judged {
  label: Label
  verdict?: JudgeFinding
  /** Why it could not judge. */
  error?: string
}

export async function judgeLabel(
  agent: Agent,
  label: Label,
  { connector, samples, threshold }: { connector?: string; samples?: number; threshold?: number },
  scope: Scope,
): Promise<Judged> {
  const { id, criteria, rubric, input = null, output, expected } = label
  const conversation = label.conversation ?? [
    ...(label.input === undefined ? [] : [{ role: 'user', content: input }]),
    { role: 'assistant', content: output },
  ]
  const asked = { test_mode: 'judge', test_id: id, criteria, output, input, conversation }
  const params = { ...asked, ...defined({ rubric, expected }) }
  const options = defined({ connector })
  try {
    const request = { criteria, params, options, ...defined({ samples, threshold }) }
    return { label, verdict: await askJudge(agent, request, scope) }
  } catch (error) {
    const kinds = [InfrastructureError, AgentError, TimeoutError]
    // A bug in viva is not the judge's fault.
    if (!kinds.some((kind) => error instanceof kind)) throw error
    return { label, error: errorMessage(error) }
  }
}

/** How well a judge agrees with people. */
export interface JudgeReport extends Agreement {
  /** By label, then by verdict. */
  confusion: Record<'pass' | 'fail', Record<'pass' | 'fail' | 'unknown', number>>
  /** The ones where the judge was most certain come first. */
  disagreements: { id: string; line: number; label: string; judge: string; score?: number; reason: string }[]
  /** Labels that could not be judged; they are in no figure. */
  errors: { id: string; line: number; error: string }[]
}

const words = { passed: 'pass', failed: 'fail', unknown: 'unknown' } as const

export function judgeReport(all: readonly Judged[]): JudgeReport {
  const judged = all.flatMap(({ label, verdict }) =>
    verdict === undefined ? [] : [{ ...verdict, label, word: words[verdict.verdict] }],
  )
  const row = (label: 'pass' | 'fail') => {
    const count = (word: string) =>
      judged.filter((each) => each.label.label === label && each.word === word).length
    return { pass: count('pass'), fail: count('fail'), unknown: count('unknown') }
  }
  const wrong = judged.filter(({ label, word }) => label.label !== word)
  return {
    ...computeAgreement(judged.map(({ label, word }) => [label.label, word])),
    confusion: { pass: row('pass'), fail: row('fail') },
    disagreements: wrong
      .sort((left, right) => certainty(right) - certainty(left))
      .map(({ label, word, score, reason }) => ({
        id: label.id,
        line: label.line,
        label: label.label,
        judge: word,
        ...defined({ score }),
        reason,
      })),
    errors: all.flatMap(({ label, error }) =>
      error === undefined ? [] : { id: label.id, line: label.line, error },
    ),
  }
}

/** How certain a wrong verdict was: the distance of its score from the middle. `unknown` is the least certain. */
function certainty({ word, score = 0.75 }: { word: string; score?: number }): number {
  return word === 'unknown' ? -1 : Math.abs(score - 0.5)
}
