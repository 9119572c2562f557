import { isRecord } from '../json.ts'

/** A schema and its path in the root schema. */
export interface Located {
  schema: unknown
  path: (string | number)[]
}

export interface References {
  /** What `ref` means in that schema; undefined if there is no such place. */
  resolve(ref: string, from: object): Located | undefined
}

/** Keywords whose value is a schema, or a list of them. */
const schemaKeywords = [
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** Keywords whose value is an object of schemas. */
const mapKeywords = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]

const rootBase = 'schema:///root'

/** Indexes all names of parts of a schema: `$id`, `$anchor`, and pointers from them. */
export function indexReferences(root: unknown, siblingsOfRefCount: boolean): References {
  const resources = new Map<string, Located>()
  const anchors = new Map<string, Located>()
  const baseOf = new Map<object, string>()

  const visit = (schema: unknown, outerBase: string, path: (string | number)[]): void => {
    if (!isRecord(schema) || baseOf.has(schema)) return
    let base = outerBase
    const { $id, $anchor, $dynamicAnchor } = schema
    if (typeof $id === 'string' && (siblingsOfRefCount || schema.$ref === undefined)) {
      // Draft-07 writes an anchor as an `$id`.
      if ($id.startsWith('#')) anchors.set(`${base}${$id}`, { schema, path })
      else [base] = splitFragment(resolveUri($id, base))
    }
    if (base !== outerBase || path.length === 0) resources.set(base, { schema, path })
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string') anchors.set(`${base}#${anchor}`, { schema, path })
    }
    baseOf.set(schema, base)
    for (const child of listSubschemas(schema)) visit(child.schema, base, [...path, ...child.path])
  }

  const follow = (from: Located, pointer: string, base: string): Located | undefined => {
    let { schema } = from
    let nearestBase = base
    const path = [...from.path]
    for (const step of pointer.split('/').slice(1).map(decodeStep)) {
      const next: unknown = Array.isArray(schema) || isRecord(schema) ? findMember(schema, step) : undefined
      if (next === undefined) return undefined
      schema = next
      path.push(Array.isArray(schema) ? Number(step) : step)
      nearestBase = (isRecord(schema) ? baseOf.get(schema) : undefined) ?? nearestBase
    }
    // A pointer may lead to a place without keywords, like `#/components/schemas/Pet`.
    visit(schema, nearestBase, path)
    return { schema, path }
  }

  visit(root, rootBase, [])
  resources.set(rootBase, { schema: root, path: [] })
  return {
    resolve(ref, from) {
      const [base = '', fragment = ''] = splitFragment(resolveUri(ref, baseOf.get(from) ?? rootBase))
      const resource = resources.get(base)
      if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(`${base}#${fragment}`)
      return resource === undefined || fragment === '' ? resource : follow(resource, fragment, base)
    },
  }
}

function listSubschemas(schema: Record<string, unknown>): Located[] {
  const direct = schemaKeywords.flatMap((keyword) => {
    const operand = schema[keyword]
    if (!Array.isArray(operand)) return [{ schema: operand, path: [keyword] }]
    return operand.map((member, index) => ({ schema: member, path: [keyword, index] }))
  })
  const named = mapKeywords.flatMap((keyword) => {
    const operand = schema[keyword]
    return isRecord(operand)
      ? Object.entries(operand).map(([key, member]) => ({ schema: member, path: [keyword, key] }))
      : []
  })
  return [...direct, ...named]
}

function findMember(container: Record<string, unknown> | unknown[], step: string): unknown {
  return Object.hasOwn(container, step) ? Reflect.get(container, step) : undefined
}

function decodeStep(step: string): string {
  return decodeText(step).replaceAll('~1', '/').replaceAll('~0', '~')
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function resolveUri(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference
}

function splitFragment(uri: string): [string, string] {
  const at = uri.indexOf('#')
  return at === -1 ? [uri, ''] : [uri.slice(0, at), uri.slice(at + 1)]
}
