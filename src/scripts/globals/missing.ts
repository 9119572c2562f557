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

/** That viva lacks something of the engine is not the fault of who asks for it. */
export function notInViva(message: string): Error {
  return Object.assign(new Error(message), { vivaInfrastructure: 'stub' })
}
