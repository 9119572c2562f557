import { oneLine } from '../src/reporters/printable.ts'
import type { MessageLine } from '../src/results/line-schema.ts'
import { Fold } from './fold.tsx'
import { MessageContent } from './message-content.tsx'
import type { PageResult } from './report-data.ts'
import { listTurns } from './result-turns.ts'
import { ToolCalls } from './tool-calls.tsx'
import { TurnView } from './turn-view.tsx'

/** A longer history is folded. */
const shortHistory = 4
const turnsAtOnce = 100

export function Conversation({ result }: { result: PageResult }) {
  const turns = listTurns(result)
  const { history = [] } = result
  const slowest = Math.max(0, ...turns.map(({ ms }) => ms ?? 0))
  if (turns.length === 0 && history.length === 0) return <p class="no-turns">There was no conversation.</p>
  return (
    <section>
      <h3>Conversation</h3>
      {history.length > 0 ? (
        <Fold
          title={`Before the first turn: ${history.length} ${history.length === 1 ? 'message' : 'messages'} of history`}
          class="history"
          open={history.length <= shortHistory}
        >
          {() => history.map((message, index) => <PastMessage key={index} message={message} />)}
        </Fold>
      ) : null}
      <ol class="turns">
        {turns.slice(0, turnsAtOnce).map((turn) => (
          <TurnView key={turn.turn} turn={turn} slowest={slowest} />
        ))}
      </ol>
      {turns.length > turnsAtOnce ? (
        <Fold title={`${turns.length - turnsAtOnce} more turns`}>
          {() => (
            <ol class="turns">
              {turns.slice(turnsAtOnce).map((turn) => (
                <TurnView key={turn.turn} turn={turn} slowest={slowest} />
              ))}
            </ol>
          )}
        </Fold>
      ) : null}
    </section>
  )
}

function PastMessage({ message: { role, name, content, tool_calls = [] } }: { message: MessageLine }) {
  return (
    <div class={`bubble past ${role === 'user' ? 'user' : 'agent'}`}>
      <p class="speaker">
        {oneLine(role)} {name === undefined ? '' : oneLine(name)}
      </p>
      <ToolCalls calls={tool_calls} />
      <MessageContent content={content} />
    </div>
  )
}
