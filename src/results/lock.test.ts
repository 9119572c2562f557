import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LockedError, lockFile } from './lock.ts'

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'viva-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'x.jsonl')
  return { path, lock: `${path}.lock`, files: () => readdirSync(folder) }
}

const deadProcess = () => String(spawnSync(process.execPath, ['-e', '0']).pid)

describe('the lock of a file', () => {
  it('is there until it is given back, and nothing else is', () => {
    const { path, lock, files } = place()
    const unlock = lockFile(path)
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
    expect(files()).toEqual([basename(lock)])
    expect(() => lockFile(path)).toThrow(`is being written by another run (process ${process.pid};`)
    unlock()
    expect(files()).toEqual([])
    lockFile(path)()
  })

  it('of another process is left alone', () => {
    const { path, lock, files } = place()
    writeFileSync(lock, String(process.ppid))
    expect(() => lockFile(path)).toThrow(LockedError)
    expect(readFileSync(lock, 'utf8')).toBe(String(process.ppid))
    expect(files()).toEqual([basename(lock)])
  })

  it.each([
    ['a process that was killed', deadProcess],
    ['one that had the number of this one', () => String(process.pid)],
    ['nobody', () => ''],
    ['no process', () => 'somebody'],
  ])('of %s is replaced', (_, owner) => {
    const { path, lock, files } = place()
    writeFileSync(lock, owner())
    lockFile(path)
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
    expect(files()).toEqual([basename(lock)])
  })

  it('of a killed process is left to whoever is removing it', () => {
    const { path, lock } = place()
    const dead = deadProcess()
    writeFileSync(lock, dead)
    writeFileSync(`${lock}.removing`, String(process.ppid))
    expect(() => lockFile(path)).toThrow(`nobody can tell by whom: remove ${lock}`)
    expect(readFileSync(lock, 'utf8')).toBe(dead)
  })

  it('is named where it is no file', () => {
    const { path, lock } = place()
    mkdirSync(lock)
    expect(() => lockFile(path)).toThrow(`${lock} is no lock of viva, and in the way: `)
  })

  it('is not waited for without end where it is none', () => {
    const { path, lock } = place()
    symlinkSync('nowhere', lock)
    expect(() => lockFile(path)).toThrow(`nobody can tell by whom: remove ${lock}`)
  })
})
