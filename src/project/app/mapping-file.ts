import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { isRecord } from '../../json/json.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import type { Data } from '../../results/transcript/message.ts'
import { badServerError, type ServerFile } from './server-files.ts'

/** A server with transport `process`, and the folder that describes its tools, resources and prompts. */
export interface MappedServer {
  from: ServerFile
  folder: string
}

const processesSchema = z.record(z.string(), z.string())

/** The processes behind the `tools`, `resources` or `prompts` of a server, by name. */
export function readProcesses(
  from: ServerFile,
  key: string,
  value: unknown,
): [name: string, process: string][] {
  const parsed = processesSchema.safeParse(value ?? {})
  if (!parsed.success) throw badServerError(from, `"${key}" must map names of ${key} to processes`)
  return Object.entries(parsed.data)
}

/** Reads the file that describes a tool, resource or prompt. `lacking` names the content of the file in messages. */
export function readMappingFile({ from }: MappedServer, path: string, what: string, lacking: string): Data {
  if (!existsSync(path)) {
    throw badServerError(from, `${what} has no ${lacking}: there is no ${relative(dirname(from.path), path)}`)
  }
  const described = parseJsonc(readFileSync(path, 'utf8'), pathBesideServer(from, path))
  if (!isRecord(described)) throw badServerError(from, `the ${lacking} of ${what} is not an object`)
  return described
}

/** As messages show it, like the server's own file. */
export function pathBesideServer(from: ServerFile, path: string): string {
  return join(dirname(from.file), relative(dirname(from.path), path))
}
