import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { fileMethods } from './fs.ts'

/** An app beside a folder that it must not reach. */
export function app(files: Record<string, string> = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'viva-fs-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  write('app/app.yao', '{}')
  write('app/scripts/deep/a.ts', 'x')
  write('outside/secret.txt', 'secret')
  for (const [path, text] of Object.entries(files)) write(`app/data/${path}`, text)
  const script = () => join(top, 'app/scripts/deep')
  return {
    top,
    data: join(top, 'app/data'),
    outside: join(top, 'outside'),
    open: (name: string) => fileMethods(name, script),
    fs: fileMethods('data', script),
    secret: () => readFileSync(join(top, 'outside/secret.txt'), 'utf8'),
  }
}
