import { join, relative, sep } from 'node:path'
import type { z } from 'zod'
import { ConfigError } from '../../errors.ts'
import { describeIssues } from '../../json/validation/issues.ts'
import { readOnce } from '../../json/validation/read-once.ts'
import type { Project } from '../project.ts'
import { type AppFile, findAppFiles } from './app-files.ts'
import { listFiles } from './files-below.ts'

/** An `*.mcp.yao` file. */
export interface ServerFile extends AppFile {
  /** The `mcps` folder that contains it. */
  root: string
  /** Its id within that folder. */
  localId: string
}

const serverFileName = /\.mcp\.(yao|json|jsonc)$/
/** This folder describes tools and contains no servers. */
const mappingName = 'mapping'

/** The servers of the app, then those of its assistants with ids `agents.<assistant>.<server>`. */
export function findServerFiles(project: Project): ServerFile[] {
  if (project.appRoot === undefined) return []
  const root = join(project.appRoot, 'mcps')
  const own = findAppFiles(project, 'mcps', 'mcp')
    .filter(({ path }) => !isInMapping(relative(root, path)))
    .map((file) => ({ ...file, root, localId: file.id }))
  return [...own, ...findAssistantServers(project, join(project.appRoot, 'assistants'))]
}

/** A server belongs to the nearest assistant folder above it. */
function findAssistantServers(project: Project, folder: string): ServerFile[] {
  const names = listFiles(folder)
  const packages = names.filter((name) => name.endsWith(`${sep}package.yao`))
  const assistants = new Set(packages.map((name) => name.slice(0, -`${sep}package.yao`.length)))
  return names
    .filter((name) => serverFileName.test(name))
    .flatMap((name) => {
      const assistant = parentFolders(name).find((around) => assistants.has(around))
      if (assistant === undefined) return []
      const below = relative(join(assistant, 'mcps'), name)
      if (below.startsWith('..') || isInMapping(below)) return []
      const localId = dottedId(below.replace(serverFileName, ''))
      const path = join(folder, name)
      const root = join(folder, assistant, 'mcps')
      const id = `agents.${dottedId(assistant)}.${localId}`
      return { id, path, file: relative(project.cwd, path), root, localId }
    })
}

/** All parent folders, nearest first. */
function parentFolders(name: string): string[] {
  const parts = name.split(sep).slice(0, -1)
  return parts.map((_, index) => parts.slice(0, parts.length - index).join(sep))
}

function isInMapping(below: string): boolean {
  return below.startsWith(`${mappingName}${sep}`)
}

function dottedId(path: string): string {
  return path.split(sep).join('.')
}

/** The folder that describes a server's tools, resources and prompts: by its id, or by its key `mapping`. */
export function mappingFolder(from: ServerFile, key: string | undefined): string {
  const parts = key === undefined ? [mappingName, ...from.localId.split('.')] : key.split(/[./]/)
  if (parts.includes(''))
    throw badServerError(from, `mapping "${key}" must be a folder like "mapping.${from.localId}"`)
  return join(from.root, ...parts)
}

/** Throws the first mistake in what a file of the server says; `part` is what comes before it in the message. */
export function parseServerData<T>(schema: z.ZodType<T>, value: unknown, from: ServerFile, part = ''): T {
  const parsed = schema.safeParse(value, readOnce)
  if (parsed.success) return parsed.data
  const [issue] = describeIssues(parsed.error, schema, 'the file')
  throw badServerError(from, `${part}${issue?.message ?? 'cannot be read'}`)
}

export function badServerError({ id, file }: Pick<AppFile, 'id' | 'file'>, fault: string): ConfigError {
  return new ConfigError({ code: 'bad_mcp_server', message: `MCP server ${id}: ${fault}`, file })
}
