import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Folder, openFolder } from './folder.ts'

/** A folder with these files, as `viva init` sees it. */
export function folderWith(files: Record<string, string>, env: Record<string, string> = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), 'viva-init-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return openFolder(path, env)
}
