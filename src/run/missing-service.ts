import type { CaseVerdict } from '../conversation/verdict.ts'
import type { Failure } from '../results/result.ts'
import type { Context } from '../scope/context.ts'
import type { TestReport } from '../scripts/protocol/report.ts'
import type { CaseServices } from './stage.ts'

/** What an agent does wrong after a service was missing says nothing about it, though a script caught the error. */
export function excuseCase<T extends CaseVerdict>(verdict: T, context: Context): T {
  const [first] = context.missing ?? []
  const { kind, message = '' } = verdict.failure ?? {}
  // A check that could not be judged because of it already says so.
  if (first !== undefined && kind === 'judge_unknown' && message.includes(first.message))
    return { ...verdict, failure: { kind: first.kind, message } }
  // A replay in which a call had no answer cannot even pass.
  const isUnanswered = first?.kind === 'not_recorded' && verdict.status === 'passed'
  if (verdict.fault !== 'agent' && !isUnanswered) return verdict
  const then = isUnanswered ? 'the case went on' : `the case failed: ${verdict.failure?.message}`
  const failure = missingService(context, then)
  return failure === undefined ? verdict : { ...verdict, status: 'failed', fault: 'infrastructure', failure }
}

/** The same for a service that has ended while the case was played. */
export async function excuseByServices<T extends CaseVerdict>(
  verdict: T,
  services: CaseServices | undefined,
): Promise<T> {
  if (services === undefined || verdict.fault !== 'agent') return verdict
  const { kind, message: then } = verdict.failure ?? {}
  const [trouble] = await services.troubles(kind === 'agent_error')
  if (trouble === undefined) return verdict
  const message = `${trouble}\nThen the case failed: ${then}`
  return { ...verdict, fault: 'infrastructure', failure: { kind: 'connection', message } }
}

/** Such a test cannot even pass: it may have taken the missing service for the error it expects. */
export function excuseTest(report: TestReport, context: Context): TestReport {
  const { status, reason } = report
  if (status === 'skipped' || reason?.infrastructure !== undefined) return report
  const then = status === 'passed' ? 'the test went on' : `the test failed: ${reason?.message}`
  const failure = missingService(context, then)
  if (failure === undefined) return report
  const { kind: infrastructure, message } = failure
  return { ...report, status: 'failed', reason: { kind: 'threw', message, infrastructure } }
}

function missingService({ missing = [] }: Context, then: string): Failure | undefined {
  const [first] = missing
  if (first === undefined) return undefined
  const link = first.kind === 'state_lost' ? 'Then' : 'This error was caught; then'
  return { kind: first.kind, message: `${first.message}\n${link} ${then}` }
}
