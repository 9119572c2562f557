/** Loads a module of the sources, which is built separately because it is not part of the public library. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsdown'
import { repository } from './measure.mjs'

export async function loadSource(path) {
  // In here the packages that it loads are found.
  const outDir = await mkdtemp(join(repository, 'node_modules/.viva-bench-'))
  try {
    await build({
      config: false,
      cwd: repository,
      entry: { module: path },
      outDir,
      format: 'esm',
      platform: 'node',
      fixedExtension: true,
      dts: false,
      logLevel: 'error',
    })
    return await import(pathToFileURL(join(outDir, 'module.mjs')))
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
