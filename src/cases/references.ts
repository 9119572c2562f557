import { isRecord } from '../json/json.ts'

/** What a check or a condition names, and what may be looked up from the folder of its case. */
export interface Reference {
  kind: 'script' | 'agent'
  name: string
}

/** How a case in another folder names the same; undefined if it cannot. */
export type RenameReference = (reference: Reference) => string | undefined

/** The fields that name something, by the type of the check. */
const namingFields: Readonly<Record<string, readonly string[]>> = {
  script: ['script', 'use'],
  agent: ['use'],
  judge: ['use'],
}

/** Where checks are within groups, conditions and checkpoints. */
const nestingFields = ['assertions', 'conditions', 'condition', 'assert', 'assertion']

/** All that is named in a check, a condition, a checkpoint, or a list of them. */
export function listReferences(value: unknown): Reference[] {
  const found: Reference[] = []
  renameReferences(value, (reference) => {
    found.push(reference)
    return undefined
  })
  return found
}

/** The same with other names. A name for which there is no other stays. */
export function renameReferences<Written>(value: Written, rename: RenameReference): Written
export function renameReferences(value: unknown, rename: RenameReference): unknown {
  if (Array.isArray(value)) return value.map((each) => renameReferences(each, rename))
  if (!isRecord(value)) return value
  const renamed = { ...value }
  for (const key of nestingFields)
    if (value[key] !== undefined) renamed[key] = renameReferences(value[key], rename)
  for (const key of findNamingFields(value.type)) {
    const name = value[key]
    if (typeof name !== 'string') continue
    const isScript = value.type === 'script' || name.startsWith('scripts:')
    renamed[key] = rename({ kind: isScript ? 'script' : 'agent', name }) ?? name
  }
  return renamed
}

function findNamingFields(type: unknown): readonly string[] {
  return typeof type === 'string' && Object.hasOwn(namingFields, type) ? (namingFields[type] ?? []) : []
}
