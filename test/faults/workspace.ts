import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Runs work in its own folder with these files. The folder stays if the work returns false. */
export async function withFolder(
  files: Record<string, string | Buffer>,
  work: (folder: string) => Promise<boolean>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-faults-')))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  if (await work(folder)) rmSync(folder, { recursive: true, force: true })
}
