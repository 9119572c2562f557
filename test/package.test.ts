import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from './support/viva.ts'

describe('the package as it would be published', () => {
  const folder = mkdtempSync(join(tmpdir(), 'viva-package-'))
  let tarball: Buffer<ArrayBuffer>

  beforeAll(() => {
    // The package is already built; its scripts would build it again while other tests run it.
    const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
    tarball = readFileSync(join(folder, filename))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('publint finds no problem in the package', async () => {
    const { messages } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, strict: true })
    expect(messages).toEqual([])
  })

  it('the package has the committed files of the examples, and nothing that runs leave there', () => {
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

  it('every entry of the package has types, for Node and for bundlers', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
    expect(analysis.types).toMatchObject({ kind: 'included' })
    const entries = 'entrypoints' in analysis ? Object.keys(analysis.entrypoints) : []
    expect(entries).toEqual(['.', './testing', './vitest', './scripts', './package.json'])
    // The package is ESM only, so that CommonJS resolution is not checked.
    const asked = ['node16-esm', 'bundler']
    const problems = 'problems' in analysis ? analysis.problems : []
    expect(
      problems.filter((problem) => !('resolutionKind' in problem) || asked.includes(problem.resolutionKind)),
    ).toEqual([])
  })
})

function toArrayBuffer({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength)
}
