import { type Status, statuses } from './outcomes.ts'
import { type Sort, sorts } from './sort-groups.ts'

/** The open case in a link: only the fields that are needed to identify it. */
export interface CaseLink {
  id: string
  file?: string
  variant?: string
  run?: number
  attempt?: number
}

export interface Filters {
  query: string
  status: readonly Status[]
  tag?: string
  variant?: string
  file?: string
  kind?: string
}

/** Everything that a link to the page contains. */
export interface HashState {
  filters: Filters
  sort: Sort
  opened?: CaseLink
}

/** Computes the new filters from the current ones. */
export type ChangeFilters = (next: (filters: Filters) => Filters, how?: 'push' | 'replace') => void

export const noFilters: Filters = { query: '', status: [] }

/** Reads `#status=failed&tag=smoke&q=refund&case=T1`. Unknown parts are ignored. */
export function readHash(hash: string): HashState {
  const read = new Map<string, string>()
  for (const part of hash.replace(/^#/, '').split('&')) {
    const [name = '', ...rest] = part.split('=')
    const value = decodeValue(rest.join('='))
    if (value !== '') read.set(name, value)
  }
  const words = (read.get('status') ?? '').split(',')
  const id = read.get('case')
  return {
    filters: {
      query: read.get('q') ?? '',
      status: statuses.filter((status) => words.includes(status)),
      ...pickTexts(read, { tag: 'tag', variant: 'variant', file: 'file', kind: 'kind' }),
    },
    sort: sorts.find((sort) => sort === read.get('sort')) ?? 'status',
    ...(id === undefined
      ? {}
      : {
          opened: {
            id,
            ...pickTexts(read, { file: 'of-file', variant: 'of' }),
            ...pickNumbers(read, ['run', 'attempt']),
          },
        }),
  }
}

export function writeHash({ filters, sort, opened }: HashState): string {
  const parts: [string, string | number | undefined][] = [
    ['status', filters.status.join(',')],
    ['tag', filters.tag],
    ['variant', filters.variant],
    ['file', filters.file],
    ['kind', filters.kind],
    ['q', filters.query],
    ['sort', sort === 'status' ? undefined : sort],
    ['case', opened?.id],
    ['of-file', opened?.file],
    ['of', opened?.variant],
    ['run', opened?.run],
    ['attempt', opened?.attempt],
  ]
  const written = parts.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${encodeValue(String(value))}`],
  )
  return `#${written.join('&')}`
}

/** Replaces lone surrogates, which an address cannot contain. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function pickTexts<Field extends string>(
  read: ReadonlyMap<string, string>,
  names: Record<Field, string>,
): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {}
  for (const field of Object.keys(names) as Field[]) {
    const value = read.get(names[field])
    if (value !== undefined) found[field] = value
  }
  return found
}

function pickNumbers<Field extends string>(
  read: ReadonlyMap<string, string>,
  fields: readonly Field[],
): Partial<Record<Field, number>> {
  const found: Partial<Record<Field, number>> = {}
  for (const field of fields) {
    const value = Number(read.get(field))
    if (Number.isInteger(value) && value > 0) found[field] = value
  }
  return found
}

/** Characters that need not be escaped in a fragment stay readable. */
function encodeValue(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/%(?:20|2C|2F|3A|40)/g, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  )
}

function decodeValue(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
