import { generateCases, readGeneratedCases, sameCase } from '../../agents/helpers/generator.ts'
import { nearlySame, vivaGenerator } from '../../agents/helpers/viva-generator.ts'
import type { ResolvedAgent } from '../../agents/resolved.ts'
import type { Generate } from '../../cases/sources/open.ts'
import { readCaseList } from '../../cases/sources/returned-cases.ts'
import type { AgentLookup } from '../../cases/speakers.ts'
import { AgentError, ConfigError, InfrastructureError } from '../../errors.ts'
import { usageText } from '../../reporters/usage-text.ts'
import { type Data, messageText } from '../../results/transcript/message.ts'
import type { Usage } from '../../results/usage.ts'
import { agentName } from '../../text/agent-name.ts'
import { type Account, type Outside, type OutsideWork, outsideCases } from '../outside-cases.ts'
import type { ScriptCalls } from './case-scripts.ts'
import { trustProblems } from './generated-case.ts'

export interface Generating extends Omit<OutsideWork, 'account'> {
  /** Whom the cases are for. */
  target: ResolvedAgent | undefined
  /** `--simulator`: of generated cases that have none. */
  simulator?: string
  /** What is wrong with an agent that a generated case names. */
  agentProblem(name: string): string | undefined
  /** All that were given, for whoever wants to keep them. */
  keep?(cases: readonly unknown[]): void
  /** A list asks nobody, so that nothing is spent. */
  account?: Account
  /** Tells the user what became of the cases. */
  note(line: string): void
}

/** What a generator is told when the user says nothing else. */
const defaults = { count: 10, focus: 'happy-path', complexity: 'medium' }

/** `-i scripts:tests.generate?count=5` and `-i agents:workers.test.generator?count=5`. */
export function createGenerate(
  scripts: ScriptCalls,
  generators: Pick<AgentLookup, 'problem' | 'agent'>,
  generating: Generating,
): Generate {
  return async (reference, params, problemsOf) => {
    const told = {
      ...defaults,
      ...params,
      test_mode: 'generator',
      target_agent: generating.target?.agent.id ?? '',
    }
    const given = reference.startsWith('scripts:')
      ? await fromScript(reference, told, scripts, generating)
      : await fromAgent(agentName(reference), told, generators, problemsOf, generating)
    generating.keep?.(readCaseList(given) ?? [])
    return given
  }
}

/** A function `(params, ctx)`. What it gives is the user's own, and must be right as it is. */
async function fromScript(
  reference: string,
  params: Data,
  { scriptProblem, callScript }: ScriptCalls,
  generating: Generating,
): Promise<unknown> {
  const problem = scriptProblem(reference)
  if (problem !== undefined) throw new Error(problem)
  const given = await outsideCases(describeOutside(reference, generating), async (scope) => {
    const about = await generating.target?.about?.(scope.signal)
    return callScript(reference, (ctx) => [{ ...params, ...about }, ctx], scope.child('generator'))
  })
  const reading =
    readCaseList(given) === undefined ? readGeneratedCases({ output: given, content: '' }) : { value: given }
  return 'value' in reading ? reading.value : given
}

async function fromAgent(
  use: string,
  params: Data,
  generators: Pick<AgentLookup, 'problem' | 'agent'>,
  problemsOf: (value: Data) => string[],
  generating: Generating,
): Promise<Data[]> {
  const wrong = generators.problem(use, undefined)
  if (wrong !== undefined)
    throw new ConfigError({ code: 'bad_generator', message: `agents:${use}: ${wrong}` })
  const count = readCount(params.count, use)
  const agent = await generators.agent(use)
  const { simulator, note } = generating
  const withSimulator = (value: Data) =>
    simulator === undefined || value.simulator !== undefined
      ? value
      : { ...value, simulator: { use: simulator, goal: defaultGoal(value) } }
  let cost = ''
  const outside = describeOutside(`agents:${use}`, generating, (usage) => {
    cost = ` (${usageText(usage)})`
  })
  const { cases, leftOut } = await outsideCases(outside, async (scope) => {
    const about = await generating.target?.about?.(scope.signal)
    const request = {
      params: { ...params, ...about, count },
      problemsOf: (value: Data) => [
        ...trustProblems(value, generating.agentProblem),
        ...problemsOf(withSimulator(value)),
      ],
      alike: use === vivaGenerator ? nearlySame : sameCase,
    }
    return generateCases(agent, request, scope.child('generator'))
  }).catch((error: unknown) => {
    // It is not the agent under test that failed.
    if (error instanceof InfrastructureError)
      throw new InfrastructureError(error.kind, generating.hide(error.message))
    if (!(error instanceof AgentError)) throw error
    throw new InfrastructureError('bad_response', generating.hide(`agents:${use}: ${error.message}`))
  })
  note(`${cases.length < count ? '⚠' : 'ℹ'} agents:${use} gave ${cases.length} of ${count} cases${cost}`)
  for (const { id, why } of leftOut.slice(0, mostTold)) note(`⚠ agents:${use}: ${id} is left out: ${why}`)
  if (leftOut.length > mostTold) note(`⚠ agents:${use}: and ${leftOut.length - mostTold} others`)
  if (cases.length > 0) return cases.map(withSimulator)
  throw new ConfigError({ code: 'no_cases', message: `agents:${use} gave no case that can be played` })
}

/** They are compared with one another, and a model has written none of them with care. */
const mostCases = 1000

/** Of what is left out. */
const mostTold = 20

/** What the user of a generated case wants, where it does not say. */
function defaultGoal({ name, input }: Data): string {
  return messageText(name) || messageText(input) || 'what the case is about'
}

function readCount(count: unknown, use: string): number {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= mostCases) return count
  const message = `agents:${use}: count must be a whole number from 1 to ${mostCases}, got ${String(count)}`
  throw new ConfigError({ code: 'bad_generator', message })
}

function describeOutside(
  id: string,
  generating: Generating,
  onSpent: (usage: Usage) => void = () => {},
): Outside {
  const { identity, target, timeoutMs, signal, note, account, tapes } = generating
  const spend = (usage: Usage) => {
    account?.spend('generator', usage)
    onSpent(usage)
  }
  return { id, identity, agentId: target?.agent.id ?? '', timeoutMs, signal, print: note, tapes, spend }
}
