import type { AnyScriptRequest } from '../../protocol/ask.ts'

const missingNames = ['Query', 'Job', 'Plan', 'Studio', 'Eval'] as const

/** Creates globals that report, when they are used, that viva does not have them. */
export function createMissing() {
  return createMissingFunctions(
    missingNames,
    (name) =>
      `${name} is a service of the Yao engine, which viva does not have. ` +
      'Put that work into a process of its own, and stub it: t.mock("scripts.x.Y", (...args) => ({}))',
  )
}

export function createMissingFunctions<Name extends string>(
  names: readonly Name[],
  describe: (name: Name) => string,
): Record<Name, (...args: unknown[]) => never> {
  const entries = names.map((name) => [
    name,
    // Not an arrow function, because it may be called with `new`.
    function missing(): never {
      throw createMissingServiceError(describe(name))
    },
  ])
  return Object.fromEntries(entries)
}

let report = (_message: string): unknown => undefined

/** Missing services are reported to the runner, so that a script that catches the error hides nothing. */
export function reportMissingTo(bridge: { ask(ask: AnyScriptRequest): unknown }): void {
  report = (message) => bridge.ask({ kind: 'missing', message })
}

/** A service that viva lacks is not the fault of the script that calls it. */
export function createMissingServiceError(message: string): Error {
  try {
    report(message)
  } catch {
    // The runner always refuses, or nobody can be told: the error below reports it where it was used.
  }
  return Object.assign(new Error(message), { vivaInfrastructure: 'stub' })
}
