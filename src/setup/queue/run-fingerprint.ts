import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Project, projectPath } from '../../project/project.ts'

/** Hashes of the files that decide how the cases of a run are played, by their paths: equal where they are played alike. */
export function fingerprintFiles(project: Project, files: readonly string[]): Record<string, string> {
  const prints: Record<string, string> = {}
  for (const path of new Set([...files, ...(project.configFile ? [project.configFile] : [])]))
    prints[projectPath(project, path)] = createHash('sha256')
      .update(readFileSync(path))
      .digest('hex')
      .slice(0, 16)
  return prints
}

/** What is not the same here as where the run was started, in words; undefined if all is. */
export function describeOtherProject(
  offered: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): string | undefined {
  const names = [...new Set([...Object.keys(offered), ...Object.keys(own)])].sort()
  const different = names.flatMap((name) => {
    if (own[name] === undefined) return `${name} is missing here`
    if (offered[name] === undefined) return `${name} is only here`
    return offered[name] === own[name] ? [] : `${name} is different here`
  })
  if (different.length === 0) return undefined
  const shown = different.slice(0, mostShown)
  const more = different.length - shown.length
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

const mostShown = 3
