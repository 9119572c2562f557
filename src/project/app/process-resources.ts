import { join } from 'node:path'
import { z } from 'zod'
import { describeIssues } from '../../json/validation/issues.ts'
import type { ProcessResource } from '../../tools/process-extras.ts'
import { type MappedServer, readMappingFile, readProcesses } from './mapping-file.ts'
import { readSamples } from './samples.ts'
import { badServerError } from './server-files.ts'

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
    const parsed = resourceSchema.safeParse(written, { reportInput: true })
    if (!parsed.success) {
      const [issue] = describeIssues(parsed.error, resourceSchema, 'the file')
      throw badServerError(server.from, `resource ${name}: ${issue?.message}`)
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
