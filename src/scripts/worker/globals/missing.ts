import type { AnyAsk } from '../../protocol/ask.ts'

/** Globals of the engine that viva does not have. */
const missingNames = ['Query', 'Job', 'Plan', 'Studio', 'Eval'] as const

/** They are there, to say so when they are used. */
export function createMissing(): Record<(typeof missingNames)[number], () => never> {
  const entries = missingNames.map((name) => [
    name,
    // No arrow: it may be called with `new`.
    function missing(): never {
      throw notInViva(
        `${name} is a service of the Yao engine, which viva does not have. ` +
          'Put that work into a process of its own, and stub it: t.mock("scripts.x.Y", (...args) => ({}))',
      )
    },
  ])
  return Object.fromEntries(entries)
}

let report = (_message: string): unknown => undefined

/** The runner notes what is missing: a script that catches the error hides nothing. */
export function reportMissingTo(bridge: { ask(ask: AnyAsk): unknown }): void {
  report = (message) => bridge.ask({ kind: 'missing', message })
}

/** That viva lacks something of the engine is not the fault of who asks for it. */
export function notInViva(message: string): Error {
  try {
    report(message)
  } catch {
    // Refused, as it always is, or nobody is there to be told: the error below says it where it was used.
  }
  return Object.assign(new Error(message), { vivaInfrastructure: 'stub' })
}
