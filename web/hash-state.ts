import { type Status, statuses } from './outcomes.ts'
import { type Sort, sorts } from './sort-groups.ts'

/** A case that is open, as a link names it: no more than is needed to tell it from others. */
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

/** All that a link to the page says. */
export interface HashState {
  filters: Filters
  sort: Sort
  opened?: CaseLink
}

/** Says what the filters become, whatever they are by then. */
export type ChangeFilters = (next: (filters: Filters) => Filters, how?: 'push' | 'replace') => void

export const noFilters: Filters = { query: '', status: [] }

/** `#status=failed&tag=smoke&q=refund&case=T1`. What it does not know is left out. */
export function readHash(hash: string): HashState {
  const read = new Map<string, string>()
  for (const part of hash.replace(/^#/, '').split('&')) {
    const [name = '', ...rest] = part.split('=')
    const value = decoded(rest.join('='))
    if (value !== '') read.set(name, value)
  }
  const words = (read.get('status') ?? '').split(',')
  const id = read.get('case')
  return {
    filters: {
      query: read.get('q') ?? '',
      status: statuses.filter((status) => words.includes(status)),
      ...textsOf(read, { tag: 'tag', variant: 'variant', file: 'file', kind: 'kind' }),
    },
    sort: sorts.find((sort) => sort === read.get('sort')) ?? 'status',
    ...(id === undefined
      ? {}
      : {
          opened: {
            id,
            ...textsOf(read, { file: 'of-file', variant: 'of' }),
            ...numbersOf(read, ['run', 'attempt']),
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
    value === undefined || value === '' ? [] : [`${name}=${encoded(String(value))}`],
  )
  return `#${written.join('&')}`
}

/** Half a surrogate pair cannot be in an address. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function textsOf<Field extends string>(
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

function numbersOf<Field extends string>(
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

/** What need not be escaped in a fragment stays readable. */
function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/%(?:20|2C|2F|3A|40)/g, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  )
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
