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
  }: { identity: Identity; timeoutMs: number; verbose: boolean; hide(text: string): string },
): ReporterAgents {
  return {
    problem: (id) => reporters.problem(nameOf(id), undefined),
    async ask(id, told) {
      const agent = await reporters.agent(nameOf(id))
      // The run may have been stopped: its report is made all the same.
      const { signal } = new AbortController()
      const outside = { id: `-r ${id}`, identity, agentId: '', timeoutMs, signal }
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
