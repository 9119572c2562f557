import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../json/json.ts'
import { replaceFile } from '../../system/replace-file.ts'

/** What a fingerprint was made of: hashes by what a user would call each part. */
const partsSchema = z.object({
  fingerprint: z.string(),
  parts: z.record(z.string(), z.string()).readonly(),
  /** It has the parts of this one too. */
  base: z.string().optional(),
})

export type KeptParts = z.infer<typeof partsSchema>

/** A larger file loses its older half: then a changed case runs without saying which part changed. */
const standardLimit = 4 * 1024 * 1024

/** Beside the history. It only explains: whether a case runs does not depend on it. */
export function fingerprintPartsPath(history: string): string {
  return join(dirname(history), 'fingerprints.jsonl')
}

/** Adds those that are not known yet. */
export function keepFingerprintParts(
  history: string,
  made: Iterable<KeptParts>,
  limit = standardLimit,
): void {
  const path = fingerprintPartsPath(history)
  const before = readText(path)
  const known = parseParts(before)
  let added = ''
  for (const each of made) if (!known.has(each.fingerprint)) added += `${JSON.stringify(each)}\n`
  if (added === '') return
  // An incomplete last line must not spoil the next one.
  appendFileSync(path, before === '' || before.endsWith('\n') ? added : `\n${added}`)
  if (statSync(path).size > limit) replaceFile(path, newestLines(readText(path), limit / 2))
}

function newestLines(text: string, limit: number): string {
  const kept: string[] = []
  let size = 0
  for (const line of text.split('\n').toReversed()) {
    size += line.length + 1
    if (size > limit) break
    if (line !== '') kept.push(`${line}\n`)
  }
  return kept.toReversed().join('')
}

/** Lines that cannot be read are left out. */
export function readFingerprintParts(history: string): Map<string, KeptParts> {
  return parseParts(readText(fingerprintPartsPath(history)))
}

function parseParts(text: string): Map<string, KeptParts> {
  const found = new Map<string, KeptParts>()
  for (const line of text.split('\n')) {
    const parsed = partsSchema.safeParse(parseJson(line))
    if (parsed.success) found.set(parsed.data.fingerprint, parsed.data)
  }
  return found
}

/** Empty if there is none that can be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** With the parts of its base. Undefined if something is not known. */
export function wholeParts(
  known: ReadonlyMap<string, KeptParts>,
  hash: string,
): Readonly<Record<string, string>> | undefined {
  const found = known.get(hash)
  if (found?.base === undefined) return found?.parts
  const base = known.get(found.base)
  return base && { ...base.parts, ...found.parts }
}
