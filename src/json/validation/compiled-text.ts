import type { z } from 'zod'
import { errorMessage } from '../../errors.ts'

/** Refines a text that is compiled later, such as a path or a pattern: what `compile` throws is the problem. */
export function refineByCompiling(compile: (text: string) => unknown) {
  return (text: string, context: z.core.$RefinementCtx<string>): void => {
    try {
      compile(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: errorMessage(error) })
    }
  }
}
