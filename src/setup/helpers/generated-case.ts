import { deepestCase, isRecord } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import { agentName } from '../../text/agent-name.ts'

/** Fields with which a case makes code of the project run, sends files, or says that its failures do not count. */
const refused = ['before', 'after', 'expected_failure', 'attachments']

/**
 * What an agent may not write into a case: a text of a model must start no script and no command. `agentProblem` says
 * what is wrong with the name of an agent.
 */
export function trustProblems(value: Data, agentProblem: (name: string) => string | undefined): string[] {
  const own = refused
    .filter((key) => value[key] !== undefined)
    .map((key) => `a generated case may have no "${key}"`)
  const files = /"file:/i.test(JSON.stringify(value)) ? ['a generated case may send no file'] : []
  return [...own, ...files, ...usesIn(value, 0).flatMap((use) => useProblem(use, agentProblem) ?? [])]
}

/** Every script and agent that is named, wherever it stands. */
function usesIn(value: unknown, depth: number): string[] {
  if (depth > deepestCase) return []
  if (Array.isArray(value)) return value.flatMap((each) => usesIn(each, depth + 1))
  if (!isRecord(value)) return []
  const named = value.type === 'script' ? [`scripts:${String(value.script ?? value.use)}`] : []
  // It calls a tool for real, with the arguments of a model.
  if (value.type === 'state') named.push('scripts:state')
  const use = typeof value.use === 'string' ? [value.use] : []
  return [...named, ...use, ...Object.values(value).flatMap((each) => usesIn(each, depth + 1))]
}

function useProblem(use: string, agentProblem: (name: string) => string | undefined): string | undefined {
  if (use.startsWith('scripts')) return `a generated case may name no script (${use})`
  const name = agentName(use)
  return name.startsWith('viva.') ? undefined : agentProblem(name)
}
