import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FingerprintedFiles } from './fingerprinted-files.ts'

const asIs = <T>(value: T) => value

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'viva-files-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

it('a file is read once, and is changed if it was written, removed or added later', () => {
  const [one, gone] = ['one.txt', 'gone.txt'].map((name) => join(folder(), name)) as [string, string]
  writeFileSync(one, 'a')
  // Longer ago than the clock of the file system is coarse.
  const before = Date.now() + 1000
  const files = new FingerprintedFiles()
  const found = files.read(one, asIs)
  expect(files.read(gone, asIs)).toBeUndefined()
  expect(files.changedSince(before)).toBeUndefined()
  writeFileSync(one, 'b')
  expect(files.read(one, asIs)).toBe(found)
  utimesSync(one, new Date(), new Date(before + 1000))
  expect(files.changedSince(before)).toBe(one)
  rmSync(one)
  expect(files.changedSince(before)).toBe(one)
  writeFileSync(gone, 'there')
  const others = new FingerprintedFiles()
  expect(others.changedSince(0)).toBeUndefined()
  expect(files.changedSince(Number.MAX_SAFE_INTEGER)).toBe(one)
})

it('the same content has the same hash, whatever secrets are in it', () => {
  const path = join(folder(), 'a.txt')
  const hashOf = (text: string, secret: string) => {
    writeFileSync(path, text)
    const redact = <T>(value: T) => String(value).replaceAll(secret, '[redacted]') as T
    return new FingerprintedFiles().read(path, redact)?.hash
  }
  expect(hashOf('key one', 'one')).toBe(hashOf('key two', 'two'))
  expect(hashOf('key one', 'one')).not.toBe(hashOf('keys one', 'one'))
})
