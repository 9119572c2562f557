import { askHelper } from '../helper-agents/ask.ts'
import type { Identity } from '../schedule/identity.ts'
import { textOf } from '../transcript/message.ts'
import type { ReporterAgents } from './outputs.ts'
import { outsideCases } from './script-outside-cases.ts'
import type { RunSimulators } from './simulators.ts'

/** `-r ID`: an agent is told the report, and what it answers is the report. */
export function createReporterAgents(
  { reporters }: RunSimulators,
  {
    identity,
    timeoutMs,
    verbose,
    hide,
    signal,
  }: {
    identity: Identity
    timeoutMs: number
    verbose: boolean
    hide(text: string): string
    signal: AbortSignal
  },
): ReporterAgents {
  return {
    problem: (id) => reporters.problem(nameOf(id), undefined),
    async ask(id, told) {
      const agent = await reporters.agent(nameOf(id))
      // A run that was stopped has a report all the same; one that is stopped now does not wait for it.
      const ending = signal.aborted ? new AbortController().signal : signal
      const outside = { id: `-r ${id}`, identity, agentId: '', timeoutMs, signal: ending }
      const params = { ...told, options: { verbose, include_outputs: true }, test_mode: 'reporter' }
      const { output, content } = await outsideCases(outside, (scope) =>
        askHelper(agent, { role: 'judge', params, options: {} }, scope),
      )
      return hide(typeof output === 'string' ? output : content || textOf(output))
    },
  }
}

function nameOf(id: string): string {
  return id.replace(/^agents:/, '')
}
