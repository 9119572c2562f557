import { type CompiledSchema, compileSchema } from '../json/schema/compile.ts'
import { shorten } from '../text/shorten.ts'
import type { Tool } from './tool.ts'

const compiled = new WeakMap<object, CompiledSchema>()
const maxFaults = 5

/** Describes what is wrong with the arguments so that a model can correct it. Undefined when they are right. */
export function checkArguments(tool: Pick<Tool, 'name' | 'inputSchema'>, args: unknown): string | undefined {
  // Models write arguments as text; arguments that are still text were not JSON.
  if (typeof args === 'string') return `the arguments of ${tool.name} are not JSON: ${shorten(args, 200)}`
  const schema = compiled.get(tool.inputSchema) ?? compileSchema(tool.inputSchema)
  compiled.set(tool.inputSchema, schema)
  const faults = schema.faults(args)
  if (faults.length === 0) return undefined
  const described = faults
    .slice(0, maxFaults)
    .map(({ path, message }) => `${path.join('.')} ${message}`.trim())
  const more = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : ''
  return `wrong arguments for ${tool.name}: ${described.join('; ')}${more}`
}
