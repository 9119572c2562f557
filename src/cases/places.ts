import type { Assertion } from '../checks/list.ts'
import type { AuthoredAttachment, AuthoredCase, AuthoredMessage, AuthoredPart } from './case-schema.ts'
import { collectAssertions } from './conditions.ts'
import type { Path } from './formats/case-format.ts'
import { isMessage, isMessageList, partSource } from './input.ts'

interface PlacedSource {
  path: Path
  source: string
  type: string
}

/** All files to send, with their paths in the case. */
export function listSources(authored: AuthoredCase): PlacedSource[] {
  const found: PlacedSource[] = []
  for (const { path, value } of listInputs(authored)) addSources(found, value, path)
  addSources(found, authored.messages, ['messages'])
  for (const { path, written } of caseAndTurns(authored))
    for (const [index, part] of (written.attachments ?? []).entries())
      addSource(found, part, [...path, 'attachments', index])
  return found
}

function addSources(found: PlacedSource[], value: unknown, path: Path): void {
  if (isMessageList(value))
    for (const [index, each] of value.entries()) addParts(found, each, [...path, index])
  else if (isMessage(value)) addParts(found, value, path)
}

function addParts(found: PlacedSource[], { content }: AuthoredMessage, path: Path): void {
  if (!Array.isArray(content)) return
  for (const [index, part] of content.entries()) addSource(found, part, [...path, 'content', index])
}

function addSource(found: PlacedSource[], part: AuthoredPart | AuthoredAttachment, path: Path): void {
  const source = partSource(part)
  const [key, type] = part.type === 'image_url' ? ['image_url', 'image'] : ['source', part.type]
  if (source !== undefined) found.push({ path: [...path, key], source, type })
}

const assertionKeys = ['assert', 'assertions', 'final_assertions'] as const

type CommonKey = (typeof assertionKeys)[number] | 'options' | 'stubs' | 'attachments'

/** The case and its turns, which have many keys in common, with their paths in the case. */
export function caseAndTurns(
  authored: AuthoredCase,
): { path: Path; written: Pick<AuthoredCase, CommonKey> }[] {
  const turns = (authored.turns ?? []).map((written, index) => ({ path: ['turns', index], written }))
  return [{ path: [], written: authored }, ...turns]
}

export interface PlacedAssertion {
  path: Path
  assertion: Assertion
}

/** All assertions with their paths in the case; groups are not expanded. */
export function listAssertions(authored: AuthoredCase): PlacedAssertion[] {
  const found: PlacedAssertion[] = []
  for (const { path, written } of caseAndTurns(authored))
    for (const key of assertionKeys) addAssertions(found, written[key], path, key)
  for (const [index, checkpoint] of (authored.checkpoints ?? []).entries())
    for (const key of ['assert', 'assertion'] as const)
      addAssertions(found, checkpoint[key], ['checkpoints', index], key)
  for (const [index, condition] of (authored.terminate_when ?? []).entries())
    found.push(...collectAssertions(condition, ['terminate_when', index]))
  return found
}

function addAssertions(
  found: PlacedAssertion[],
  given: Assertion | Assertion[] | undefined,
  path: Path,
  key: string,
): void {
  if (given === undefined) return
  if (!Array.isArray(given)) found.push({ path: [...path, key], assertion: given })
  else
    for (const [index, assertion] of given.entries()) found.push({ path: [...path, key, index], assertion })
}

/** All inputs of the user, with their paths in the case. */
export function listInputs(authored: AuthoredCase): { path: Path; value: unknown }[] {
  const own = authored.input === undefined ? [] : [{ path: ['input'], value: authored.input }]
  const turns = (authored.turns ?? []).map(({ input }, index) => ({
    path: ['turns', index, 'input'],
    value: input,
  }))
  return [...own, ...turns]
}
