import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import type { Scope } from '../../scope/scope.ts'
import type { McpItem, ScriptRequest } from '../../scripts/protocol/ask.ts'
import type { SampleKind, ServerExtras } from '../../tools/extras.ts'
import type { AskedFor } from './asked-for.ts'

type ReadAsk = Extract<ScriptRequest, { kind: 'read_mcp' }>
type Named<What> = Extract<McpItem, { what: What }>

/** `ctx.mcp.ReadResource` and its sisters. */
export async function readMcp(
  { server, wanted }: ReadAsk,
  { toolServers }: Pick<AskedFor, 'toolServers'>,
  scope: Scope,
): Promise<unknown> {
  const extras = toolServers.server(server).extras ?? noExtras(server)
  switch (wanted.what) {
    case 'resources':
      return { resources: await extras.resources(scope) }
    case 'resource':
      if (typeof wanted.uri !== 'string') throw new TypeError('ctx.mcp.ReadResource needs a URI')
      scope.context.standIn?.refuse(`resource ${wanted.uri}`)
      return extras.readResource(wanted.uri, scope)
    case 'prompts':
      return { prompts: await extras.prompts(scope) }
    case 'prompt': {
      const args = wanted.arguments ?? {}
      if (!isRecord(args)) throw new TypeError('ctx.mcp.GetPrompt needs its arguments as an object')
      return extras.prompt(wanted.name, args, scope)
    }
    case 'samples': {
      const samples = extras.samples(findSample(wanted.of), wanted.name)
      return { samples, total: samples.length }
    }
    case 'sample':
      return oneSample(server, extras, wanted)
  }
}

function oneSample(server: string, extras: ServerExtras, { of, name, index }: Named<'sample'>): unknown {
  const samples = extras.samples(findSample(of), name)
  const sample = typeof index === 'number' ? samples[index] : undefined
  if (sample !== undefined) return sample
  const has = samples.length === 0 ? 'it has none' : `it has ${samples.length}, counted from 0`
  const message = `there is no sample ${JSON.stringify(index)} of ${of} "${name}" of MCP server ${server}: ${has}`
  throw new ConfigError({ code: 'unknown_sample', message })
}

function findSample(of: unknown): SampleKind {
  if (of === 'tool' || of === 'resource') return of
  throw new TypeError(`samples are of a "tool" or of a "resource", not of ${JSON.stringify(of)}`)
}

function noExtras(server: string): ServerExtras {
  const lacking = (what: string) => async () => {
    const message = `MCP server ${server} offers no ${what}`
    throw new ConfigError({ code: `unknown_${what.slice(0, -1)}`, message })
  }
  return {
    resources: async () => [],
    readResource: lacking('resources'),
    prompts: async () => [],
    prompt: lacking('prompts'),
    samples: () => [],
  }
}
