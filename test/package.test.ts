import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
