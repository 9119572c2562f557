import type { ScriptRequestHandler } from '../../scripts/protocol/ask.ts'
import type { AskedFor } from './asked-for.ts'

/** Answers what scripts ask for. The code for it is loaded with the first request: most runs have none. */
export function answerWhenAsked(askedFor: AskedFor): ScriptRequestHandler {
  let answering: Promise<ScriptRequestHandler> | undefined
  return {
    async answer(ask, scope, callBack) {
      answering ??= import('./answer.ts').then(({ createAnswering }) => createAnswering(askedFor))
      return (await answering).answer(ask, scope, callBack)
    },
  }
}
