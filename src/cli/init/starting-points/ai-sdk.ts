import { type ExportedAgent, findExportedAgents } from '../exported-agents.ts'
import {
  callsTool,
  type FirstCase,
  followsInstructions,
  introducesItself,
  isReadingTool,
  keepsPromptPrivate,
  quotableSentence,
  remembers,
} from '../first-cases.ts'
import type { Folder } from '../folder.ts'
import type { AgentCandidate, StartingPoint } from '../starting-point.ts'

/** Agents and models of the AI SDK that a module exports. */
export const aiSdkAgents: StartingPoint = {
  look(folder) {
    if (folder.manifest?.dependencies.has('ai') !== true) return []
    const found = folder.files
      .filter((name) => /\.[cm]?[jt]s$/.test(name) && !/\.(?:test|spec|d|config)\.[cm]?[jt]s$/.test(name))
      .flatMap((name) => findExportedAgents(name, folder.read(name)).map((agent) => ({ name, agent })))
    // A model is what an agent is made of: it is tested where there is no agent.
    const agents = found.filter(({ agent }) => agent.kind === 'agent')
    return (agents.length > 0 ? agents : found).map(({ name, agent }) => createCandidate(name, agent, folder))
  },
}

function createCandidate(file: string, agent: ExportedAgent, folder: Folder): AgentCandidate {
  const reference = `./${file}${agent.name === 'default' ? '' : `#${agent.name}`}`
  const what = agent.kind === 'agent' ? 'an AI SDK agent' : 'an AI SDK model'
  const place = agent.name === 'default' ? file : `${agent.name} in ${file}`
  return {
    reference,
    found: `${what}, ${place}`,
    setUp: () => ({
      config: { agent: reference },
      target: place,
      cases: chooseCases(agent),
      variables: readVariables(folder.read(file)),
    }),
  }
}

function chooseCases({ instructions = '', tools }: ExportedAgent): FirstCase[] {
  const tool = tools.find(({ name }) => isReadingTool(name))
  const sentence = quotableSentence(instructions)
  const last =
    tool !== undefined
      ? callsTool(tool.name, tool.description)
      : sentence === undefined
        ? followsInstructions()
        : keepsPromptPrivate(sentence)
  return [introducesItself(instructions), remembers(), last]
}

/** The key of the provider, which is named nowhere, and all that the module reads. */
function readVariables(text: string): string[] {
  const read = [...text.matchAll(/process\.env\.([A-Z][A-Z0-9_]*)/g)].map(([, name = '']) => name)
  const provider = /from\s+['"]@ai-sdk\/([a-z]+)['"]/.exec(text)?.[1]
  const keys: Record<string, string> = {
    openai: 'OPENAI_API_KEY',
    anthropic: 'ANTHROPIC_API_KEY',
    google: 'GOOGLE_GENERATIVE_AI_API_KEY',
    mistral: 'MISTRAL_API_KEY',
    groq: 'GROQ_API_KEY',
    xai: 'XAI_API_KEY',
    deepseek: 'DEEPSEEK_API_KEY',
    cohere: 'COHERE_API_KEY',
    togetherai: 'TOGETHER_AI_API_KEY',
  }
  const key = provider === undefined ? undefined : keys[provider]
  return [...new Set([...(key === undefined ? [] : [key]), ...read])]
}
