import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { attachedFile } from '../../results/transcript/attachment.ts'

/** Stands for the contents of a file of code, and of all files that are attached in a value. Undefined where there are none. */
export function fingerprint(code: string | undefined, value: unknown): string | undefined {
  const paths = [...(code === undefined ? [] : [code]), ...attachedPaths(value)]
  if (paths.length === 0) return undefined
  const digest = createHash('sha256')
  for (const path of paths) digest.update(readFileSync(path)).update('\0')
  return digest.digest('hex').slice(0, 16)
}

function attachedPaths(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = attachedFile(value)
  return own === undefined ? Object.values(value).flatMap(attachedPaths) : [own.path]
}
