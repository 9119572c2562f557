import { InfrastructureError } from '../errors.ts'

/** A script that runs, and what called it. Nested calls form a tree: whoever ends one ends all that it called. */
export interface Activation {
  /** `TestBooking`, `scripts.tests.Check`, `./agent.ts`. */
  readonly name: string
  readonly caller?: Activation
  /** Processes that it answers for, by name: for itself and for all that it calls. */
  readonly mocks: Map<string, Mock>
  /** It has one of the permits that are few: what it calls must not wait for another. */
  readonly holdsPermit?: boolean
  /** Of a mock at work: while it answers, it does not stand for itself. */
  readonly mock?: Mock
  /** An infrastructure error that it was given as data: if it fails then, that is why. */
  infrastructureError?: InfrastructureError
}

export type Mock = (args: unknown[], caller: Activation) => Promise<unknown>

/** How many scripts may call each other. */
export const deepestCalls = 8

/** A script begins. Throws when too many have called each other to get there. */
export function activate(
  name: string,
  caller: Activation | undefined,
  { holdsPermit = false } = {},
): Activation {
  const activation: Activation = { name, holdsPermit, mocks: new Map(), ...(caller && { caller }) }
  const depth = [...callersOf(activation)].filter(({ mock }) => mock === undefined).length
  if (depth <= deepestCalls) return activation
  const message = `scripts call each other more than ${deepestCalls} deep: ${chainOf(activation)}`
  throw new InfrastructureError('too_deep', message)
}

/** Whether a script that waits for this one has a permit. */
export function isWithinPermit(activation: Activation | undefined): boolean {
  return [...callersOf(activation)].some(({ holdsPermit }) => holdsPermit)
}

/** The nearest mock of a process, unless it is the one that asks. */
export function mockOf(name: string, activation: Activation | undefined): Mock | undefined {
  const callers = [...callersOf(activation)]
  const atWork = new Set(callers.map(({ mock }) => mock))
  return callers.map(({ mocks }) => mocks.get(name)).find((mock) => mock !== undefined && !atWork.has(mock))
}

/** From the inside out. */
function* callersOf(activation: Activation | undefined): Generator<Activation> {
  for (let each = activation; each !== undefined; each = each.caller) yield each
}

/** `TestBooking → ./agent.ts → scripts.tests.Check` */
export function chainOf(activation: Activation): string {
  return [...callersOf(activation)]
    .map(({ name }) => name)
    .reverse()
    .join(' → ')
}
