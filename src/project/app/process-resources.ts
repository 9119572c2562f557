import { join } from 'node:path'
import { z } from 'zod'
import { defined } from '../../json/defined.ts'
import type { ProcessResource } from '../../tools/process-extras.ts'
import { type MappedServer, readMappingFile, readProcesses } from './mapping-file.ts'
import { readSamples } from './samples.ts'
import { parseServerData } from './server-files.ts'

const resourceSchema = z.looseObject({
  uri: z.string().min(1),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  'x-process-args': z.array(z.unknown()).optional(),
})

/** The resources of an `*.mcp.yao` with transport `process`, described in `mapping/<server>/resources`. */
export function readProcessResources(server: MappedServer, resources: unknown): ProcessResource[] {
  return readProcesses(server.from, 'resources', resources).map(([name, process]) => {
    const path = join(server.folder, 'resources', `${name}.res.yao`)
    const written = readMappingFile(server, path, `resource ${name}`, 'description')
    const parsed = parseServerData(resourceSchema, written, server.from, `resource ${name}: `)
    const { uri, description, mimeType, 'x-process-args': args } = parsed
    return {
      uri,
      // Samples are looked up by this name; the name in the file is for people.
      name,
      ...defined({ description, mimeType }),
      process,
      processArgs: args?.map(String) ?? [':uri'],
      samples: readSamples(server, 'resource', name),
    }
  })
}
