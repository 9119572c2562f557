import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
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
  ...entries.flatMap(({ name, doc }) =>
    doc.example ? [{ entry: name, name: 'script', code: doc.example }] : [],
  ),
]
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-examples-')))

/** Each has a folder of its own, where it may write files. */
function file({ entry, name }: Example): string {
  const base = join(folder, entry, name)
  if (entry === 'vivavoce/scripts') return join(base, `${name}_test.ts`)
  return join(base, entry === 'vivavoce/vitest' ? 'example.test.ts' : 'example.ts')
}

function examplesOf(entry: string): Example[] {
  return examples.filter((example) => example.entry === entry)
}

const plain = [...examplesOf('vivavoce'), ...examplesOf('vivavoce/testing')]

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
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
}

describe('the examples run', () => {
  let results: Record<string, string> = {}

  // One process for all of them: most of the time that an example takes is the start of Node.
  beforeAll(() => {
    for (const example of plain)
      writeFileSync(compiled(example), transformSync('example.ts', example.code).code)
    writeFileSync(join(folder, 'run.mjs'), runner(plain.map(compiled)))
    const { status, stderr } = spawnSync(process.execPath, ['run.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 50_000,
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
  })

  it.each(plain.map((example) => [example.entry, example.name, example] as const))(
    '%s: %s',
    (...[, , example]) => {
      expect(results[compiled(example)]).toBe('passed')
    },
  )

  it('the examples of vivavoce/vitest pass in vitest', () => {
    const bin = join(repository, 'node_modules/vitest/vitest.mjs')
    const { stdout } = spawnSync(process.execPath, [bin, 'run', '--reporter=json'], {
      cwd: join(folder, 'vivavoce/vitest'),
      encoding: 'utf8',
      env: { ...process.env, VITEST: undefined },
    })
    const { testResults } = JSON.parse(stdout) as VitestReport
    expect(testResults).toHaveLength(examplesOf('vivavoce/vitest').length)
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    expect(tests.length).toBeGreaterThanOrEqual(testResults.length)
    expect([...testResults, ...tests].filter(({ status }) => status !== 'passed')).toEqual([])
  })

  it('the example of vivavoce/scripts passes as a script test', async () => {
    const scripts = examplesOf('vivavoce/scripts')
    expect(scripts).toHaveLength(1)
    for (const example of scripts) {
      const { stdout, exitCode } = await viva(['test', '-i', basename(file(example))], {
        cwd: dirname(file(example)),
      })
      expect(stdout).toContain('Summary: 1 passed, 0 failed')
      expect(exitCode).toBe(0)
    }
  })
})

interface VitestReport {
  testResults: { status: string; assertionResults: { title: string; status: string }[] }[]
}

function compiled(example: Example): string {
  return file(example).replace(/ts$/, 'mjs')
}

/** Imports one after the other, each in its own folder, and writes down what came of them. */
function runner(modules: string[]): string {
  return `import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
const start = process.cwd()
const results = {}
for (const path of ${JSON.stringify(modules)}) {
  process.chdir(dirname(path))
  results[path] = await import(path).then(() => 'passed', (error) => String(error?.stack ?? error))
}
writeFileSync(join(start, 'results.json'), JSON.stringify(results))
process.exit()
`
}
