import { existsSync, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { knownAgentNames } from '../../agents/agent-names.ts'
import { expandGlob } from '../../cases/sources/glob.ts'
import { ConfigError, catchProblem, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { listFiles } from '../../project/app/files-below.ts'
import type { Project } from '../../project/project.ts'
import { findNearest } from '../../text/nearest.ts'

/** `fingerprint` of the config: by agent or connector, the files that decide how it answers. Throws all mistakes together. */
export function findNamedFiles(project: Project, connectors: readonly string[]): Map<string, string[]> {
  const { root, cwd, config, configFile } = project
  if (config.fingerprint === undefined) return new Map()
  const known = [...knownAgentNames(project), ...connectors]
  const file = configFile === undefined ? 'the config' : relative(cwd, configFile)
  const found = new Map<string, string[]>()
  const problems: Problem[] = []
  for (const [name, paths] of Object.entries(config.fingerprint)) {
    const files: string[] = []
    // Others are named as `-n` and `-c` name them.
    if (!known.includes(name) && !/[./:]/.test(name)) problems.push({ ...unknownName(name, known), file })
    for (const path of paths) {
      const problem = catchProblem(() => void files.push(...expand(path, root)))
      const hint =
        'write the path of a file or folder in the folder of the config, or a pattern such as "src/**/*.py"'
      if (problem !== undefined)
        problems.push({ code: 'bad_fingerprint', message: `fingerprint of ${name}: ${problem}`, file, hint })
    }
    found.set(name, files)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return found
}

function unknownName(name: string, known: readonly string[]): Problem {
  const guess = findNearest(name, known)
  const message = `fingerprint of ${name}: there is no agent and no connector of that name`
  return { code: 'bad_fingerprint', message, ...defined({ hint: guess && `did you mean "${guess}"?` }) }
}

function expand(written: string, root: string): string[] {
  const paths = expandGlob(written, root) ?? [written]
  return paths.flatMap((path) => filesAt(resolve(root, path), path, root))
}

function filesAt(path: string, written: string, root: string): string[] {
  const fail = (message: string) => new ConfigError({ code: 'bad_fingerprint', message })
  if (!existsSync(path)) throw fail(`there is no file ${written}`)
  if (relative(realpathSync(root), realpathSync(path)).split(sep)[0] === '..')
    throw fail(`${written} is outside of the project`)
  if (!statSync(path).isDirectory()) return [path]
  return listFiles(path)
    .filter((name) => !name.split(sep).some((part) => part.startsWith('.') || part === '__pycache__'))
    .map((name) => join(path, name))
}
