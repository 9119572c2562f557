import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { ConfigError } from '../../errors.ts'
import type { Environment } from '../../system/environment.ts'

/** Refuses folders that are no project, and those that cannot be written. */
export function checkFolder(path: string, env: Environment): void {
  const fault = (message: string) =>
    new ConfigError({
      code: 'bad_folder',
      message: `${path} ${message}`,
      hint: 'go to the folder of your agent',
    })
  const home = env.HOME ?? env.USERPROFILE
  if (path === parse(path).root) throw fault('is the root of the file system')
  if (home !== undefined && existsSync(home) && realpathSync(home) === realpathSync(path))
    throw fault('is your home folder')
  try {
    accessSync(path, constants.W_OK)
  } catch {
    throw fault('cannot be written: nothing was written')
  }
}

/** Whether `import … from 'vivavoce'` finds the package. */
export function isVivaInstalled(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules/vivavoce/package.json'))) return true
    if (dirname(at) === at) return false
  }
}
