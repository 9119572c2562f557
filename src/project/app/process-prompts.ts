import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { describeIssues } from '../../json/validation/issues.ts'
import type { ProcessPrompt } from '../../tools/process-extras.ts'
import { parsePromptTemplate } from '../../tools/prompt-template.ts'
import { type MappedServer, readMappingFile, readProcesses } from './mapping-file.ts'
import { badServerError } from './server-files.ts'

const contentSchema = z.union([
  z.string().transform((text) => ({ type: 'text', text })),
  z.looseObject({ type: z.string(), text: z.string().optional() }),
])

const promptSchema = z.looseObject({
  description: z.string().optional(),
  arguments: z
    .array(
      z.object({
        name: z.string(),
        description: z.string().optional(),
        required: z.boolean().optional(),
      }),
    )
    .optional(),
  messages: z.array(z.object({ role: z.string(), content: contentSchema })).optional(),
  /** The text of a single user message. */
  template: z.string().optional(),
})

/** The prompts of an `*.mcp.yao` with transport `process`, described in `mapping/<server>/prompts`. */
export function readProcessPrompts(server: MappedServer, prompts: unknown): ProcessPrompt[] {
  return readProcesses(server.from, 'prompts', prompts).map(([name]) => {
    const path = join(server.folder, 'prompts', `${name}.pmt.yao`)
    const written = readMappingFile(server, path, `prompt ${name}`, 'description')
    const parsed = promptSchema.safeParse(written, { reportInput: true })
    const bad = (fault: string) => badServerError(server.from, `prompt ${name}: ${fault}`)
    if (!parsed.success) {
      const [issue] = describeIssues(parsed.error, promptSchema, 'the file')
      throw bad(issue?.message ?? 'cannot be read')
    }
    const { description, arguments: args, template } = parsed.data
    const alone = { role: 'user', content: { type: 'text', text: template } }
    const messages = parsed.data.messages ?? (template === undefined ? undefined : [alone])
    if (messages === undefined) throw bad('there are no messages')
    return {
      name,
      ...(description !== undefined && { description }),
      ...(args !== undefined && { arguments: args.map((each) => defined(each)) }),
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
    throw bad(messageOf(error))
  }
}
