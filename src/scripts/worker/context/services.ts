import type { BridgeEnd } from '../../protocol/asking.ts'
import { NotJsonError } from '../../protocol/json.ts'
import { createMissingServiceError } from '../globals/missing.ts'

type Bridge = Pick<BridgeEnd, 'ask'>

/** Services of the engine are called as processes: a mock, a stub or the config may provide them. */
export function callService(bridge: Bridge, name: string, args: unknown[]): unknown {
  try {
    return bridge.ask({ kind: 'process', name, args })
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error
    throw createMissingServiceError(
      `${name} is a service of the Yao engine, which viva does not have (${error.message})`,
    )
  }
}

/** Members that the engine provides in a sandbox, provided before `ctx.memory`, or provides to tests of pages. */
const members = {
  sandbox: ['ReadFile', 'WriteFile', 'ListDir', 'Exec'],
  computer: ['Exec', 'VNC', 'Proxy', 'Info'],
  workspace: [
    'ReadFile',
    'WriteFile',
    'ReadDir',
    'MkdirAll',
    'Remove',
    'RemoveAll',
    'Rename',
    'Copy',
    'Stat',
    'Exists',
  ],
  space: ['Get', 'Set', 'Delete', 'GetDel'],
}
const functions = ['call', 'callWithRequest', 'setAuthorized', 'reset']

/**
 * The rest of the `ctx` that Yao documents, for script tests: calls report what viva lacks. In hooks these stay undefined,
 * as in the engine, where code checks whether they exist.
 */
export function createMissingServices(bridge: Bridge): Record<string, unknown> {
  const asking = (path: string, names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [name, (...args: unknown[]) => callService(bridge, `${path}.${name}`, args)]),
    )
  const objects = Object.entries(members).map(([name, names]) => [name, asking(`ctx.${name}`, names)])
  return { ...Object.fromEntries(objects), ...asking('ctx', functions) }
}
