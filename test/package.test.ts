import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from './support/viva.ts'

/** The package as it would be published. */
describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'viva-package-'))
  let tarball: Buffer<ArrayBuffer>

  beforeAll(() => {
    // It is built: with its scripts it would be built again, while other tests run it.
    const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
    tarball = readFileSync(join(folder, filename))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('says of itself what is true', async () => {
    const { messages } = await publint({ pack: { tarball: arrayBufferOf(tarball) }, strict: true })
    expect(messages).toEqual([])
  })

  it('has of the examples what is committed, and nothing that runs left behind there', () => {
    const copy = join(folder, 'copy')
    const committed = execFileSync('git', ['ls-files', 'examples'], { cwd: repository, encoding: 'utf8' })
      .trim()
      .split('\n')
    for (const path of ['package.json', ...committed])
      cpSync(join(repository, path), join(copy, path), { recursive: true })
    const app = join(copy, 'examples/expense')
    for (const path of [
      'results.jsonl',
      'report.html',
      '.viva/history.jsonl',
      'coverage/lcov.info',
      'assistants/expense/tests/output-20260101000000.jsonl',
      'assistants/expense/tests/results.jsonl',
    ]) {
      mkdirSync(dirname(join(app, path)), { recursive: true })
      writeFileSync(join(app, path), '{}\n')
    }
    const [{ files }] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
        cwd: copy,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ files: { path: string }[] }]
    const packed = files.map(({ path }) => path).filter((path) => path.startsWith('examples/'))
    expect(packed.sort()).toEqual(committed.sort())
  })

  it('has types for every entry, as Node and bundlers find them', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
    expect(analysis.types).toMatchObject({ kind: 'included' })
    const entries = 'entrypoints' in analysis ? Object.keys(analysis.entrypoints) : []
    expect(entries).toEqual(['.', './testing', './vitest', './scripts', './package.json'])
    // It is ESM only: what loads modules by the rules of 2015 is not asked.
    const asked = ['node16-esm', 'bundler']
    const problems = 'problems' in analysis ? analysis.problems : []
    expect(
      problems.filter((problem) => !('resolutionKind' in problem) || asked.includes(problem.resolutionKind)),
    ).toEqual([])
  })
})

function arrayBufferOf({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength)
}
