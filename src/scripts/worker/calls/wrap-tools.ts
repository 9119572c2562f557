import { AsyncLocalStorage } from 'node:async_hooks'
import { types } from 'node:util'
import { stringify } from '../../../json/equal/untouched.ts'
import { isRecord } from '../../../json/json.ts'
import type { WrappedToolRequest } from '../../protocol/ask.ts'
import { NotJsonError, toJson } from '../../protocol/json.ts'
import type { CallOutcome } from '../../protocol/protocol.ts'
import type { PrintedErrorEvent } from '../../protocol/provider-call.ts'
import { describeThrown } from '../../protocol/thrown.ts'
import type {
  BorrowedToolEvent,
  OfferedToolsEvent,
  WrappedTools,
  WrapTools,
} from '../../protocol/wrap-tools.ts'
import { isFunction, type UserFunction } from '../is-function.ts'
import { typeWords } from '../type-words.ts'
import { type ExecutableTool, lastItem } from './execute-tool.ts'
import { watchPrintedErrors } from './printed-errors.ts'

/** What was wrapped in an earlier call is wrapped anew. */
const originals = new WeakMap<UserFunction, UserFunction>()

/** The call that an agent is answering, for the code that it runs. */
export const answering = new AsyncLocalStorage<ToolCaller>()

/** How a wrapped tool is called: by its own function, whose outcome `end` reports, or not at all. */
export type ToolDecision =
  | { isOwn: true; end(outcome: CallOutcome): Promise<void> }
  | { isOwn: false; result: unknown }

/** One call of an agent, which offers tools. */
export interface ToolCaller {
  /** It has answered, and calls no tools any more. */
  hasEnded(): boolean
  report(event: object): void
  print(text: string): void
  /** Asks what answers the call of a tool. */
  askForTool(request: Omit<WrappedToolRequest, 'kind' | 'run'>): Promise<ToolDecision>
  /** Resolves when all tools that were called have begun, or something else is about to answer in their place. */
  beginTools(): Promise<void>
}

/** Runs the code of an agent as part of its call. A tool that it calls without waiting for the result begins nevertheless. */
export async function answerAs<T>(call: ToolCaller, work: () => T): Promise<Awaited<T>> {
  const answer = await watchPrintedErrors(reportPrinted, async () => answering.run(call, work))
  await call.beginTools()
  return answer
}

function reportPrinted(event: PrintedErrorEvent): void {
  const call = answering.getStore()
  if (!call?.hasEnded()) call?.report(event)
}

/** Creates `ctx.tools` of one call: viva decides for each call of a tool what answers, and sees the result. */
export function createWrapTools(call: ToolCaller): WrapTools {
  return <Tools extends object>(tools: Tools) => {
    if (!isPlain(tools))
      throw new TypeError('ctx.tools needs a plain object with tools by name: ctx.tools({ lookUp })')
    const entries = Object.entries(tools)
    for (const [name, tool] of entries)
      if (!isFunction(tool) && !isRecord(tool))
        throw new TypeError(
          `ctx.tools: ${name} is ${typeWords(tool)}, not a function or a tool of the AI SDK`,
        )
    return wrapEach(entries, call) as WrappedTools<Tools>
  }
}

/** Methods of a class would be lost. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

/** Wraps the tools of an AI SDK agent. Whatever else is in the set stays as it is. */
export function wrapToolSet(tools: unknown, call: ToolCaller): unknown {
  return isRecord(tools) ? wrapEach(Object.entries(tools), call) : tools
}

/** The names of the tools that are wrapped: without `execute`, the provider or the user's side answers. */
export function listExecuted(tools: unknown): string[] {
  return Object.entries(isRecord(tools) ? tools : {})
    .filter(([, tool]) => isFunction(tool) || isExecuted(tool))
    .map(([name]) => name)
}

/** The names of the tools that the user's side runs, after the agent has answered. */
function listClientTools(tools: Record<string, unknown>): string[] {
  return Object.entries(tools)
    .filter(([, tool]) => isRecord(tool) && !isExecuted(tool) && !isProviderTool(tool))
    .map(([name]) => name)
}

/** `provider` since version 6 of the AI SDK, `provider-defined` before. */
function isProviderTool({ type }: Record<string, unknown>): boolean {
  return type === 'provider' || type === 'provider-defined'
}

function wrapEach(entries: [string, unknown][], call: ToolCaller): Record<string, unknown> {
  const all = Object.fromEntries(entries)
  const offered = { names: listExecuted(all), client: listClientTools(all) }
  call.report({ type: 'offered_tools', ...offered } satisfies OfferedToolsEvent)
  return Object.fromEntries(entries.map(([name, tool]) => [name, wrapTool(name, tool, call)]))
}

function wrapTool(name: string, tool: unknown, call: ToolCaller): unknown {
  if (isFunction(tool)) return wrapFunction(name, tool, undefined, call)
  if (!isExecuted(tool)) return tool
  return copyTool(tool, wrapFunction(name, tool.execute as UserFunction, tool, call))
}

export function isExecuted(tool: unknown): tool is ExecutableTool {
  return isRecord(tool) && isFunction(tool.execute)
}

/** Keeps the class of a tool that has one. */
function copyTool(tool: ExecutableTool, execute: UserFunction): ExecutableTool {
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute })
}

