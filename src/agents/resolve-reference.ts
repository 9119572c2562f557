import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { redactAgentName, redactUrl } from '../models/network/address.ts'
import { a2aAgentSchema } from '../project/a2a-agent-schema.ts'
import { httpAgentSchema } from '../project/http-agent-schema.ts'
import { agentPrices } from './agent-prices.ts'
import type { AgentOrigin, AgentSources, ResolvedAgent } from './resolved.ts'

const modulePath = /^(?:\.{0,2}\/|[A-Za-z]:[\\/]|[\w@.-]+\/)?.*\.[cm]?[jt]s(?:#|$)/

type ResolvedReference = Pick<ResolvedAgent, 'agent' | 'secrets' | 'price' | 'origin'>

interface ReferenceSources extends AgentSources {
  /** The name that the config has for the reference. */
  configured?: string | undefined
}

/** References to agents outside of the app. They bring their own model, if they have one. Only their adapter is loaded. */
const references: {
  kind: Exclude<AgentOrigin['kind'], 'package'>
  is: RegExp
  find(reference: string, base: string, sources: ReferenceSources): Promise<ResolvedReference>
}[] = [
  {
    kind: 'model',
    is: /^openai(?:-responses)?:/,
    async find(reference, _, { network, project }) {
      const { openAIAgent } = await import('./adapters/openai.ts')
      const made = openAIAgent(reference, { network, env: project.env, prices: project.config.prices })
      return { ...made, origin: { kind: 'model', reference } }
    },
  },
  { kind: 'http', is: /^https?:/, find: (reference, _, sources) => resolveUrl(reference, sources) },
  {
    kind: 'exec',
    is: /^exec:/,
    async find(reference, base, { project, configured }) {
      const { execAgent } = await import('./adapters/exec.ts')
      const prices = agentPrices(project, configured, reference)
      const agent = execAgent(reference, base, { env: project.env, prices })
      return { agent, secrets: [], origin: { kind: 'exec', reference } }
    },
  },
  { kind: 'a2a', is: /^a2a:/, find: (reference, _, sources) => resolveA2A(reference, sources) },
  { kind: 'module', is: modulePath, find: resolveModule },
]

export async function resolveReference(
  reference: string,
  base: string,
  sources: ReferenceSources,
): Promise<ResolvedReference | undefined> {
  return references.find(({ is }) => is.test(reference))?.find(reference, base, sources)
}

async function resolveUrl(reference: string, sources: ReferenceSources): Promise<ResolvedReference> {
  const { agentSurroundings, httpAgent } = await import('./adapters/http.ts')
  const parsed = httpAgentSchema.safeParse({ url: reference })
  const origin: AgentOrigin = { kind: 'http', reference }
  if (parsed.success)
    return { ...httpAgent(redactUrl(new URL(reference)), parsed.data, agentSurroundings(sources)), origin }
  throw notUrlError(reference, 'write http://host:port/path')
}

async function resolveA2A(reference: string, sources: AgentSources): Promise<ResolvedReference> {
  const { agentSurroundings } = await import('./adapters/http.ts')
  const { a2aAgent, requireA2A } = await import('./adapters/a2a.ts')
  await requireA2A()
  const parsed = a2aAgentSchema.safeParse({ a2a: reference.slice('a2a:'.length) })
  if (parsed.success) {
    const id = `a2a:${redactUrl(new URL(parsed.data.a2a))}`
    return { ...a2aAgent(id, parsed.data, agentSurroundings(sources)), origin: { kind: 'a2a', reference } }
  }
  throw notUrlError(reference, 'write a2a:https://host/path')
}

/** What an agent outside of the app is made of. Nothing is loaded. Throws for a file that does not exist. */
export function originOfReference(reference: string, base: string): AgentOrigin | undefined {
  const kind = references.find(({ is }) => is.test(reference))?.kind
  if (kind !== 'module') return kind && { kind, reference }
  return { kind, ...findModuleFile(reference, base) }
}

function notUrlError(reference: string, hint: string): ConfigError {
  return new ConfigError({ code: 'bad_agent', message: `${redactAgentName(reference)}: not a URL`, hint })
}

async function resolveModule(
  reference: string,
  base: string,
  { scripts, project, loading, stubAll, configured }: ReferenceSources,
): Promise<ResolvedReference> {
  const { file, exportName } = findModuleFile(reference, base)
  const { moduleAgent } = await import('./adapters/module.ts')
  const agent = await moduleAgent(file, exportName, { scripts, project, loading, stubAll, configured })
  return { agent, secrets: [], origin: { kind: 'module', file, exportName } }
}

function findModuleFile(reference: string, ...folders: string[]): { file: string; exportName: string } {
  const [path = '', exportName = 'default'] = reference.split('#')
  const files = [...new Set(folders.map((folder) => resolve(folder, path)))]
  const file = files.find((each) => existsSync(each))
  if (file !== undefined) return { file, exportName }
  const message = `agent ${reference}: no such file ${files.join(' or ')}`
  throw new ConfigError({ code: 'unknown_agent', message })
}

/** Rewrites a reference relative to `base`. A module is looked for in each folder in turn; throws if it is in none. */
export function locateModule(reference: string, folders: string[], base: string): string {
  if (references.find(({ is }) => is.test(reference))?.is !== modulePath) return reference
  const { file, exportName } = findModuleFile(reference, ...folders)
  return `./${relative(base, file)}#${exportName}`
}

/** Whether a reference names an agent outside of the app. Loads no code, and throws for a file that does not exist. */
export function isExternalReference(reference: string, base: string): boolean {
  const found = references.find(({ is }) => is.test(reference))
  if (found?.is === modulePath) findModuleFile(reference, base)
  return found !== undefined
}
