import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { agentToShow, urlToShow } from '../models/network/address.ts'
import { a2aAgentSchema } from '../project/a2a-agent-schema.ts'
import { httpAgentSchema } from '../project/http-agent-schema.ts'
import { a2aAgent, requireA2A } from './adapters/a2a.ts'
import { execAgent } from './adapters/exec.ts'
import { httpAgent, surroundingsIn } from './adapters/http.ts'
import { moduleAgent } from './adapters/module.ts'
import { openAIAgent } from './adapters/openai.ts'
import type { AgentSources, Resolved } from './resolved.ts'

const modulePath = /^(?:\.{0,2}\/|[A-Za-z]:[\\/]|[\w@.-]+\/)?.*\.[cm]?[jt]s(?:#|$)/

type Found = Pick<Resolved, 'agent' | 'secrets' | 'price'>

/** References to agents outside of the app. They bring their own model, if they have one. */
const references: {
  is: RegExp
  find(reference: string, base: string, sources: AgentSources): Promise<Found> | Found
}[] = [
  {
    is: /^openai:/,
    find: (reference, _, { network, project }) =>
      openAIAgent(reference, { network, env: project.env, prices: project.config.prices }),
  },
  { is: /^https?:/, find: (reference, _, sources) => fromUrl(reference, sources) },
  {
    is: /^exec:/,
    find: (reference, base, { project }) => ({ agent: execAgent(reference, base, project.env), secrets: [] }),
  },
  { is: /^a2a:/, find: (reference, _, sources) => fromA2A(reference, sources) },
  { is: modulePath, find: fromModule },
]

export async function withoutConnector(
  reference: string,
  base: string,
  sources: AgentSources,
): Promise<Found | undefined> {
  return references.find(({ is }) => is.test(reference))?.find(reference, base, sources)
}

function fromUrl(reference: string, sources: AgentSources): Found {
  const parsed = httpAgentSchema.safeParse({ url: reference })
  if (parsed.success) return httpAgent(urlToShow(new URL(reference)), parsed.data, surroundingsIn(sources))
  throw new ConfigError({
    code: 'bad_agent',
    message: `${agentToShow(reference)}: not a URL`,
    hint: 'write http://host:port/path',
  })
}

async function fromA2A(reference: string, sources: AgentSources): Promise<Found> {
  await requireA2A()
  const parsed = a2aAgentSchema.safeParse({ a2a: reference.slice('a2a:'.length) })
  if (parsed.success)
    return a2aAgent(`a2a:${urlToShow(new URL(parsed.data.a2a))}`, parsed.data, surroundingsIn(sources))
  throw new ConfigError({
    code: 'bad_agent',
    message: `${agentToShow(reference)}: not a URL`,
    hint: 'write a2a:https://host/path',
  })
}

async function fromModule(
  reference: string,
  base: string,
  { scripts, project, loading }: AgentSources,
): Promise<Found> {
  const { file, exportName } = moduleFile(reference, base)
  return { agent: await moduleAgent(file, exportName, { scripts, project, loading }), secrets: [] }
}

function moduleFile(reference: string, ...folders: string[]): { file: string; exportName: string } {
  const [path = '', exportName = 'default'] = reference.split('#')
  const files = [...new Set(folders.map((folder) => resolve(folder, path)))]
  const file = files.find((each) => existsSync(each))
  if (file !== undefined) return { file, exportName }
  throw new ConfigError({
    code: 'unknown_agent',
    message: `agent ${reference}: no such file ${files.join(' or ')}`,
  })
}

/** Rewrites a reference relative to `base`. A module is looked for in each folder in turn; throws if it is in none. */
export function locateModule(reference: string, folders: string[], base: string): string {
  if (references.find(({ is }) => is.test(reference))?.is !== modulePath) return reference
  const { file, exportName } = moduleFile(reference, ...folders)
  return `./${relative(base, file)}#${exportName}`
}

/** Whether a reference names an agent outside of the app. Loads no code, and throws for a file that does not exist. */
export function isForeign(reference: string, base: string): boolean {
  const found = references.find(({ is }) => is.test(reference))
  if (found?.is === modulePath) moduleFile(reference, base)
  return found !== undefined
}
