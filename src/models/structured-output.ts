import { InfrastructureError } from '../errors.ts'
import type { Model } from './model.ts'

/**
 * Sends the schema of an answer to a provider that may support it. Many servers implement only a part of an API: one that
 * refuses the schema is asked without it, now and from then on.
 */
export function withStructuredOutput(generate: Model['generate'], isOffered: boolean): Model['generate'] {
  let takesSchema = isOffered
  const generateWithSchema: Model['generate'] = async (request, scope) => {
    const { answerSchema: _, ...plain } = request
    if (!takesSchema) return generate(plain, scope)
    try {
      return await generate(request, scope)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const reply = await generate(plain, scope)
      takesSchema = false
      return reply
    }
  }
  return (request, scope) =>
    request.answerSchema === undefined ? generate(request, scope) : generateWithSchema(request, scope)
}

/** Whether the server rejected the request itself. */
function isRefusal(error: unknown): boolean {
  return error instanceof InfrastructureError && (error.status === 400 || error.status === 422)
}
