import { askHelper } from '../../agents/helpers/ask.ts'
import { messageText } from '../../results/transcript/message.ts'
import type { Usage } from '../../results/usage.ts'
import { agentName } from '../../text/agent-name.ts'
import { type OutsideWork, outsideCases } from '../outside-cases.ts'
import type { HelperAgents } from './helper-agents.ts'

/** Agents that make reports. */
export interface ReporterAgents {
  /** Undefined when there is such an agent, and it can be asked. */
  problem(id: string): string | undefined
  ask(id: string, told: { report: unknown; format: string }): Promise<string>
}

/** `-r ID`: an agent is told the report, and what it answers is the report. */
export function createReporterAgents(
  { reporters }: HelperAgents,
  { identity, timeoutMs, verbose, hide, signal, account }: OutsideWork & { verbose: boolean },
): ReporterAgents {
  return {
    problem: (id) => reporters.problem(agentName(id), undefined),
    async ask(id, told) {
      const agent = await reporters.agent(agentName(id))
      // A run that was stopped has a report all the same; one that is stopped now does not wait for it.
      const ending = signal.aborted ? new AbortController().signal : signal
      const spend = (usage: Usage) => account.spend('reporter', usage)
      const outside = { id: `-r ${id}`, identity, agentId: '', timeoutMs, signal: ending, spend }
      const params = { ...told, options: { verbose, include_outputs: true }, test_mode: 'reporter' }
      const { output, content } = await outsideCases(outside, (scope) =>
        askHelper(agent, { role: 'judge', params, options: {} }, scope),
      )
      return hide(typeof output === 'string' ? output : content || messageText(output))
    },
  }
}
