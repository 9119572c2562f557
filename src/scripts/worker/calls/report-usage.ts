import { isRecord } from '../../../json/json.ts'
import { toJson } from '../../protocol/json.ts'
import type { ReportUsage, UsedTokensEvent } from '../../protocol/used-tokens.ts'
import type { ToolCaller } from './wrap-tools.ts'

/** Creates `ctx.usage` of one call. */
export function createReportUsage(call: Pick<ToolCaller, 'hasEnded' | 'report'>): ReportUsage {
  return (usage) => {
    if (!isRecord(usage))
      throw new TypeError(
        "ctx.usage needs the usage of a model: ctx.usage({ model: 'gpt-5', ...result.usage })",
      )
    if (call.hasEnded()) throw new Error('ctx.usage was called after the agent had answered')
    const counted: object = JSON.parse(
      toJson(usage, { whole: 'the usage of ctx.usage', rule: 'it must be JSON data' }) ?? '{}',
    )
    call.report({ type: 'used_tokens', usage: counted } satisfies UsedTokensEvent)
  }
}
