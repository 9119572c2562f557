import type { Bridge } from './bridge.ts'
import { openModules } from './open-module.ts'

/** What scripts find without importing it, as in a Yao app. */
export function installGlobals(bridge: Bridge): void {
  // Before the first of them is loaded.
  openModules()
  const globals = {
    Process(name: unknown, ...args: unknown[]): unknown {
      if (typeof name !== 'string' || name === '')
        throw new TypeError('Process needs the name of a process: Process("agents.expense.Stream", …)')
      return bridge.ask({ kind: 'process', name, args })
    },
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
}
