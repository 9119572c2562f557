import { ConfigError, errorMessage, InfrastructureError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { compileSchema } from '../json/schema/compile.ts'
import type { Scope } from '../scope/scope.ts'
import type { ThreadChoice } from '../scripts/protocol/protocol.ts'
import type { ListedTool } from '../scripts/protocol/script-call.ts'
import { sharedThreads } from '../scripts/protocol/shared-threads.ts'
import { runScript } from '../scripts/runner/run-script.ts'
import { ScriptLoadError } from '../scripts/runner/script-error.ts'
import { hostThreads, type ScriptHost } from '../scripts/runner/script-host.ts'
import type { CallDetails, StartWait, Tool, ToolServer } from './tool.ts'
import { callToolCode } from './tool-code.ts'

/** A module of the project whose exports are tools. */
export interface ToolModule {
  /** The absolute path. */
  path: string
  /** The path for messages. */
  file: string
  /** Each case has a thread of its own, in which the module is loaded again. */
  isolated: boolean
}

export interface ModuleServer extends ToolServer {
  /** The most cases that can use it at once. */
  concurrency?: number
  /** Loads the module where so many cases will need it. */
  prepare(cases: number, signal: AbortSignal): Promise<void>
}

/** Creates the server of a module's tools, which run in the script host: in a shared thread, or in one of the case. */
export function createModuleServer(module: ToolModule, scripts: ScriptHost): ModuleServer {
  const { path: file, isolated } = module
  const runInCase = createCaseThreads(module, scripts)
  let listed: Promise<Tool[]> | undefined

  const list = (signal: AbortSignal, thread: ThreadChoice) =>
    scripts
      // Nested, because the caller may be a script that already holds a permit.
      .call({ kind: 'tools', file }, { signal, nested: true, thread })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw new ConfigError(loadProblem(error, module))
      }) as Promise<ListedTool[]>

  async function load(signal: AbortSignal): Promise<Tool[]> {
    const tools = await list(signal, isolated ? { kind: 'leased' } : { kind: 'shared' })
    for (const tool of tools) checkSchema(tool, module)
    return tools.map((tool) => ({
      ...tool,
      call: (args, scope, details) => call(tool.name, args, scope, details),
    }))
  }

  function call(
    name: string,
    args: unknown,
    scope: Scope,
    details: CallDetails = noDetails,
  ): Promise<unknown> {
    const toolCallId = details.id ?? crypto.randomUUID()
    const run = (own: Scope, signal: AbortSignal) =>
      runInCase(own, (thread, onMoved) => {
        const request = { kind: 'tool' as const, file, name, args, toolCallId, messages: details.messages() }
        return runScript(scripts, request, { name: `tool ${name}`, scope: own, signal, thread, onMoved })
      })
    return callToolCode({ target: name, request: args, continues: `the tools of ${file}`, run }, scope)
  }

  return {
    id: module.file,
    ...(isolated && { concurrency: hostThreads }),
    tools(scope: StartWait) {
      listed ??= scope
        .standStill(({ signal }) => load(signal))
        .catch((error: unknown) => {
          listed = undefined
          throw error
        })
      return listed
    },
    async prepare(cases, signal) {
      const slots = isolated ? 0 : sharedThreads(cases)
      await Promise.all(Array.from({ length: slots }, (_, slot) => list(signal, { kind: 'shared', slot })))
    },
    async close() {},
  }
}

/** Of a call that no model has made. */
const noDetails: CallDetails = { messages: () => [] }

type RunInThread = (thread: ThreadChoice, onMoved: () => void) => Promise<unknown>

/** Runs all calls of a case in the same thread, which has what earlier ones have left in memory. */
function createCaseThreads({ file, isolated }: ToolModule, scripts: ScriptHost) {
  const lastCalls = new Map<string, Promise<unknown>>()
  return ({ context: { play, missing } }: Scope, run: RunInThread): Promise<unknown> => {
    const session = `${play?.id ?? 'outside'} ${file}`
    const before = lastCalls.get(session)
    if (before === undefined)
      play?.onEnd(() => {
        lastCalls.delete(session)
        scripts.release(session)
      })
    const onMoved = () => void (before === undefined || missing?.push(createLostState(file)))
    const isKept = isolated && play !== undefined
    // A kept thread runs one call at a time: another one would get a thread without what is in memory.
    const own = isKept
      ? (before ?? Promise.resolve()).then(() => run({ kind: 'kept', session }, onMoved))
      : run({ kind: 'shared', session }, onMoved)
    const ended = own.catch(() => {})
    lastCalls.set(session, ended)
    return own
  }
}

function createLostState(file: string): InfrastructureError {
  const lost = `what ${file} had kept in memory for this case was lost`
  return new InfrastructureError('state_lost', `${lost}: another case has ended its thread`)
}

function loadProblem(error: unknown, { path, file }: ToolModule) {
  if (!(error instanceof ScriptLoadError)) return { code: 'bad_tools', message: errorMessage(error), file }
  const { fault: message, line, column } = error
  return {
    code: 'bad_tools',
    message,
    file: error.file === path ? file : error.file,
    ...defined({ line, column }),
  }
}

function checkSchema({ name, inputSchema }: ListedTool, { file }: ToolModule): void {
  const [problem] = compileSchema(inputSchema).problems
  if (problem === undefined) return
  const message = `the schema of tool ${name}: ${problem.path.join('.')} ${problem.message}`
  throw new ConfigError({ code: 'bad_tools', message, file })
}
