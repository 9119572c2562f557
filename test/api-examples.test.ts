import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transformSync } from 'oxc-transform'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPublicApi } from './reference/public-api.ts'
import { installViva, repository, viva } from './support/viva.ts'

/**
 * The examples in the doc comments of everything that users can import: they are type-checked in one program, and run
 * by Node, by vitest (those of vivavoce/vitest) or by the command (that of vivavoce/scripts).
 */
const entries = readPublicApi()
const exported = entries.flatMap((entry) => entry.exports.map((one) => ({ entry: entry.name, ...one })))
const values = exported.filter(({ kind }) => kind !== 'type')

interface Example {
  entry: string
  name: string
  code: string
}

const examples: Example[] = [
  ...values.map(({ entry, name, doc }) => ({ entry, name, code: doc.example ?? '' })),
  ...entries.flatMap(({ name, doc }) => (doc.example ? [{ entry: name, name: 'script', code: doc.example }] : [])),
]
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-examples-')))

/** Each has a folder of its own, where it may write files. */
function file({ entry, name }: Example): string {
  const base = join(folder, entry, name)
  if (entry === 'vivavoce/scripts') return join(base, `${name}_test.ts`)
  return join(base, entry === 'vivavoce/vitest' ? 'example.test.ts' : 'example.ts')
}

const of = (entry: string) => examples.filter((example) => example.entry === entry)
const plain = [...of('vivavoce'), ...of('vivavoce/testing')]

beforeAll(() => {
  for (const example of examples) {
    mkdirSync(dirname(file(example)), { recursive: true })
    writeFileSync(file(example), example.code)
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  installViva(folder, 'vitest', 'vite', '@types', 'undici-types')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the public API', () => {
  it('every export has a doc comment, and every function, class and constant an @example', () => {
    expect(values.length).toBeGreaterThan(30)
    expect(exported.filter(({ doc }) => doc.text === '').map(place)).toEqual([])
    expect(values.filter(({ doc }) => !doc.example).map(place)).toEqual([])
  })

  it('every example uses what it is an example of, and checks something', () => {
    const checks = /\bassert\b|\bagentCase\(|\bdescribeAgent\(/
    const idle = examples.filter(
      ({ entry, name, code }) => !checks.test(code) || !(code.includes(name) || entry === 'vivavoce/scripts'),
    )
    expect(idle).toEqual([])
  })

  it('all examples have correct types', () => {
    expect(findTypeErrors(examples.map(file))).toEqual([])
  })
})

function place({ name, file }: { name: string; file: string }): string {
  return `${name} (${file})`
}

function findTypeErrors(files: string[]): string[] {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [join(repository, 'node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  })
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

describe('examples run', () => {
  let failures: Record<string, string> = {}

  // One process for all of them: most of the time of a run is the start of Node.
  beforeAll(() => {
    const modules = plain.map((example) => {
      const path = file(example).replace(/ts$/, 'mjs')
      writeFileSync(path, transformSync(path.replace(/mjs$/, 'ts'), example.code).code)
      return path
    })
    writeFileSync(
      join(folder, 'run.mjs'),
      `import { dirname } from 'node:path'
const failures = {}
for (const path of ${JSON.stringify(modules)}) {
  process.chdir(dirname(path))
  await import(path).catch((error) => (failures[path] = String(error?.stack ?? error)))
}
process.send(failures, () => process.exit())
`,
    )
  })

  it.each(plain)('$entry: $name', (example) => {
    expect(failures[file(example).replace(/ts$/, 'mjs')]).toBeUndefined()
  })
})
