import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'oxc-transform'

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const path = fileURLToPath(url)
  const { code } = await transform(path, await readFile(path, 'utf8'), { sourcemap: false })
  return { format: 'module', source: code, shortCircuit: true }
}
