import { AgentError, ConfigError, InfrastructureError } from '../../errors.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import { inlineFiles } from '../../models/media.ts'
import { type AgentPrices, priceReply } from '../../models/prices.ts'
import { type Data, messageText } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Input, View } from '../../results/transcript/turn.ts'
import type { Context } from '../../scope/context.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Stop } from '../../scope/stop.ts'
import { limitOutput } from '../../scripts/protocol/output.ts'
import type { Environment } from '../../system/environment.ts'
import { resolveCommand } from '../../system/find-command.ts'
import { endedWithin, type ProcessEnd, type ProcessGroup, startProcess } from '../../system/process-group.ts'
import { createTail } from '../../system/tail.ts'
import { shorten } from '../../text/shorten.ts'
import type { Agent, Session, TurnRequest } from '../agent.ts'
import { addFiles, historyMessages } from '../history.ts'
import { toReply } from './module-reply.ts'

/** How long a process may take to exit after its input is closed, and again after it is asked to stop. */
const endGraceMs = 500
/** A command that exits without any input does so within this time. */
const maxProbeMs = 3000

/** Python buffers its output to a pipe, and may not use UTF-8 for it. */
const pythonDefaults = { PYTHONUNBUFFERED: '1', PYTHONUTF8: '1' }

interface Command {
  id: string
  words: string[]
  cwd: string
  env: Environment
  prices: AgentPrices
  /** Whether it dies before anything is asked; found out once, when it first matters. */
  diesUnasked?: Promise<boolean>
}

const execDisclosure = {
  tools: 'print them with the answer: {"content": …, "tool_calls": [{"name": …, "arguments": {…}}]}',
  usage:
    'print them with the answer: {"content": …, "usage": {"model": …, "input_tokens": …, "output_tokens": …}}',
}

/** `exec:python agent.py`: a process for each conversation, a JSON line in, a JSON line out. */
export function execAgent(
  reference: string,
  cwd: string,
  { env, prices }: { env: Environment; prices: AgentPrices },
): Agent {
  const line = reference.slice('exec:'.length)
  if (line.trim() === '') {
    const message = `${reference} there is no command`
    throw new ConfigError({ code: 'bad_agent', message, hint: 'write exec:python agent.py' })
  }
  const words = resolveCommand(line, { cwd, env, label: reference })
  const command: Command = { id: reference, words, cwd, env, prices }
  return {
    id: reference,
    input: 'any',
    history: 'given',
    tools: 'reported',
    disclosure: execDisclosure,
    open: async (scope) => new ExecSession(command, scope),
  }
}

class ExecSession implements Session {
  readonly #command: Command
  readonly #context: Context
  readonly #log = limitOutput((line) => this.#scope.log(line))
  /** Started by the first message. */
  #started: ProcessGroup | undefined
  #startedAt = 0
  #tail = createTail()
  #scope: Scope
  #waiting: ((answer: unknown) => void) | undefined
  /** The first line that was received while waiting for an answer and was not one. */
  #stray: string | undefined
  #answers = 0

  constructor(command: Command, scope: Scope) {
    this.#command = command
    this.#context = scope.context
    this.#scope = scope
  }

