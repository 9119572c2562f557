import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../errors.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import type { TestReport } from '../scripts/protocol/report.ts'
import { excuseCase, excuseTest } from './missing-service.ts'

const { context: complete } = createPlainScope()
const lacking = { ...complete, missing: [new InfrastructureError('stub', 'no models.pet.Get')] }
const report: TestReport = { status: 'passed', failures: [], assertions: 1, subtests: [], durationMs: 1 }

describe('a test for which a service was missing', () => {
  it('is an infrastructure error, whether it passed or failed', () => {
    expect(excuseTest(report, lacking)).toMatchObject({
      status: 'failed',
      reason: { infrastructure: 'stub', message: expect.stringContaining('then the test went on') },
    })
    const failed = {
      ...report,
      status: 'failed' as const,
      reason: { kind: 'failed' as const, message: 'no' },
    }
    expect(excuseTest(failed, lacking).reason).toMatchObject({
      infrastructure: 'stub',
      message: 'no models.pet.Get\nThis error was caught; then the test failed: no',
    })
  })

  it('stays as it is when it was skipped or already reports the missing service', () => {
    const skipped = { ...report, status: 'skipped' as const }
    expect(excuseTest(skipped, lacking)).toBe(skipped)
    const reason = { kind: 'threw' as const, message: 'no models.pet.Get', infrastructure: 'stub' }
    const uncaught = { ...report, status: 'failed' as const, reason }
    expect(excuseTest(uncaught, lacking)).toBe(uncaught)
    expect(excuseTest(report, complete)).toBe(report)
  })
})

describe('a case for which a service was missing', () => {
  const wrong = {
    status: 'failed' as const,
    fault: 'agent' as const,
    failure: { kind: 'assertion', message: 'no' },
  }

  it('is an infrastructure error instead of a failure of the agent', () => {
    expect(excuseCase(wrong, lacking)).toEqual({
      status: 'failed',
      fault: 'infrastructure',
      failure: {
        kind: 'stub',
        message: 'no models.pet.Get\nThis error was caught; then the case failed: no',
      },
    })
  })

  it('stays as it is when it is not a failure of the agent, or nothing was missing', () => {
    for (const verdict of [{ status: 'passed' as const }, { ...wrong, fault: 'infrastructure' as const }])
      expect(excuseCase(verdict, lacking)).toBe(verdict)
    expect(excuseCase(wrong, complete)).toBe(wrong)
  })
})
