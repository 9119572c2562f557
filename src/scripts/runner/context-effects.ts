import type { Data } from '../../results/transcript/message.ts'
import type { Context, SentMessage } from '../../scope/context.ts'
import type { Exchange } from '../../scope/scope.ts'
import { toWireContext } from '../protocol/context-data.ts'
import { type StateChanges, StateView } from '../protocol/state.ts'
import { sharedState } from './run-script.ts'

/** What a script did to the case besides answering: values it set, and messages it sent to the user. */
interface ContextEffects {
  changes?: StateChanges
  sent?: readonly SentMessage[]
}

/** Records the effects of a script on its context, and repeats them when its answer comes from a recording. */
export function contextEffects(context: Context): NonNullable<Exchange<unknown>['effects']> {
  return {
    begin() {
      const state = new StateView(sharedState(context))
      const before = JSON.stringify(context.sent)
      return (): ContextEffects | undefined => {
        const changes = state.changes()
        const hasSent = JSON.stringify(context.sent) !== before
        if (changes === undefined && !hasSent) return undefined
        return { ...(changes && { changes }), ...(hasSent && { sent: context.sent ?? [] }) }
      }
    },
    restore(effects) {
      const { changes, sent } = (effects ?? {}) as ContextEffects
      new StateView(sharedState(context)).apply(changes)
      if (sent !== undefined) context.sent?.splice(0, context.sent.length, ...sent)
    },
  }
}

/** For whom a script works. Not the session: it differs from run to run. */
export function visibleIdentity(context: Context, options?: Data): Data {
  const { sessionId: _, ...given } = toWireContext(context, options)
  return { ...given }
}

/** What a script can read of its context. Not the session, nor when entries of the memory expire: these differ from run to run. */
export function visibleContext(context: Context, options?: Data): Data {
  const { variables, memory } = context
  const { user, team, chat, context: own, stores } = memory
  return {
    ...visibleIdentity(context, options),
    variables,
    memory: { user, team, chat, context: own, stores },
  }
}