  get #process(): ProcessGroup {
    this.#started ??= this.#start()
    return this.#started
  }

  async send({ input, view, options }: TurnRequest, scope: Scope): Promise<Reply> {
    this.#scope = scope
    const request = createRequest(input, view, options, this.#context)
    const sent = {
      ...request,
      session_id: this.#context.sessionId,
      input: inlineFiles(input.value),
      history: addFiles(request.history),
    }
    const line = `${JSON.stringify(sent)}\n`
    const perform = async ({ signal }: Stop) => {
      let came = await this.#ask(line, signal)
      if (!('answer' in came) && came.code === 0 && this.#answers > 0) {
        // A process that exits after each answer is started again: each line has the whole conversation.
        this.#process.kill()
        this.#started = this.#start()
        came = await this.#ask(line, signal)
      }
      if (!('answer' in came)) throw await this.#failure(came)
      this.#answers += 1
      return priceReply(readReply(came.answer), this.#command.prices)
    }
    return scope.exchange({
      target: this.#command.id,
      endpoint: this.#command.id,
      request,
      perform,
      usage: (reply) => reply.usage,
      overdue: () => this.#stray && noAnswerMessage(this.#stray),
    })
  }

  async close(): Promise<void> {
    if (this.#started === undefined) return
    this.#started.endInput()
    await endedWithin(this.#started.ended, endGraceMs)
    await this.#started.stop(endGraceMs)
  }

  #start(): ProcessGroup {
    const { words, cwd, env } = this.#command
    this.#startedAt = performance.now()
    this.#tail = createTail()
    return startProcess({
      words,
      cwd,
      env: { ...pythonDefaults, ...env },
      input: true,
      onOutput: (line) => this.#receive(line),
      onError: (line) => {
        this.#tail.add(line)
        this.#log(line)
      },
    })
  }

  #receive(line: string): void {
    const answer = /^\s*["{[]/.test(line) ? parseJson(line) : undefined
    if (answer !== undefined && this.#waiting !== undefined) {
      this.#waiting(answer)
      return
    }
    if (this.#waiting !== undefined) this.#stray ??= line
    this.#log(line)
  }

  async #ask(line: string, signal: AbortSignal): Promise<{ answer: unknown } | ProcessEnd> {
    signal.throwIfAborted()
    this.#stray = undefined
    const { kill, write, ended } = this.#process
    signal.addEventListener('abort', kill, { once: true })
    const answered = new Promise<{ answer: unknown }>((resolve) => {
      this.#waiting = (answer) => resolve({ answer })
    })
    write(line)
    const came = await Promise.race([answered, ended])
    this.#waiting = undefined
    signal.removeEventListener('abort', kill)
    signal.throwIfAborted()
    return came
  }

  async #failure(end: ProcessEnd): Promise<Error> {
    const { id } = this.#command
    if (!end.started) return new InfrastructureError('connection', `${id} ${end.how}`)
    const output = this.#tail.text()
    const lifetimeMs = performance.now() - this.#startedAt
    if (this.#answers === 0 && (await exitsUnasked(this.#command, lifetimeMs)))
      return new InfrastructureError('connection', `${id} ${end.how} before it was asked anything${output}`)
    return new AgentError(`${id} ${end.how} and gave no answer${output}`)
  }
}

function noAnswerMessage(line: string): string {
  return `it printed no answer (a JSON string, object or array); its first line was: ${shorten(line, 100)}`
}

/** If the command survives without input, the input made it exit; otherwise there is no agent to talk to. */
function exitsUnasked(command: Command, lifetimeMs: number): Promise<boolean> {
  command.diesUnasked ??= (async () => {
    const { words, cwd, env } = command
    const ignore = () => {}
    const probe = startProcess({ words, cwd, env, input: true, onOutput: ignore, onError: ignore })
    const dead = await endedWithin(probe.ended, Math.min(maxProbeMs, 500 + 2 * lifetimeMs))
    await probe.stop(0)
    return dead
  })()
  return command.diesUnasked
}

function createRequest(input: Input, view: View, options: Data, context: Context) {
  const { userId, teamId, locale } = context
  const { metadata = {}, ...others } = options
  return {
    input: input.value,
    turn: view.turns.length + 1,
    history: historyMessages(view),
    options: others,
    metadata,
    user_id: userId,
    team_id: teamId,
    locale,
  }
}

/** The same formats as for modules, and `{"error": "…"}` for an agent that reports its own failure. */
function readReply(answer: unknown): Reply {
  const isError = isRecord(answer) && answer.error !== undefined && Object.keys(answer).length === 1
  if (isError) throw new AgentError(messageText(answer.error))
  return toReply(answer)
}
