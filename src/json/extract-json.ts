import { isRecord, parseJson } from './json.ts'
import { jsonSpans } from './json-spans.ts'
import { type RepairedJson, repairJson } from './repair-json.ts'
import { scanJson } from './scan-json.ts'

/**
 * Finds the JSON in a text reply: the whole text, else the first fenced block that is JSON, else the first object or
 * array in the prose.
 */
export function extractJson(text: string): { value: unknown } | undefined {
  return parse(text) ?? extractFromFences(text) ?? extractFromProse(text)
}

/**
 * Does the same, but also repairs a whole text or fenced block that is almost JSON. Valid JSON is preferred, unless it is
 * only a part of something that can be repaired. Nothing is repaired in prose.
 */
export function extractOrRepairJson(text: string): RepairedJson | undefined {
  const valid = parse(text) ?? extractFromFences(text)
  if (valid !== undefined) return { ...valid, repairs: [] }
  const repaired = repairedParts(text)
  const rest = repaired.reduce((left, { source }) => left.replace(source, () => ''), text)
  const beside = extractFromProse(rest)
  const [first] = repaired
  if (beside !== undefined && (first === undefined || !isFootnote(beside.value)))
    return { ...beside, repairs: [] }
  return first && { value: first.value, repairs: first.repairs }
}

/** Every object and list in a text: the whole text, or all that it contains. */
export function extractAllJson(text: string): unknown[] {
  const whole = parse(text)
  if (whole !== undefined) return [whole.value]
  return [...jsonSpans(text, { inTorn: false })].map(({ value }) => value)
}

function parse(text: string): { value: unknown } | undefined {
  const trimmed = text.trim()
  // Most texts do not start like JSON, and throwing an error is slow.
  if (!/^[{["\-\dtfn]/.test(trimmed)) return undefined
  // JSON.parse accepts any depth, but later code does not.
  if (/^[{[]/.test(trimmed) && scanJson(trimmed, 0).end !== trimmed.length) return undefined
  const value = parseJson(trimmed)
  return value === undefined ? undefined : { value }
}

const fenceLine = /^(`{3,}|~{3,}) ?(\w*)$/

/** Longer lines cannot be fences and are not tested. */
const longestFence = 100

const maxBlocks = 100

function extractFromFences(text: string): { value: unknown } | undefined {
  for (const content of jsonBlocks(text)) {
    const found = parse(content)
    if (found !== undefined) return found
  }
  return undefined
}

/** The contents of fenced blocks that may be JSON; those tagged json come first. */
function jsonBlocks(text: string): string[] {
  const blocks = fencedBlocks(text)
  const tagged = blocks.filter((block) => block.tag === 'json')
  const untagged = blocks.filter((block) => block.tag === '')
  return [...tagged, ...untagged].slice(0, maxBlocks).map(({ content }) => content)
}

/** The whole text, else each fenced block, if it can be repaired and is not empty. */
function repairedParts(text: string): (RepairedJson & { source: string })[] {
  const repaired = (source: string) => {
    const found = repairJson(source, { cutValue: 'null' })
    return found === undefined || isEmptyStart(found) ? [] : [{ ...found, source }]
  }
  const whole = repaired(text)
  return whole.length > 0 ? whole : jsonBlocks(text).flatMap(repaired)
}

/** Whether there is nothing but an opening bracket. */
function isEmptyStart({ value, repairs }: RepairedJson): boolean {
  return repairs.includes('cut off') && Object.keys(value as object).length === 0
}

// A block that is never closed, as in an incomplete reply, extends to the end.
function fencedBlocks(text: string): { tag: string; content: string }[] {
  const blocks: { tag: string; content: string }[] = []
  let open: { fence: string; tag: string; lines: string[] } | undefined
  const close = () => {
    if (open !== undefined) blocks.push({ tag: open.tag, content: open.lines.join('\n') })
    open = undefined
  }
  for (const line of text.split('\n')) {
    const [, fence = '', tag = ''] = (line.length > longestFence ? null : fenceLine.exec(line.trim())) ?? []
    if (open === undefined) {
      if (fence !== '') open = { fence, tag: tag.toLowerCase(), lines: [] }
    } else if (fence.startsWith(open.fence) && tag === '') {
      close()
    } else {
      open.lines.push(line)
    }
  }
  close()
  return blocks
}

function extractFromProse(text: string): { value: unknown } | undefined {
  let footnote: { value: unknown } | undefined
  for (const { value } of jsonSpans(text, { inTorn: false })) {
    if (!isFootnote(value)) return { value }
    footnote ??= { value }
  }
  return footnote
}

// `[1]`, `[2, 3]` and `[ ]` in prose are references and tick boxes, unless there is nothing better.
function isFootnote(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((member) => Number.isInteger(member))
  return isRecord(value) && Object.keys(value).length === 0
}
