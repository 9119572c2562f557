import { join } from 'node:path'
import { z } from 'zod'
import { issuesOf } from '../../json/validation/issues.ts'
import type { ProcessResource } from '../../tools/process-extras.ts'
import { type MappedServer, processesOf, readMappingFile } from './mapping-file.ts'
import { readSamples } from './samples.ts'
import { badServer } from './server-files.ts'

const resourceSchema = z.looseObject({
  uri: z.string().min(1),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  'x-process-args': z.array(z.unknown()).optional(),
})

/** The resources of an `*.mcp.yao` with transport `process`, described in `mapping/<server>/resources`. */
export function processResources(server: MappedServer, resources: unknown): ProcessResource[] {
  return processesOf(server.from, 'resources', resources).map(([name, process]) => {
    const path = join(server.folder, 'resources', `${name}.res.yao`)
    const written = readMappingFile(server, path, `resource ${name}`, 'description')
    const parsed = resourceSchema.safeParse(written, { reportInput: true })
    if (!parsed.success) {
      const [issue] = issuesOf(parsed.error, resourceSchema, 'the file')
      throw badServer(server.from, `resource ${name}: ${issue?.message}`)
    }
    const { uri, description, mimeType, 'x-process-args': args } = parsed.data
    return {
      uri,
      // Samples are looked up by this name; the name in the file is for people.
      name,
      ...(description !== undefined && { description }),
      ...(mimeType !== undefined && { mimeType }),
      process,
      processArgs: args?.map(String) ?? [':uri'],
      samples: readSamples(server, 'resource', name),
    }
  })
}
