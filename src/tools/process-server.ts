import { ConfigError, messageOf, TimeoutError, WorldError } from '../errors.ts'
import type { Scope } from '../scope/scope.ts'
import type { Data } from '../transcript/message.ts'
import { ToolError, type ToolServer, toolName } from './tool.ts'

/** A tool that is a process of the app. */
export interface ProcessTool {
  name: string
  /** `scripts.expenses.Create` */
  process: string
  description?: string
  inputSchema: Data
  /** What the process is called with: `:arguments` is all of them, `$args.amount` is one. */
  processArgs: readonly string[]
}

export type RunProcess = (name: string, args: unknown[], scope: Scope) => Promise<unknown>

/** Tools that run in the user's own scripts. There is nothing to start. */
export function createProcessServer(id: string, tools: readonly ProcessTool[], run: RunProcess): ToolServer {
  return {
    id,
    tools: async () =>
      tools.map(({ name, process, processArgs, ...described }) => ({
        ...described,
        name: toolName(id, name),
        call: (args, scope) => call(toolName(id, name), process, argsOf(processArgs, args), run, scope),
      })),
    async close() {},
  }
}

async function call(
  target: string,
  process: string,
  args: unknown[],
  run: RunProcess,
  scope: Scope,
): Promise<unknown> {
  const toolScope = scope.child('tool')
  const outcome = await toolScope.exchange({
    target,
    request: args,
    perform: () => run(process, args, toolScope).then((result) => ({ result }), failureOf),
  })
  if ('error' in outcome) throw new ToolError(outcome.error)
  return outcome.result ?? null
}

/** What the script throws is the tool's failure, which the model is told of; the rest is none of its business. */
function failureOf(error: unknown): { error: string } {
  const others = [WorldError, ConfigError, TimeoutError]
  if (others.some((kind) => error instanceof kind)) throw error
  return { error: messageOf(error) }
}

function argsOf(templates: readonly string[], args: unknown): unknown[] {
  return templates.map((template) => {
    const [, path] = /^\$args\.(.+)$/.exec(template) ?? []
    if (path === undefined) return template === ':arguments' ? (args ?? {}) : template
    return path.split('.').reduce<unknown>((value, key) => (value as Data | undefined)?.[key], args) ?? null
  })
}
