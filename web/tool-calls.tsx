import { oneLine } from '../src/reporters/printable.ts'
import type { ToolCallLine } from '../src/results/line-schema.ts'
import { Fold } from './fold.tsx'
import { LongText } from './long-text.tsx'
import { Value } from './value.tsx'

export function ToolCalls({ calls }: { calls: readonly ToolCallLine[] }) {
  return (
    <>
      {calls.map((call, index) => (
        <ToolCall key={index} call={call} />
      ))}
    </>
  )
}

function ToolCall({ call: { name, args, result, error, stubbed } }: { call: ToolCallLine }) {
  const title = (
    <>
      <code class="tool-name">{oneLine(name, 80)}</code>
      <code class="tool-args">{oneLine(JSON.stringify(args) ?? '', 120)}</code>
      {stubbed ? <span class="chip">stubbed</span> : null}
      {error === undefined ? null : <span class="chip error">failed</span>}
    </>
  )
  return (
    <Fold
      title={title}
      class={error === undefined ? 'tool-call' : 'tool-call error'}
      open={error !== undefined}
    >
      {() => (
        <dl class="call">
          <dt>Arguments</dt>
          <dd>
            <Value value={args} />
          </dd>
          {error === undefined ? null : (
            <>
              <dt>Error</dt>
              <dd class="turn-error">
                <LongText text={error} />
              </dd>
            </>
          )}
          {error !== undefined && result === undefined ? null : (
            <>
              <dt>Result</dt>
              <dd>
                <Value value={result} />
              </dd>
            </>
          )}
        </dl>
      )}
    </Fold>
  )
}
