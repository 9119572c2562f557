import { basename, join } from 'node:path'
import { errorMessage, InfrastructureError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { fillTemplate } from '../json/template.ts'
import { type Data, type Message, messageText, type ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { pause } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import { runScript } from '../scripts/runner/run-script.ts'
import type { ScriptHost } from '../scripts/runner/script-host.ts'
import { parseDuration } from '../text/duration.ts'
import { compilePattern } from '../text/pattern.ts'
import { Limiter } from './limiter.ts'
import type { Model, ModelRequest } from './model.ts'
import { calculateCost, freePrice, type Price, withCost } from './prices.ts'
import { buildReply } from './read-answer.ts'
import { parseScriptedOptions, type ScriptedRule, scriptedAnswerSchema } from './scripted-options.ts'

interface ScriptedSettings {
  folder: string
  scripts: ScriptHost
  price?: Price | undefined
  limiter?: Limiter
}

/** Creates a model without a network, from rules that are tried in order or from a function. For demos and tests of tests. */
export function createScriptedModel(
  id: string,
  options: Data,
  { folder, scripts, price = freePrice, limiter = new Limiter() }: ScriptedSettings,
): Model {
  const { model, rules = [], module, embeddings } = parseScriptedOptions(id, options)
  const compiled = rules.map((rule) => ({ rule, matches: compileRule(rule) }))
  const file = module === undefined ? undefined : join(folder, module)
  return {
    id: model ?? id,
    price,
    generate: (request, scope) =>
      scope.exchange({
        target: `scripted:${id}`,
        part: 'model',
        request,
        async perform({ signal }, own) {
          const answer = () =>
            file === undefined
              ? answerByRules(compiled, request, signal)
              : answerByModule(file, request, scripts, { scope: own, signal })
          // A script that waits for this answer may itself be one that takes up the limit.
          const within = file !== undefined && scope.activation !== undefined
          return withCost(within ? await answer() : await limiter.run(scope, answer), price)
        },
        usage: (reply) => reply.usage,
      }),
    ...(embeddings && {
      embed: (texts, scope) =>
        scope.exchange({
          target: `scripted:${id}`,
          part: 'model',
          request: { input: texts },
          perform: () => limiter.run(scope, async () => texts.map((text) => lookUpVector(text, embeddings))),
          usage: () => defined({ cost: calculateCost(undefined, price) }),
        }),
    }),
  }
}

function lookUpVector(text: string, embeddings: Record<string, number[]>): number[] {
  const vector = Object.hasOwn(embeddings, text) ? embeddings[text] : undefined
  if (vector !== undefined) return vector
  const message = `the scripted model has no embedding for ${JSON.stringify(text)}`
  throw new InfrastructureError('bad_response', message)
}

interface CompiledRule {
  rule: ScriptedRule
  /** The groups of the user pattern, otherwise of the result pattern; undefined when the rule does not apply. */
  matches(messages: readonly Message[]): string[] | undefined
}

async function answerByRules(
  rules: CompiledRule[],
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Reply> {
  for (const { rule, matches } of rules) {
    const groups = matches(request.messages)
    if (groups === undefined) continue
    if (rule.delay !== undefined) await pause(parseDuration(rule.delay) ?? 0, signal)
    if (rule.error) throw createScriptedError(rule.error)
    const filled = defined({
      reply: insertGroups(rule.reply, groups),
      tool_calls: insertGroups(rule.tool_calls, groups),
    })
    return toReply({ ...rule, ...filled }, request)
  }
  const last = lastText(request.messages, 'user')
  throw new InfrastructureError('bad_response', `the scripted model has no rule for ${JSON.stringify(last)}`)
}

async function answerByModule(
  file: string,
  request: ModelRequest,
  scripts: ScriptHost,
  { scope, signal }: { scope: Scope; signal: AbortSignal },
): Promise<Reply> {
  const call = { kind: 'call' as const, file, export: 'default', args: [request] }
  const answer = await runScript(scripts, call, { name: basename(file), scope, signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      if (error instanceof InfrastructureError) throw error
      throw new InfrastructureError('script_error', `${file}: ${errorMessage(error)}`, { cause: error })
    },
  )
  if (typeof answer === 'string') return toReply({ reply: answer }, request)
  const parsed = scriptedAnswerSchema.safeParse(answer)
  if (parsed.success && (parsed.data.reply !== undefined || parsed.data.tool_calls !== undefined))
    return toReply(parsed.data, request)
  throw new InfrastructureError('bad_response', `${file} answered with neither text nor {reply, tool_calls}`)
}

type Answer = Pick<ScriptedRule, 'reply' | 'tool_calls' | 'finish_reason' | 'usage'>

function toReply(answer: Answer, { messages }: ModelRequest): Reply {
  const content = answer.reply === undefined ? '' : messageText(answer.reply)
  const earlierCalls = messages.flatMap((message) => message.toolCalls ?? []).length
  const toolCalls = (answer.tool_calls ?? []).map(
    (call, index): ToolCall => ({
      id: call.id ?? `call_${earlierCalls + index + 1}`,
      name: call.name,
      arguments: call.arguments,
    }),
  )
  return buildReply({
    content,
    toolCalls,
    finishReason: answer.finish_reason ?? 'stop',
    usage: defined({ inputTokens: answer.usage?.input_tokens, outputTokens: answer.usage?.output_tokens }),
  })
}

function compileRule({ when = {} }: ScriptedRule): CompiledRule['matches'] {
  const compile = (text: string | undefined) => (text === undefined ? undefined : compilePattern(text))
  const [user, assistant, system] = [when.user, when.assistant, when.system].map(compile)
  const [tool, result] = [when.tool, when.result].map(compile)
  return (messages) => {
    if (assistant && !assistant.test(lastText(messages, 'assistant'))) return undefined
    if (system && !system.test(allText(messages, 'system'))) return undefined
    if (when.turn !== undefined && when.turn !== messages.filter(({ role }) => role === 'user').length)
      return undefined
    const last = messages.at(-1)
    if ((tool || result) && last?.role !== 'tool') return undefined
    if (tool && !tool.test(last?.name ?? '')) return undefined
    const inResult = result ? result.groups(messageText(last?.content)) : []
    if (inResult === undefined) return undefined
    return user ? user.groups(lastText(messages, 'user')) : inResult
  }
}

/** Inserts the groups of the pattern into every text of an answer. */
function insertGroups<T>(value: T, groups: string[]): T {
  if (value === undefined || groups.length === 0) return value
  return fillTemplate(value, (name, written) =>
    /^\d$/.test(name) ? (groups[Number(name)] ?? '') : written,
  ) as T
}

function createScriptedError({
  status = 500,
  message = 'scripted failure',
}: NonNullable<ScriptedRule['error']>): InfrastructureError {
  if (status === 429) return new InfrastructureError('rate_limit', `429: ${message}`, { retryable: true })
  return new InfrastructureError('http', `${status}: ${message}`, { retryable: status >= 500 })
}

function lastText(messages: readonly Message[], role: Message['role']): string {
  return messageText(messages.findLast((message) => message.role === role)?.content)
}

function allText(messages: readonly Message[], role: Message['role']): string {
  return messages
    .filter((message) => message.role === role)
    .map((message) => messageText(message.content))
    .join('\n')
}
