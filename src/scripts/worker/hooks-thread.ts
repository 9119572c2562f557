/** The module hooks for `module.register`, which loads this file into a thread of its own. */
import { createUserModules } from '../compile/user-modules.ts'
import { createModuleHooks, type ModuleHooks } from './hooks.ts'

const hooks = createModuleHooks(createUserModules())

export const resolve: ModuleHooks['resolve'] = hooks.resolve
export const load: ModuleHooks['load'] = hooks.load
