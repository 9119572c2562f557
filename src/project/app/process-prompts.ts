import { join } from 'node:path'
import { z } from 'zod'
import { errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { ProcessPrompt } from '../../tools/process-extras.ts'
import { parsePromptTemplate } from '../../tools/prompt-template.ts'
import { type MappedServer, readMappingFile, readProcesses } from './mapping-file.ts'
import { badServerError, parseServerData } from './server-files.ts'

const contentSchema = z.union([
  z.string().transform((text) => ({ type: 'text', text })),
  z.looseObject({ type: z.string(), text: z.string().optional() }),
])

const argumentSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
})

const promptSchema = z.looseObject({
  description: z.string().optional(),
  arguments: z.array(argumentSchema).optional(),
  messages: z.array(z.object({ role: z.string(), content: contentSchema })).optional(),
  /** The text of a single user message. */
  template: z.string().optional(),
})

/** The prompts of an `*.mcp.yao` with transport `process`, described in `mapping/<server>/prompts`. */
export function readProcessPrompts(server: MappedServer, prompts: unknown): ProcessPrompt[] {
  return readProcesses(server.from, 'prompts', prompts).map(([name]) => {
    const path = join(server.folder, 'prompts', `${name}.pmt.yao`)
    const written = readMappingFile(server, path, `prompt ${name}`, 'description')
    const parsed = parseServerData(promptSchema, written, server.from, `prompt ${name}: `)
    const bad = (fault: string) => badServerError(server.from, `prompt ${name}: ${fault}`)
    const { description, arguments: args, template } = parsed
    const alone = { role: 'user', content: { type: 'text', text: template } }
    const messages = parsed.messages ?? (template === undefined ? undefined : [alone])
    if (messages === undefined) throw bad('there are no messages')
    return {
      name,
      ...defined({ description, arguments: args?.map((each) => defined(each)) }),
      messages: messages.map(({ role, content }) => ({
        role,
        content,
        ...compileTemplate(content.text, bad),
      })),
    }
  })
}

function compileTemplate(text: string | undefined, bad: (fault: string) => Error) {
  if (text === undefined) return {}
  try {
    return { template: parsePromptTemplate(text) }
  } catch (error) {
    throw bad(errorMessage(error))
  }
}
