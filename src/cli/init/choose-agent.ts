import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { urlCredentials } from '../../text/url-credentials.ts'
import { followsInstructions, introducesItself, remembers, survivesOddInput } from './first-cases.ts'
import type { Folder } from './folder.ts'
import { startingPoints } from './list.ts'
import type { Respondent } from './questions.ts'
import type { AgentCandidate } from './starting-point.ts'

export interface ChosenAgent {
  agent: AgentCandidate
  /** What was found besides. */
  others: readonly AgentCandidate[]
}

/** The agent to test: the one that is named, the only one, or the one that somebody chooses. */
export async function chooseAgent(
  named: string | undefined,
  folder: Folder,
  respondent: Respondent,
): Promise<ChosenAgent> {
  const groups = findAll(folder)
  const all = groups.flat()
  const [first] = all
  if (named !== undefined) {
    const known = all.find(({ reference }) => reference === named)
    return { agent: known ?? namedAgent(named, folder, all), others: [] }
  }
  if (first === undefined)
    throw new ConfigError({ code: 'no_agent', message: 'there is no agent here', hint: 'name one with -n' })
  const [surest = []] = groups
  const agent = respondent.isPerson ? await ask(all, respondent) : refuseSeveral(surest, first)
  return { agent, others: all.filter((each) => each !== agent) }
}

/** By starting point. A placeholder is for folders that have nothing else. */
function findAll(folder: Folder): AgentCandidate[][] {
  const groups: AgentCandidate[][] = []
  const seen = new Set<string>()
  for (const [index, point] of startingPoints.entries()) {
    if (index === startingPoints.length - 1 && groups.length > 0) break
    const found = point.look(folder).filter(({ reference }) => !seen.has(reference))
    for (const { reference } of found) seen.add(reference)
    if (found.length > 0) groups.push(found)
  }
  return groups
}

async function ask(all: readonly AgentCandidate[], respondent: Respondent): Promise<AgentCandidate> {
  const [first] = all
  if (first !== undefined && all.length === 1) return first
  const list = all.map(({ reference, found }, index) => `\n  ${index + 1}  ${reference}: ${found}`).join('')
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
function namedAgent(reference: string, folder: Folder, known: readonly AgentCandidate[]): AgentCandidate {
  const fault = (message: string, hint: string) =>
    new ConfigError({ code: 'unknown_agent', message: `-n ${reference}: ${message}`, hint })
  const [path = ''] = reference.split('#')
  const isModule = /\.[cm]?[jt]s$/.test(path)
  if (isModule && !existsSync(resolve(folder.path, path)))
    throw fault('no such file', 'paths are relative to this folder')
  if (!isModule && !/^(?:openai:|https?:\/\/|exec:|a2a:)/.test(reference)) {
    const names = known.map((each) => each.reference).join(', ')
    throw fault(
      'no such agent',
      `there is ${names}; or write ./module.ts, openai:URL#model, http://…, a2a:URL or exec:CMD`,
    )
  }
  if (urlCredentials(reference.replace(/^\w+:(?=https?:)/, '')) !== undefined)
    throw new ConfigError({
      code: 'bad_agent',
      message: '-n: the address has a password, which would be written into the config',
    })
  const isModel = reference.startsWith('openai:')
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
