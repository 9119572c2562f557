import type { Context, SentMessage } from '../../scope/context.ts'
import type { Exchange } from '../../scope/scope.ts'
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
