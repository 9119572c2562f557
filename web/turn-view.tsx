import { oneLine, printable } from '../src/reporters/printable.ts'
import { formatDollars } from '../src/text/dollars.ts'
import { shortTime } from '../src/text/duration.ts'
import { Bar } from './charts/bar.tsx'
import { shortCount } from './charts/cost.tsx'
import { Check, NotEvaluated } from './check.tsx'
import { Fold } from './fold.tsx'
import { JsonView } from './json-view.tsx'
import { LongText } from './long-text.tsx'
import { MessageContent } from './message-content.tsx'
import type { ShownTurn } from './result-turns.ts'
import { ToolCalls } from './tool-calls.tsx'
import { Text, Value } from './value.tsx'

export function TurnView({ turn, slowest }: { turn: ShownTurn; slowest: number }) {
  if (turn.skip_reason !== undefined) return <SkippedTurn turn={turn.turn} reason={turn.skip_reason} />
  const { assertions = [], assertions_not_evaluated: missed = [], description } = turn
  return (
    <li class={turn.failed ? 'turn failed' : 'turn'} id={`turn-${turn.turn}`} tabIndex={-1}>
      <div class="turn-head">
        <h4>Turn {turn.turn}</h4>
        {description === undefined ? null : <span class="description">{oneLine(description, 200)}</span>}
        <TurnFigures turn={turn} slowest={slowest} />
      </div>
      <UserSide turn={turn} />
      <AgentSide turn={turn} />
      {turn.last_user_tool_calls === undefined ? null : (
        <div class="bubble user">
          <p class="speaker">user, simulated, without another message</p>
          <ToolCalls calls={turn.last_user_tool_calls} />
        </div>
      )}
      {assertions.length + missed.length > 0 ? (
        <ul class="checks">
          {assertions.map((check, index) => (
            <Check key={index} check={check} />
          ))}
          <NotEvaluated types={missed} />
        </ul>
      ) : null}
    </li>
  )
}

function SkippedTurn({ turn, reason }: { turn: number; reason: string }) {
  return (
    <li class="turn" id={`turn-${turn}`} tabIndex={-1}>
      <div class="turn-head">
        <h4>Turn {turn}</h4>
        <span>skipped: {oneLine(reason, 500)}</span>
      </div>
    </li>
  )
}

function TurnFigures({ turn: { ms, tokens, connector }, slowest }: { turn: ShownTurn; slowest: number }) {
  const counted = tokens && (tokens.input_tokens !== undefined || tokens.output_tokens !== undefined)
  return (
    <span class="turn-figures">
      {connector === undefined ? null : <span>answered by {oneLine(connector)}</span>}
      {counted ? (
        <span>
          {shortCount(tokens.input_tokens ?? 0)} → {shortCount(tokens.output_tokens ?? 0)} tokens
        </span>
      ) : null}
      {tokens?.cost === undefined ? null : <span>{formatDollars(tokens.cost)}</span>}
      {ms === undefined ? null : (
        <span class="turn-time">
          <Bar parts={[{ name: 'plain', count: ms }]} whole={slowest} /> {shortTime(ms)}
        </span>
      )}
    </span>
  )
}

const sources = {
  initial: 'user',
  static: 'user, as written',
  simulated: 'user, simulated',
  human: 'user, a person',
}

function UserSide({ turn: { input, message, input_source, simulator } }: { turn: ShownTurn }) {
  const isPlain = typeof input === 'string' || message === undefined
  return (
    <div class="bubble user">
      <p class="speaker">
        {input_source === undefined ? 'user' : (sources[input_source] ?? oneLine(input_source))}
        {simulator ? ` by ${oneLine(simulator.by)}` : ''}
      </p>
      {isPlain ? <Value value={input} /> : <MessageContent content={message?.content} />}
      {simulator?.tool_calls === 'hidden' ? (
        <p class="small-print">This user does not show its tool calls.</p>
      ) : (
        <ToolCalls calls={simulator?.tool_calls ?? []} />
      )}
      {isPlain ? null : <Fold title="As written">{() => <JsonView value={input} />}</Fold>}
      {simulator?.reasoning === undefined ? null : (
        <Fold title="Reasoning">{() => <Text text={simulator.reasoning ?? ''} />}</Fold>
      )}
      {simulator?.rejected === undefined ? null : (
        <p class="small-print">
          The simulator’s first answer could not be used: {printable(simulator.rejected)}
        </p>
      )}
    </div>
  )
}

function AgentSide({ turn }: { turn: ShownTurn }) {
  const { response, output, tool_calls: calls, messages = [], error } = turn
  const hasData = output !== undefined && typeof output !== 'string'
  // The text of a data reply only repeats the data.
  const saysText =
    response !== undefined && !(hasData && (response === '' || response === JSON.stringify(output)))
  return (
    <div class="bubble agent">
      <p class="speaker">agent</p>
      {calls === 'hidden' ? (
        <p class="small-print">This agent does not show its tool calls.</p>
      ) : (
        <ToolCalls calls={calls ?? []} />
      )}
      {saysText ? <Text text={response} /> : null}
      {hasData ? (
        <div class="output">
          <p class="speaker">output</p>
          <JsonView value={output} />
        </div>
      ) : null}
      {typeof output === 'string' && output !== response ? (
        <Fold title="Checked output">{() => <Text text={output} />}</Fold>
      ) : null}
      {error === undefined ? null : (
        <p class="turn-error">
          <LongText text={error} />
        </p>
      )}
      {response === undefined && output === undefined && error === undefined ? (
        <span class="not-recorded">{turn.awaiting_reason === 'no_reply' ? 'no reply' : 'not recorded'}</span>
      ) : null}
      {messages.length > 1 ? (
        <Fold title={`All ${messages.length} messages of this reply`}>
          {() => <JsonView value={messages} />}
        </Fold>
      ) : null}
      <SmallPrint turn={turn} />
    </div>
  )
}

const awaitingReasons: Partial<Record<string, string>> = {
  agent_declared: ', as the agent declares',
  tool_requires_confirmation: ': a tool asks for confirmation',
  finish_reason: ', because of the finish reason',
  content_is_question: ': the reply is a question',
  content_is_request: ': the reply asks for something',
  request_refused: ': the agent refused',
  completed: '',
}

function SmallPrint({ turn }: { turn: ShownTurn }) {
  const { awaiting_reason = '', awaiting_match: match, finish_reason: finish, input_hint: hint } = turn
  const why = awaitingReasons[awaiting_reason]
  const parts = [
    why !== undefined &&
      `${turn.awaiting_input ? 'waits for input' : 'does not wait'}${why}${match ? ` (“${oneLine(match, 80)}”)` : ''}`,
    finish && `finish reason ${oneLine(finish)}`,
    hint && `hint: ${oneLine(hint)}`,
  ].filter(Boolean)
  return parts.length === 0 ? null : <p class="small-print">{parts.join(' · ')}</p>
}
