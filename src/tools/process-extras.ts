import { ConfigError } from '../errors.ts'
import { textOrJson } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import type { FilledPrompt, Prompt, PromptMessage, Resource, ServerExtras } from './extras.ts'
import { callProcess, type RunProcess } from './process-call.ts'
import { fillPromptTemplate, type PromptTemplate } from './prompt-template.ts'
import { ToolError } from './tool.ts'
import { matchUri, readQuery } from './uri-template.ts'

/** A resource that is implemented by a process of the app. */
export interface ProcessResource extends Resource {
  process: string
  /** The arguments of the process: `:uri`, `:arguments`, `$uri.id`, `$query.check`. */
  processArgs: readonly string[]
  samples: readonly Data[]
}

/** A prompt that is defined by the app. */
export interface ProcessPrompt extends Prompt {
  messages: readonly (Pick<PromptMessage, 'role'> & { content: Data; template?: PromptTemplate })[]
}

interface Parts {
  tools: readonly { name: string; samples: readonly Data[] }[]
  resources: readonly ProcessResource[]
  prompts: readonly ProcessPrompt[]
}

export function createProcessExtras(
  id: string,
  { tools, resources, prompts }: Parts,
  run: RunProcess,
): ServerExtras {
  return {
    resources: async () => resources.map(({ process, processArgs, samples, ...resource }) => resource),
    async readResource(uri, scope) {
      const { resource, args } = findResource(id, resources, uri)
      const result = await callProcess(`${id} ${uri}`, resource.process, args, run, scope)
      const text = textOrJson(result)
      const { mimeType } = resource
      return { contents: [{ uri, ...(mimeType !== undefined && { mimeType }), text }] }
    },
    prompts: async () => prompts.map(({ messages, ...prompt }) => prompt),
    prompt: async (name, args) => fillPrompt(id, findPrompt(id, prompts, name), args),
    samples: (of, name) =>
      (of === 'tool' ? tools : resources).find((each) => each.name === name)?.samples ?? [],
  }
}

/** A resource with exactly this URI goes before templates. */
function findResource(id: string, resources: readonly ProcessResource[], uri: string) {
  const found = resources
    .map((resource) => ({ resource, values: matchUri(resource.uri, uri) }))
    .sort((a, b) => Number(b.resource.uri === uri) - Number(a.resource.uri === uri))
    .find(({ values }) => values !== undefined)
  if (found === undefined) {
    const known = resources.map((resource) => resource.uri).join(', ')
    const message = `MCP server ${id} has no resource "${uri}" (it has: ${known || 'none'})`
    throw new ConfigError({ code: 'unknown_resource', message })
  }
  return {
    resource: found.resource,
    args: fillProcessArgs(found.resource.processArgs, uri, found.values ?? {}),
  }
}

function fillProcessArgs(
  templates: readonly string[],
  uri: string,
  values: Record<string, string>,
): unknown[] {
  const query = readQuery(uri)
  const all = { ...values, ...query }
  return templates.map((template) => {
    if (template === ':uri') return uri
    if (template === ':arguments' || template === ':parameters') return all
    const [, kind, name] = /^\$(?:(uri|query|args|params)\.)?(.+)$/.exec(template) ?? []
    if (name === undefined) return template
    const source: Record<string, string> = kind === 'query' ? query : all
    return Object.hasOwn(source, name) ? source[name] : null
  })
}

function findPrompt(id: string, prompts: readonly ProcessPrompt[], name: string): ProcessPrompt {
  const prompt = prompts.find((each) => each.name === name)
  if (prompt !== undefined) return prompt
  const known = prompts.map((each) => each.name).join(', ')
  const message = `MCP server ${id} has no prompt "${name}" (it has: ${known || 'none'})`
  throw new ConfigError({ code: 'unknown_prompt', message })
}

function fillPrompt(id: string, prompt: ProcessPrompt, args: Data): FilledPrompt {
  const known = prompt.arguments ?? []
  const missing = known.filter(({ name, required }) => required === true && isMissing(args, name))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `"${name}"`).join(', ')
    throw new ToolError(`prompt ${prompt.name} of MCP server ${id} needs ${names}`)
  }
  const names = new Set(known.map(({ name }) => name))
  return {
    ...(prompt.description !== undefined && { description: prompt.description }),
    messages: prompt.messages.map(({ role, content, template }) => ({
      role,
      content:
        template === undefined ? content : { ...content, text: fillPromptTemplate(template, args, names) },
    })),
  }
}

function isMissing(args: Data, name: string): boolean {
  return !Object.hasOwn(args, name) || args[name] === undefined || args[name] === null
}
