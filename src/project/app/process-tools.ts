import { join } from 'node:path'
import { compileSchema } from '../../json/schema/compile.ts'
import type { ProcessTool } from '../../tools/process-server.ts'
import { type MappedServer, readMappingFile, readProcesses } from './mapping-file.ts'
import { readSamples } from './samples.ts'
import { badServerError } from './server-files.ts'

/** The tools of an `*.mcp.yao` with transport `process`, whose schemas are in `mapping/<server>/schemes`. */
export function readProcessTools(server: MappedServer, tools: unknown): ProcessTool[] {
  return readProcesses(server.from, 'tools', tools).map(([name, process]) => ({
    name,
    process,
    ...readToolSchema(server, name),
    samples: readSamples(server, 'tool', name),
  }))
}

function readToolSchema(server: MappedServer, name: string) {
  const path = join(server.folder, 'schemes', `${name}.in.yao`)
  const schema = readMappingFile(server, path, `tool ${name}`, 'schema')
  const { 'x-process-args': args, description, ...inputSchema } = schema
  const [problem] = compileSchema(inputSchema).problems
  if (problem !== undefined)
    throw badServerError(
      server.from,
      `the schema of tool ${name}: ${problem.path.join('.')} ${problem.message}`,
    )
  return {
    inputSchema,
    processArgs: Array.isArray(args) && args.length > 0 ? args.map(String) : [':arguments'],
    ...(typeof description === 'string' && { description }),
  }
}
