import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord, parseJson } from '../../json/json.ts'
import type { Location } from '../../project/project.ts'
import { relativePath } from '../../system/relative-path.ts'
import { type DoctorFinding, findingsOf } from './finding.ts'

const { ok, warning, error } = findingsOf('Project')

/** Where the project is, before any of its code is loaded. */
export function locationFindings({ root, cwd, configFile, appRoot }: Location): DoctorFinding[] {
  const place = (path: string) => relativePath(cwd, path) || '.'
  return [
    ok(`project folder: ${place(root)}`),
    ...(configFile === undefined
      ? [warning('no viva.config.*', 'a config names agents, connectors and inputs: viva help config')]
      : []),
    ...(appRoot === undefined ? [] : [ok(`Yao app: ${place(appRoot)}`)]),
    folderFinding(join(root, '.viva'), root),
    packagesFinding(root),
  ]
}

/** Results and the history are written to `.viva`, which a run creates. */
function folderFinding(folder: string, root: string): DoctorFinding {
  const hint = 'results and the history are written there'
  if (existsSync(folder) && !statSync(folder).isDirectory()) return error('.viva is not a folder', hint)
  try {
    accessSync(existsSync(folder) ? folder : root, constants.W_OK)
    return ok('.viva can be written')
  } catch {
    return error('.viva cannot be written', hint)
  }
}

/** Packages that some agents and tests need, and viva does not install. */
const optionalPackages = ['@a2a-js/sdk', 'vitest', 'ai', 'bullmq', 'ioredis'] as const

function packagesFinding(root: string): DoctorFinding {
  const found = optionalPackages.map((name) => `${name} ${installedVersion(name, root) ?? '–'}`)
  return ok(`optional packages: ${found.join(', ')}`)
}

/** Looked for in the project, and where viva itself looks for packages. */
export function installedVersion(name: string, root: string): string | undefined {
  for (const start of [root, dirname(fileURLToPath(import.meta.url))])
    for (let folder = start; ; folder = dirname(folder)) {
      const file = join(folder, 'node_modules', name, 'package.json')
      const found = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined
      if (isRecord(found) && typeof found.version === 'string') return found.version
      if (dirname(folder) === folder) break
    }
  return undefined
}
