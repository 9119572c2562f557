import { openModules } from '../compile/open-module.ts'
import type { Bridge } from './bridge.ts'
import { install } from './builtins.ts'
import { Exception } from './globals/exception.ts'
import { FS } from './globals/fs.ts'
import { createHttp } from './globals/http.ts'
import { createLog } from './globals/log.ts'
import { createMissing, reportMissingTo } from './globals/missing.ts'
import { Store } from './globals/store.ts'
import { createTime } from './globals/time.ts'
import { owningCall } from './running-call.ts'

/** Installs the globals that scripts use without importing them, as in a Yao app. */
export function installGlobals(bridge: Bridge): void {
  // The registry must exist before the first module is loaded.
  openModules()
  reportMissingTo(bridge)
  const globals = {
    Process(name: unknown, ...args: unknown[]): unknown {
      if (typeof name !== 'string' || name === '')
        throw new TypeError('Process needs the name of a process: Process("agents.expense.Stream", …)')
      return bridge.ask({ kind: 'process', name, args })
    },
    /** Texts are not translated. */
    $L: (text: unknown) => text,
    log: createLog((line) => owningCall()?.print(`${line}\n`)),
    time: createTime((milliseconds) => bridge.sleep(milliseconds)),
    http: createHttp(bridge),
    Exception,
    FS,
    Store,
    ...createMissing(),
  }
  for (const [name, value] of Object.entries(globals)) install(name, value)
}
