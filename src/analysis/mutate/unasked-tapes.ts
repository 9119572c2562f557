import { InfrastructureError } from '../../errors.ts'
import type { PlayTape, Tapes } from '../../scope/tape.ts'
import { zonedNow } from '../../text/zoned-time.ts'

/** Lets the user's own code run, and nothing else go out: whatever would ask a model gets an error. */
export interface UnaskedTapes extends Tapes {
  /** Who would have been asked. */
  readonly refused: ReadonlySet<string>
}

export function createUnaskedTapes(): UnaskedTapes {
  const refused = new Set<string>()
  const tape: PlayTape = {
    take({ isCode = false, target }) {
      if (isCode) return undefined
      refused.add(target)
      throw new InfrastructureError('not_recorded', `${target} is not asked`)
    },
    nameOf: () => '',
    session: (id) => id,
    now: zonedNow,
    reply: (measuredMs) => measuredMs,
    isOffline: false,
    data: { keeps: 'none' },
    close() {},
  }
  return { open: () => tape, has: () => true, refused }
}
