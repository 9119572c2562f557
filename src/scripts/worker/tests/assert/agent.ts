import { isRecord } from '../../../../json/json.ts'
import type { AgentVerdict } from '../../../protocol/testing.ts'
import { showWithKind } from '../show-value.ts'
import { type FailedVerdict, failVerdict, held, type TestAssertion } from './definition.ts'

/** Asks an agent whether the value is as it should be; the options are passed on unchanged. */
export const agent: TestAssertion = {
  takes: ['the value', 'the id of an agent'],
  messageAt: (args) => (typeof args[2] === 'string' ? 2 : 3),
  judge(value, id, options, bridge) {
    if (typeof id !== 'string' || id === '') {
      return failVerdict(`Agent needs the id of an agent, got ${showWithKind(id)}`)
    }
    let verdict: AgentVerdict
    try {
      verdict = bridge.validate(value, id, typeof options === 'string' ? undefined : options)
    } catch (thrown) {
      return { reason: '', thrown, actual: value }
    }
    return verdict.passed === true ? held : describeRefusal(verdict, value, options)
  },
}

function describeRefusal({ reason, score }: AgentVerdict, value: unknown, options: unknown): FailedVerdict {
  const scored = score === undefined ? '' : ` (score ${score})`
  const words = typeof reason === 'string' && reason !== '' ? reason : 'the agent refused it without a reason'
  const expected = readCriteria(options)
  return { reason: `${words}${scored}`, ...(expected !== undefined && { expected }), actual: value }
}

function readCriteria(options: unknown): unknown {
  const metadata = isRecord(options) ? options.metadata : undefined
  return isRecord(metadata) ? metadata.criteria : undefined
}
