import { createRequire } from 'node:module'
import type { ModuleHooks } from './hooks.ts'

/** The parts of Node 20's own loader that are used here. They are frozen: Node 20 gets no more features. */
interface Internals {
  'internal/modules/esm/loader': {
    getOrInitializeCascadedLoader(): { setCustomizations(customizations: object): void }
  }
  'internal/modules/esm/resolve': { defaultResolve(specifier: string, context: object): object }
  'internal/modules/esm/load': {
    defaultLoad(url: string, context: object): Promise<object>
    defaultLoadSync(url: string, context: object): object
  }
  'internal/modules/esm/initialize_import_meta': { initializeImportMeta(...args: unknown[]): unknown }
}

/**
 * Installs hooks in this thread on Node 20, where `module.register` would start another thread for them: that takes as
 * long and as much memory again as the worker itself. Needs `--expose-internals`. Says whether it worked.
 */
export function installInternalHooks(hooks: ModuleHooks): boolean {
  const require = createRequire(import.meta.url)
  const get = <Name extends keyof Internals>(name: Name) => require(name) as Internals[Name]
  try {
    const loader = get('internal/modules/esm/loader').getOrInitializeCascadedLoader()
    const { defaultResolve } = get('internal/modules/esm/resolve')
    const { defaultLoad, defaultLoadSync } = get('internal/modules/esm/load')
    const { initializeImportMeta } = get('internal/modules/esm/initialize_import_meta')
    const resolve = (specifier: string, parentURL: string | undefined, importAttributes: object) =>
      hooks.resolve(specifier, { parentURL, ...{ importAttributes } }, defaultResolve)
    // Node reads the URL from the result, too.
    const loaded = (url: string, result: unknown) => ({ responseURL: url, ...(result as object) })
    loader.setCustomizations({
      allowImportMetaResolve: true,
      resolve,
      resolveSync: resolve,
      load: async (url: string, context: object) => loaded(url, await hooks.load(url, context, defaultLoad)),
      loadSync: (url: string, context: object) => loaded(url, hooks.load(url, context, defaultLoadSync)),
      importMetaInitialize: initializeImportMeta,
      forceLoadHooks() {},
    })
    // Processes and threads that the user's code starts would inherit it.
    process.execArgv = process.execArgv.filter((flag) => flag !== '--expose-internals')
    return true
  } catch {
    return false
  }
}
