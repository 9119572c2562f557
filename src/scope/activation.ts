import { InfrastructureError } from '../errors.ts'

/** A running script and the script that called it. Nested calls form a tree: ending one ends everything it called. */
export interface Activation {
  /** `TestBooking`, `scripts.tests.Check`, `./agent.ts`. */
  readonly name: string
  readonly caller?: Activation
  /** The processes that it mocks, by name, for itself and for everything it calls. */
  readonly mocks: Map<string, Mock>
  /** It holds one of the scarce permits: what it calls must not wait for another one. */
  readonly holdsPermit?: boolean
  /** Set for a running mock, which must not answer its own calls. */
  readonly mock?: Mock
  /** An infrastructure error that the script received as data; if the script fails afterwards, this is why. */
  infrastructureError?: InfrastructureError
}

export type Mock = (args: unknown[], caller: Activation) => Promise<unknown>

/** How deeply scripts may call each other. */
export const maxCallDepth = 8

/** Registers a script that begins. Throws when the calls are nested too deeply. */
export function activate(
  name: string,
  caller: Activation | undefined,
  { holdsPermit = false } = {},
): Activation {
  const activation: Activation = { name, holdsPermit, mocks: new Map(), ...(caller && { caller }) }
  if (callDepth(activation) <= maxCallDepth) return activation
  const message = `scripts call each other more than ${maxCallDepth} levels deep: ${describeCallChain(activation)}`
  throw new InfrastructureError('too_deep', message)
}

/** How many scripts there are from this one to the outermost, without mocks. */
export function callDepth(activation: Activation | undefined): number {
  return [...callChain(activation)].filter(({ mock }) => mock === undefined).length
}

/** Whether this script or one of its callers holds a permit. */
export function isWithinPermit(activation: Activation | undefined): boolean {
  return [...callChain(activation)].some(({ holdsPermit }) => holdsPermit)
}

/** Finds the nearest mock of a process, leaving out mocks that are running. */
export function findMock(name: string, activation: Activation | undefined): Mock | undefined {
  const callers = [...callChain(activation)]
  const atWork = new Set(callers.map(({ mock }) => mock))
  return callers.map(({ mocks }) => mocks.get(name)).find((mock) => mock !== undefined && !atWork.has(mock))
}

/** The innermost script comes first. */
function* callChain(activation: Activation | undefined): Generator<Activation> {
  for (let each = activation; each !== undefined; each = each.caller) yield each
}

/** `TestBooking → ./agent.ts → scripts.tests.Check` */
export function describeCallChain(activation: Activation): string {
  return [...callChain(activation)]
    .map(({ name }) => name)
    .reverse()
    .join(' → ')
}
