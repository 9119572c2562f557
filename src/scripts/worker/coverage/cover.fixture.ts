import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import { writeProject } from '../../../../test/fixtures/scripts/project.ts'
import { repository } from '../../../../test/support/viva.ts'
import type { FileCoverage } from '../../protocol/coverage.ts'

/** Like a worker of the script host: a thread with the hooks that compile the user's TypeScript. */
const thread = `
  const nodeModule = require('node:module')
  const { parentPort, workerData: { hooks, collect, entry } } = require('node:worker_threads')
  async function main() {
    if (nodeModule.registerHooks) nodeModule.registerHooks(await import(hooks))
    else nodeModule.register(hooks)
    globalThis.babelHelpers = { decorate: () => {}, decorateParam: () => {} }
    const coverage = (await import(collect)).startCoverage()
    const { default: run } = await import(entry)
    const loaded = coverage.take()
    await run?.()
    parentPort.postMessage([loaded, coverage.take()])
  }
  main()
`

/** Returns the coverage of loading the module, and that of calling its default export. */
export async function cover(entry: string): Promise<FileCoverage[][]> {
  const workerData = {
    hooks: new URL('../../../../dist/script-hooks.js', import.meta.url).href,
    collect: new URL('./collect.ts', import.meta.url).href,
    entry,
  }
  const worker = new Worker(thread, { eval: true, workerData, execArgv: [] })
  const taken = await new Promise<FileCoverage[][]>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  )
  return taken.map((files) => files.filter(({ file }) => !isElsewhere(file)))
}

/** When built, all of viva is beside the collecting module; here, only the files of its folder are. */
function isElsewhere(file: string): boolean {
  return file.startsWith(repository) && !file.startsWith(import.meta.dirname)
}

/** Sources are written with the hits of each line before it, and nothing for lines without code: `2 | code`. */
const markedLine = /^ *(\d*) \| ?(.*)$/gm

interface Expected {
  source: string
  /** `line name hits` */
  functions: string[]
}

export async function check(
  { source: marked, functions }: Expected,
  test: string,
  { name = 'code.ts', lineEnd = '\n' } = {},
): Promise<void> {
  const rows = [...marked.matchAll(markedLine)]
  const pathOf = await writeProject({
    [name]: rows.map(([, , text]) => text).join(lineEnd),
    'all_test.ts': test,
  })
  const [loaded = []] = await cover(pathOf('all_test.ts'))
  expect(loaded.map(({ file }) => file)).toEqual([pathOf(name)])
  const found = new Map(loaded[0]?.lines.map(({ line, hits }) => [line, String(hits)]))
  const shown = rows.map(([, , text], index) => `${found.get(index + 1) ?? ''} | ${text}`)
  expect(shown).toEqual(rows.map(([, hits, text]) => `${hits} | ${text}`))
  expect(formatFunctions(loaded[0])).toEqual(functions)
}

export function formatFunctions(coverage: FileCoverage | undefined): string[] | undefined {
  return coverage?.functions.map(({ name, line, hits }) => `${line} ${name} ${hits}`)
}
