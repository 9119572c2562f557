import { isRecord } from '../../../json/json.ts'
import type { Data } from '../../../results/transcript/message.ts'
import type { CallOf, ListedTool } from '../../protocol/script-call.ts'
import { isFunction } from '../is-function.ts'
import { describeExport, type Exports, exportNames, LoadError, loadModule } from '../load.ts'
import { typeWords } from '../type-words.ts'
import { type ExecutableTool, executeTool } from './execute-tool.ts'
import { toJsonSchema } from './tool-schema.ts'

/** A tool as modules export it: one of the AI SDK, or an object with a JSON Schema and a function. */
interface ExportedTool extends ExecutableTool {
  description?: unknown
}

/** Lists the tools that a module exports. */
export async function listModuleTools({ file }: { file: string }): Promise<ListedTool[]> {
  const tools = findTools(await loadModule(file), file)
  return Promise.all(
    [...tools].map(async ([name, tool]) => ({
      name,
      ...(typeof tool.description === 'string' && { description: tool.description }),
      inputSchema: await describeInput(name, tool, file),
    })),
  )
}

/** Calls a tool as the AI SDK does. */
export async function callModuleTool(call: CallOf<'tool'>, abortSignal: AbortSignal): Promise<unknown> {
  const { file, name, args, toolCallId, messages } = call
  const tool = findTools(await loadModule(file), file).get(name)
  if (tool === undefined) throw new LoadError(file, `there is no tool ${name}`)
  return executeTool(tool, name, args, { toolCallId, messages, abortSignal })
}

/** Finds the tools: exports, and members of exported objects. Other exports are not for the model. */
function findTools(exports: Exports, file: string): Map<string, ExportedTool> {
  const found = new Map<string, ExportedTool>()
  const add = (name: string, where: string, value: unknown) => {
    const tool = checkTool(value, `${where}`, file)
    checkName(name, where, file)
    if ((found.get(name) ?? tool) !== tool) throw new LoadError(file, `it exports two tools ${name}`)
    found.set(name, tool)
  }
  for (const exported of exportNames(exports)) {
    const value = exports[exported]
    const where = describeExport(exported)
    if (isToolLike(value)) {
      if (exported === 'default')
        throw new LoadError(file, 'the default export is a tool without a name: export it by its name')
      add(exported, where, value)
    } else if (isRecord(value) && Object.values(value).some(isToolLike)) {
      for (const [name, member] of Object.entries(value)) add(name, `${name} of the ${where}`, member)
    }
  }
  if (found.size === 0) throw new LoadError(file, describeMissing(exports))
  return found
}

function isToolLike(value: unknown): boolean {
  if (!isRecord(value)) return false
  return isFunction(value.execute) || (inputSchema(value) !== undefined && 'description' in value)
}

function inputSchema({ inputSchema, parameters }: Pick<ExportedTool, 'inputSchema' | 'parameters'>): unknown {
  return inputSchema ?? parameters
}

function checkTool(value: unknown, where: string, file: string): ExportedTool {
  const fault = (what: string) => new LoadError(file, `the ${where} ${what}`)
  if (!isRecord(value)) throw fault(`is ${typeWords(value)}, not a tool`)
  if (!isFunction(value.execute))
    throw fault('has no function `execute`: viva could not call it. Remove it, or add one and stub it')
  if (inputSchema(value) === undefined) throw fault('has no `inputSchema`, which says what its arguments are')
  return value as unknown as ExportedTool
}

/** As the APIs of models require it. */
function checkName(name: string, where: string, file: string): void {
  if (/^[\w-]{1,64}$/.test(name)) return
  const rule = 'the name of a tool has up to 64 letters, digits, - and _'
  throw new LoadError(file, `the ${where} cannot be offered to a model: ${rule}`)
}

async function describeInput(name: string, tool: ExportedTool, file: string): Promise<Data> {
  try {
    return await toJsonSchema(inputSchema(tool), file)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new LoadError(file, `the schema of tool ${name} ${message}`)
  }
}

function describeMissing(exports: Exports): string {
  const names = exportNames(exports)
  const listed = names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`
  return `it exports no tools, which are objects with description, inputSchema and execute; ${listed}`
}
