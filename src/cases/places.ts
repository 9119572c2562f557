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
export function listSources({ authored, parts, inputs }: CasePlaces): PlacedSource[] {
  const found: PlacedSource[] = []
  for (const { path, value } of inputs) addSources(found, value, path)
  if (authored.messages !== undefined) addSources(found, authored.messages, ['messages'])
  for (const { path, written } of parts)
    for (const [index, part] of written.attachments?.entries() ?? [])
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

/** What the rules look at, listed once for all of them. */
export interface CasePlaces {
  authored: AuthoredCase
  parts: CasePart[]
  inputs: PlacedInput[]
  assertions: PlacedAssertion[]
}

export function listPlaces(authored: AuthoredCase): CasePlaces {
  const parts = caseAndTurns(authored)
  return { authored, parts, inputs: listInputs(authored), assertions: listAssertions(authored, parts) }
}

interface CasePart {
  path: Path
  written: Pick<AuthoredCase, CommonKey>
}

/** The case and its turns, which have many keys in common, with their paths in the case. */
function caseAndTurns(authored: AuthoredCase): CasePart[] {
  const parts: CasePart[] = [{ path: [], written: authored }]
  for (const [index, written] of authored.turns?.entries() ?? [])
    parts.push({ path: ['turns', index], written })
  return parts
}

export interface PlacedAssertion {
  path: Path
  assertion: Assertion
}

/** All assertions with their paths in the case; groups are not expanded. */
export function listAssertions(
  authored: AuthoredCase,
  parts: readonly CasePart[] = caseAndTurns(authored),
): PlacedAssertion[] {
  const found: PlacedAssertion[] = []
  for (const { path, written } of parts)
    for (const key of assertionKeys) addAssertions(found, written[key], path, key)
  for (const [index, checkpoint] of authored.checkpoints?.entries() ?? [])
    for (const key of ['assert', 'assertion'] as const)
      addAssertions(found, checkpoint[key], ['checkpoints', index], key)
  for (const [index, condition] of authored.terminate_when?.entries() ?? [])
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

interface PlacedInput {
  path: Path
  value: unknown
}

/** All inputs of the user, with their paths in the case. */
function listInputs({ input, turns }: AuthoredCase): PlacedInput[] {
  const found: PlacedInput[] = []
  if (input !== undefined) found.push({ path: ['input'], value: input })
  for (const [index, turn] of turns?.entries() ?? [])
    found.push({ path: ['turns', index, 'input'], value: turn.input })
  return found
}
