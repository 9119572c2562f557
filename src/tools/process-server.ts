import { defined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import { callProcess, type RunProcess } from './process-call.ts'
import { createProcessExtras, type ProcessPrompt, type ProcessResource } from './process-extras.ts'
import { type ToolSample, type ToolServer, toolName } from './tool.ts'

/** A tool that is implemented by a process of the app. */
export interface ProcessTool {
  name: string
  /** `scripts.expenses.Create` */
  process: string
  description?: string
  inputSchema: Data
  /** The arguments of the process: `:arguments` is all of them, `$args.amount` is one. */
  processArgs: readonly string[]
  /** As the author wrote them. */
  samples: readonly Data[]
}

/** What a server implemented by the user's own scripts has. */
export interface ProcessParts {
  tools: readonly ProcessTool[]
  resources: readonly ProcessResource[]
  prompts: readonly ProcessPrompt[]
}

/** Creates a server without a process of its own: there is nothing to start. */
export function createProcessServer(id: string, parts: ProcessParts, run: RunProcess): ToolServer {
  return {
    id,
    tools: async () =>
      parts.tools.map(({ name, process, processArgs, samples, ...described }) => ({
        ...described,
        ...(samples.length > 0 && { samples: samples.map(toToolSample) }),
        name: toolName(id, name),
        inOrder: true,
        call: (args, scope) =>
          callProcess(toolName(id, name), process, fillToolArgs(processArgs, args), run, scope),
      })),
    atRest: {
      tools: parts.tools.map(({ name }) => name),
      processes: [
        ...parts.tools.map(({ name, process }) => ({ caller: `tool ${name}`, process })),
        ...parts.resources.map(({ name, process }) => ({ caller: `resource ${name}`, process })),
      ],
    },
    extras: createProcessExtras(id, parts, run),
    async close() {},
  }
}

function fillToolArgs(templates: readonly string[], args: unknown): unknown[] {
  return templates.map((template) => {
    const [, path] = /^\$args\.(.+)$/.exec(template) ?? []
    if (path === undefined) return template === ':arguments' ? (args ?? {}) : template
    return path.split('.').reduce<unknown>((value, key) => (value as Data | undefined)?.[key], args) ?? null
  })
}

function toToolSample({ name, description, metadata, input, output }: Data): ToolSample {
  const text = description ?? (isRecord(metadata) ? metadata.description : undefined)
  return {
    ...defined({
      name: typeof name === 'string' ? name : undefined,
      description: typeof text === 'string' ? text : undefined,
    }),
    input: isRecord(input) ? input : {},
    ...(output !== undefined && { output }),
  }
}
