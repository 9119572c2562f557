import { ConfigError, InfrastructureError } from '../../errors.ts'
import { createStatusError } from '../../models/http-errors.ts'
import { redactUrl } from '../../models/network/address.ts'
import type { ProviderCall } from '../../scripts/protocol/protocol.ts'
import { ScriptThrew } from '../../scripts/runner/script-error.ts'

/**
 * Finds the failure of a model provider in what a module threw: errors of the AI SDK, also as the cause of another error.
 * Everything else, including invalid tool calls and outputs, is the agent's own failure.
 */
export function providerError(error: unknown): InfrastructureError | ConfigError | undefined {
  if (!(error instanceof ScriptThrew)) return undefined
  if (error.providerCall !== undefined) return callError(error, error.providerCall)
  if (missingSettingErrors.includes(error.errorName)) {
    return new ConfigError({ code: 'missing_setting', message: error.message })
  }
  if (badResponseErrors.includes(error.errorName)) {
    return new InfrastructureError('bad_response', error.message, { cause: error })
  }
  const cause = providerError(error.cause)
  if (cause !== undefined || !lacksStream(error)) return cause
  return new InfrastructureError('bad_response', error.message, { cause: error })
}

/** A stream of the AI SDK has failed with an error that it has not thrown. `output` of a complete answer is another matter. */
export function lacksStream({ errorName, message }: ScriptThrew): boolean {
  return errorName === 'AI_NoOutputGeneratedError' && /\bstream\b/.test(message)
}

const missingSettingErrors = ['AI_LoadAPIKeyError', 'AI_LoadSettingError']
const badResponseErrors = ['AI_EmptyResponseBodyError', 'AI_InvalidResponseDataError']

function callError(error: ScriptThrew, call: ProviderCall): InfrastructureError {
  const { status, retryable, headers, body } = call
  const url = call.url !== undefined && URL.canParse(call.url) ? new URL(call.url) : undefined
  const message = url === undefined ? error.message : `${redactUrl(url)}: ${error.message}`
  if (status === undefined) return new InfrastructureError('connection', message, { retryable, cause: error })
  if (status < 300) return new InfrastructureError('bad_response', message, { cause: error })
  return createStatusError(url, { status, statusText: '', headers }, body || error.message, true)
}
