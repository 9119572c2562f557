import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { isOpenAIReference } from '../../models/openai-reference.ts'
import { urlCredentials } from '../../text/url-credentials.ts'
import { followsInstructions, introducesItself, remembers, survivesOddInput } from './first-cases.ts'
import type { Folder } from './folder.ts'
import { startingPoints } from './list.ts'
import type { Respondent } from './questions.ts'
import type { AgentCandidate, StartingPoint } from './starting-point.ts'

export interface ChosenAgent {
  agent: AgentCandidate
  /** What was found besides. */
  others: readonly AgentCandidate[]
  /** Whether a person has chosen it from a list, which says what it starts. */
  isPicked: boolean
}

/** The agent to test: the one that is named, the only one, or the one that somebody chooses. */
export async function chooseAgent(
  named: string | undefined,
  folder: Folder,
  respondent: Respondent,
): Promise<ChosenAgent> {
  if (named !== undefined) {
    const agent = findNamed(named, folder) ?? namedAgent(named, folder)
    return { agent: refuseProblem(agent), others: [], isPicked: false }
  }
  const groups = findAll(folder)
  const all = groups.flat()
  const [first] = all
  if (first === undefined)
    throw new ConfigError({ code: 'no_agent', message: 'there is no agent here', hint: 'name one with -n' })
  const [surest = []] = groups
  const agent = respondent.isPerson ? await ask(all, respondent) : refuseSeveral(surest, first)
  const others = all.filter((each) => each !== agent && each.problem === undefined)
  return { agent: refuseProblem(agent), others, isPicked: respondent.isPerson && all.length > 1 }
}

/** What is wrong with an agent matters only if it is the one to test. */
function refuseProblem(agent: AgentCandidate): AgentCandidate {
  if (agent.problem !== undefined) throw agent.problem
  return agent
}

/** By starting point. */
function findAll(folder: Folder): AgentCandidate[][] {
  const groups: AgentCandidate[][] = []
  const seen = new Set<string>()
  for (const point of startingPoints) {
    if (point.isPlaceholder && groups.length > 0) break
    const found = lookSafely(point, folder).filter(({ reference }) => !seen.has(reference))
    for (const { reference } of found) seen.add(reference)
    if (found.length > 0) groups.push(found)
  }
  return groups
}

/** Looks no further than the agent that is meant. */
function findNamed(named: string, folder: Folder): AgentCandidate | undefined {
  let hasAgents = false
  for (const point of startingPoints) {
    if (point.isPlaceholder && hasAgents) break
    const all = lookSafely(point, folder)
    const found = all.find(({ reference }) => reference === named)
    if (found !== undefined) return found
    hasAgents ||= all.length > 0
  }
  return undefined
}

/** A mistake in the files of an agent is an agent with a problem. */
function lookSafely(point: StartingPoint, folder: Folder): AgentCandidate[] {
  try {
    return point.look(folder)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [{ file = 'environment', message } = { message: error.message }] = error.problems
    const setUp = () => Promise.reject(error)
    return [{ reference: file, found: `cannot be used: ${message}`, problem: error, setUp }]
  }
}

async function ask(all: readonly AgentCandidate[], respondent: Respondent): Promise<AgentCandidate> {
  const [first] = all
  if (first !== undefined && all.length === 1) return first
  const list = all
    .map(({ reference, found, starts }, index) => {
      const note = starts === undefined ? '' : ` (will ${starts})`
      return `\n  ${index + 1}  ${reference}: ${found}${note}`
    })
    .join('')
  const choose = (answer: string) =>
    all.find(({ reference }, index) => answer === reference || answer === String(index + 1))
  const answer = await respondent.answer({
    text: `Which agent?${list}\n  Number:`,
    standard: '1',
    hint: 'name one with -n',
    problem: (typed) => (choose(typed) === undefined ? `write a number from 1 to ${all.length}` : undefined),
  })
  const chosen = choose(answer)
  if (chosen === undefined) throw new Error(`the answer ${answer} was accepted, but names no agent`)
  return chosen
}

/** Which of several agents is meant is not for a default to decide. */
function refuseSeveral(found: readonly AgentCandidate[], first: AgentCandidate): AgentCandidate {
  if (found.length < 2) return first
  throw new ConfigError({
    code: 'several_agents',
    message: `there are ${found.length} agents here: ${found.map(({ reference }) => reference).join(', ')}`,
    hint: `name one: viva init --yes -n ${first.reference}`,
  })
}

/** An agent that nobody has to find. */
function namedAgent(reference: string, folder: Folder): AgentCandidate {
  const fault = (message: string, hint: string) =>
    new ConfigError({ code: 'unknown_agent', message: `-n ${reference}: ${message}`, hint })
  const [path = ''] = reference.split('#')
  const isModule = /\.[cm]?[jt]s$/.test(path)
  if (isModule && !existsSync(resolve(folder.path, path)))
    throw fault('no such file', 'paths are relative to this folder')
  if (!isModule && !isOpenAIReference(reference) && !/^(?:https?:\/\/|exec:|a2a:)/.test(reference)) {
    const names = findAll(folder)
      .flat()
      .map((each) => each.reference)
      .join(', ')
    throw fault(
      'no such agent',
      `there is ${names}; or write ./module.ts, openai:URL#model, http://…, a2a:URL or exec:CMD`,
    )
  }
  if (urlCredentials(reference.replace(/^[\w-]+:(?=https?:)/, '')) !== undefined)
    throw new ConfigError({
      code: 'bad_agent',
      message: '-n: the address has a password, which would be written into the config',
    })
  const isModel = isOpenAIReference(reference)
  return {
    reference,
    found: `the agent that was named, ${reference}`,
    setUp: () => ({
      config: { agent: reference },
      target: reference,
      cases: [introducesItself(), remembers(), isModel ? followsInstructions() : survivesOddInput()],
      variables: isModel && folder.env.OPENAI_API_KEY !== undefined ? ['OPENAI_API_KEY'] : [],
    }),
  }
}
