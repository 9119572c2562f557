import { isRecord } from '../../../json/json.ts'
import { requirePackage } from '../../../require-package.ts'
import { guessMapping } from '../http-fields.ts'
import type { AgentCandidate, StartingPoint } from '../starting-point.ts'
import { createHttpCandidate } from './http.ts'

const file = /^(?:\w+\/)?openapi\.(?:json|ya?ml)$/

/** Where a service is that does not say so. */
const localOrigin = 'http://127.0.0.1:8000'

/** A description of a service: `openapi.json` or `openapi.yaml`. */
export const openApiServices: StartingPoint = {
  look: ({ files, read }) =>
    files.filter((name) => file.test(name)).flatMap((name) => readDescription(name, read(name))),
}

function readDescription(name: string, text: string): AgentCandidate[] {
  const root = parseDescription(text)
  const { paths, servers } = root
  const base = readBase(Array.isArray(servers) ? servers[0] : undefined)
  return Object.entries(isRecord(paths) ? paths : {}).flatMap(([path, methods]) => {
    const post = isRecord(methods) ? methods.post : undefined
    if (!isRecord(post) || path.includes('{')) return []
    const guess = guessMapping({
      read: fieldNames(post.requestBody, root),
      answered: fieldNames(isRecord(post.responses) ? post.responses['200'] : undefined, root),
    })
    if (!guess.isCertain) return []
    const found = `an HTTP service that ${name} describes, POST ${path}`
    return [createHttpCandidate({ url: `${base}${path}`, found, guess, variables: [] })]
  })
}

/** The address of a server, with the defaults of its variables. One without a host is relative to the service. */
function readBase(server: unknown): string {
  const { url, variables } = isRecord(server) ? server : {}
  const filled = (typeof url === 'string' ? url : '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isRecord(variables) ? variables[name] : undefined
    return isRecord(variable) && variable.default !== undefined ? String(variable.default) : whole
  })
  const address = filled.replace(/\/+$/, '')
  return /^https?:\/\//.test(address) ? address : `${localOrigin}${address.replace(/^\.?\/*(?=.)/, '/')}`
}

/** A file that cannot be read describes nothing. */
function parseDescription(text: string): Record<string, unknown> {
  try {
    const { parse } = requirePackage('yaml') as typeof import('yaml')
    const root: unknown = parse(text)
    return isRecord(root) ? root : {}
  } catch {
    return {}
  }
}

/** The names of the properties of a body. */
function fieldNames(body: unknown, root: Record<string, unknown>): string[] {
  const content = isRecord(body) ? body.content : undefined
  const media = isRecord(content) ? content['application/json'] : undefined
  const schema = resolveReference(isRecord(media) ? media.schema : undefined, root)
  return isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []
}

/** `{"$ref": "#/components/schemas/Chat"}` */
function resolveReference(schema: unknown, root: Record<string, unknown>): unknown {
  if (!isRecord(schema) || typeof schema.$ref !== 'string') return schema
  return schema.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root)
}