/** `tool` is the tool of the AI SDK that the function belongs to, if it does. */
function wrapFunction(
  name: string,
  callee: UserFunction,
  tool: ExecutableTool | undefined,
  call: ToolCaller,
): UserFunction {
  const original = originals.get(callee) ?? callee
  const own = (self: unknown, args: unknown[]) => original.apply(tool ?? self, args)
  const decide = (args: unknown[]) => askForTool(name, args, tool !== undefined, call)
  const replacement = types.isGeneratorFunction(original)
    ? async function* (this: unknown, ...args: unknown[]) {
        const decision = await decide(args)
        if (decision.isOwn) yield* runGenerator(own(this, args), decision, report)
        else yield decision.result
      }
    : async function (this: unknown, ...args: unknown[]) {
        const decision = await decide(args)
        if (!decision.isOwn) return decision.result
        return endWith(decision, report, async () => {
          const result = await own(this, args)
          return tool === undefined ? result : lastItem(result)
        })
      }
  const report = (result: unknown) => describeResult(result, `the result of ${name}`, call)
  originals.set(replacement, original)
  return replacement
}

type Decision = Extract<ToolDecision, { isOwn: true }>
type Report = (result: unknown) => CallOutcome

/** The agent gets what the tool itself returned or threw, not a copy of it. */
async function endWith<T>({ end }: Decision, report: Report, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    await end(report(result))
    return result
  } catch (error) {
    await end(failed(error))
    throw error
  }
}

/** A tool may report preliminary results; the last one counts. */
async function* runGenerator(items: unknown, { end }: Decision, report: Report): AsyncGenerator {
  let outcome = report(undefined)
  try {
    for await (const item of items as AsyncIterable<unknown>) {
      outcome = report(item)
      yield item
    }
  } catch (error) {
    outcome = failed(error)
    throw error
  } finally {
    await end(outcome)
  }
}

function failed(error: unknown): CallOutcome {
  return { ok: false, failure: describeThrown(error) }
}

/** Asks the runner what answers the call. A tool of the AI SDK is given its input and options, a function anything. */
async function askForTool(
  tool: string,
  args: unknown[],
  isAiSdk: boolean,
  call: ToolCaller,
): Promise<ToolDecision> {
  const borrower = findBorrower(call)
  if (call.hasEnded()) {
    borrower?.report({ type: 'borrowed_tool', tool, misled: true } satisfies BorrowedToolEvent)
    throw new Error(
      `${tool} was called after the agent had answered: what ctx.tools returns can be used in one call only`,
    )
  }
  const { toolCallId, abortSignal } = isAiSdk && isRecord(args[1]) ? args[1] : {}
  const id = typeof toolCallId === 'string' ? toolCallId : crypto.randomUUID()
  const shown = toData(isAiSdk ? args[0] : readArguments(args), `the arguments of ${tool}`, call)
  const json = 'json' in shown ? shown.json : undefined
  const asked = call.askForTool({ tool, id, arguments: json && JSON.parse(json) })
  const decided = borrower === undefined ? asked : noteBorrowing(tool, asked, call, borrower)
  return abortSignal instanceof AbortSignal ? unlessAborted(decided, abortSignal) : decided
}

/** The other call whose code uses a tool of this one. */
function findBorrower(call: ToolCaller): ToolCaller | undefined {
  const current = answering.getStore()
  return current === call || current?.hasEnded() ? undefined : current
}

/** The code may use what was kept from another call, or run a queue for both: nobody knows whose call of the tool it is. */
async function noteBorrowing(
  tool: string,
  asked: Promise<ToolDecision>,
  ...[lender, borrower]: [lender: ToolCaller, borrower: ToolCaller]
): Promise<ToolDecision> {
  const event: BorrowedToolEvent = { type: 'borrowed_tool', tool }
  for (const call of [lender, borrower]) call.report(event)
  const decision = await asked
  if (!decision.isOwn && !borrower.hasEnded()) borrower.report({ ...event, misled: true })
  return decision
}

/** One object is the arguments by name; anything else is a list of values. */
function readArguments(args: unknown[]): unknown {
  const [only = {}] = args
  return args.length < 2 && isRecord(only) && !Array.isArray(only) ? only : args
}

/** A stub may take longer than the agent waits. */
async function unlessAborted(decided: Promise<ToolDecision>, signal: AbortSignal): Promise<ToolDecision> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([decided, aborted])
  } catch (error) {
    // It must not be called any more.
    void decided.then((late) => (late.isOwn ? late.end(failed(error)) : undefined)).catch(() => {})
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The result for the runner, a `WrappedToolResult`. */
function describeResult(value: unknown, whole: string, call: ToolCaller): CallOutcome {
  const shown = toData(value, whole, call)
  if ('problem' in shown) return { ok: true, json: stringify({ unshowable: shown.problem }) }
  return { ok: true, json: shown.json === undefined ? '{}' : `{"result":${shown.json}}` }
}

/** JSON for the runner. What is no data only the agent and its tools see. */
function toData(
  value: unknown,
  whole: string,
  call: ToolCaller,
): { json: string | undefined } | { problem: string } {
  try {
    return { json: toJson(value, { whole, rule: 'viva can show, record and stub only JSON data' }) }
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error
    call.print(`${error.message}\n`)
    return { problem: error.message }
  }
}
