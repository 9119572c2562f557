import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { isRecord } from '../json.ts'
import { parseJsonc } from '../json-syntax.ts'
import type { ProcessTool } from '../tools/process-server.ts'
import type { AppFile } from './app-files.ts'

const toolsSchema = z.record(z.string(), z.string())

/** The tools of an `*.mcp.yao` with transport `process`: their schemas stand in `mapping/<server>/schemes`. */
export function processTools(from: AppFile, tools: unknown, root: string): ProcessTool[] {
  const parsed = toolsSchema.safeParse(tools ?? {})
  if (!parsed.success) throw badServer(from, '"tools" must map names of tools to processes')
  const mapping = join(root, 'mcps', 'mapping', ...from.id.split('.'), 'schemes')
  const found = Object.entries(parsed.data)
  if (found.length === 0) throw badServer(from, 'transport "process" needs "tools"')
  return found.map(([name, process]) => ({ name, process, ...schemaOf(from, name, mapping) }))
}

function schemaOf(from: AppFile, name: string, folder: string) {
  const path = join(folder, `${name}.in.yao`)
  if (!existsSync(path)) {
    const place = relative(dirname(from.path), path)
    throw badServer(from, `tool ${name} has no schema: there is no ${place}`)
  }
  const schema = parseJsonc(readFileSync(path, 'utf8'), path)
  if (!isRecord(schema)) throw badServer(from, `the schema of tool ${name} is no object`)
  const { 'x-process-args': args, description, ...inputSchema } = schema
  return {
    inputSchema,
    processArgs: Array.isArray(args) ? args.map(String) : [':arguments'],
    ...(typeof description === 'string' && { description }),
  }
}

function badServer({ id, file }: AppFile, fault: string): ConfigError {
  return new ConfigError({ code: 'bad_mcp_server', message: `MCP server ${id}: ${fault}`, file })
}
