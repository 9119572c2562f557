import { realpathSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { agentFolder } from '../../agents/agent-names.ts'
import { createFindFile, type FindFile, resolveProjectFile } from '../../cases/attached-file.ts'
import { type CaseFormat, isFormatProblem } from '../../cases/formats/case-format.ts'
import { csv } from '../../cases/formats/csv.ts'
import { json } from '../../cases/formats/json.ts'
import { jsonl } from '../../cases/formats/jsonl.ts'
import { yamlFormat } from '../../cases/formats/yaml.ts'
import type { AttachFile } from '../../cases/kept-files.ts'
import { isRecord } from '../../json/json.ts'
import type { Project } from '../../project/project.ts'
import type { Key } from '../../results/key.ts'
import { relativePath } from '../../system/relative-path.ts'
import type { Move } from './moved-references.ts'

/** How a case in the folder `to` names a file, if the case of the result attaches it: a results file is data from anywhere. */
export async function findOwnFiles(
  { file, id, variant }: Key,
  { from, to }: Pick<Move, 'from' | 'to'>,
  project: Project,
): Promise<AttachFile> {
  const { root, appRoot, packageFolder } = project
  const agent = agentFolder(variant.replace(/@.*/s, ''), project)
  const folders = [from, agent, packageFolder, appRoot ?? root].filter((each) => each !== undefined)
  const findFile = createFindFile(folders, root)
  const own = new Set<string | undefined>()
  try {
    const path = resolveProjectFile(join(root, file), root, file)
    for await (const document of dataFormat(path, root)?.documents(path) ?? []) {
      if (isFormatProblem(document) || !isRecord(document.value) || document.value.id !== id) continue
      for (const source of listFileSources(document.value)) own.add(realPath(source, findFile))
    }
  } catch {
    // A case that cannot be read attaches nothing.
  }
  own.delete(undefined)
  return (source) => {
    const path = realPath(source, findFile)
    return path !== undefined && own.has(path) && !isHidden(path, root)
      ? fileSourceFrom(to, path, root)
      : undefined
  }
}

/** Cases that are code are not run because a results file names them. */
export function dataFormat(path: string, root: string): CaseFormat | undefined {
  const extension = extname(path).toLowerCase()
  if (extension === '.jsonl' || extension === '.ndjson') return jsonl
  if (extension === '.yaml' || extension === '.yml') return yamlFormat(root)
  return { '.json': json, '.csv': csv }[extension]
}

function listFileSources(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('file:') ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(listFileSources)
}

function realPath(source: string, findFile: FindFile): string | undefined {
  try {
    return findFile(source).path
  } catch {
    return undefined
  }
}

/** The path is relative, because the project may be elsewhere on the next machine. */
function fileSourceFrom(folder: string, path: string, root: string): string {
  const inProject = join(root, relative(realpathSync(root), path))
  const written = relativePath(folder, inProject)
  return `file://${written.startsWith('../') ? '' : './'}${written}`
}

/** `.env` and the like: neither they nor what is in hidden folders. */
function isHidden(path: string, root: string): boolean {
  return relative(realpathSync(root), path)
    .split(sep)
    .some((part) => part.startsWith('.'))
}
