import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FileLock, LockedError } from './lock.ts'
import { type LockOwner, newOwner } from './lock-owner.ts'

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'viva-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'x.jsonl')
  const lock = `${path}.lock`
  return {
    path,
    lock,
    files: () => readdirSync(folder),
    owner: () => JSON.parse(readFileSync(lock, 'utf8')) as LockOwner,
    /** Writes a lock as another run would leave it, last refreshed so long ago. */
    leave(owner: Partial<LockOwner> | string, secondsAgo = 0, at = lock) {
      writeFileSync(at, typeof owner === 'string' ? owner : JSON.stringify({ ...newOwner(), ...owner }))
      const time = Date.now() / 1000 - secondsAgo
      utimesSync(at, time, time)
    },
  }
}

function take(path: string): FileLock {
  const lock = new FileLock(path)
  onTestFinished(() => lock.release())
  return lock
}

const deadProcess = () => spawnSync(process.execPath, ['-e', '0']).pid

afterEach(() => {
  vi.useRealTimers()
})

describe('the lock of a file', () => {
  it('names its owner, excludes others, and leaves no files behind', () => {
    const { path, lock, files, owner } = place()
    const first = take(path)
    expect(owner()).toMatchObject({ pid: process.pid, host: hostname() })
    expect(files()).toEqual([basename(lock)])
    expect(() => new FileLock(path)).toThrow(LockedError)
    expect(() => new FileLock(path)).toThrow(
      `${path} is being written by another run (process ${process.pid} on ${hostname()}, since `,
    )
    first.release()
    first.release()
    expect(files()).toEqual([])
    take(path)
  })

  it('of a live process on this machine is valid, however long ago it was refreshed', () => {
    const { path, leave } = place()
    leave({}, 3600)
    expect(() => new FileLock(path)).toThrow('wait until it ends, or write to another file')
  })

  it.each<[string, () => Partial<LockOwner>]>([
    ['a process that was killed', () => ({ pid: deadProcess() })],
    ['an earlier process with the same id', () => ({ start: '1' })],
  ])('of %s is replaced immediately', (_, left) => {
    const { path, lock, files, leave, owner } = place()
    leave(left())
    take(path)
    expect(owner()).toMatchObject({ pid: process.pid, start: newOwner().start })
    expect(files()).toEqual([basename(lock)])
  })

  const elsewhere: [string, Partial<LockOwner> | string][] = [
    ['a run on another machine', { host: 'build-7', pid: 1 }],
    ['a run in another container of this machine', { boot: 'the same pid:[4026532999]', pid: deadProcess() }],
    ['an unknown owner', ''],
    ['another program', '4711'],
  ]

  it.each(elsewhere)('of %s is valid for 30 s after it was refreshed', (_, left) => {
    const { path, lock, leave, files } = place()
    leave(left, 20)
    const before = readFileSync(lock, 'utf8')
    expect(() => new FileLock(path)).toThrow(LockedError)
    expect(readFileSync(lock, 'utf8')).toBe(before)
    expect(files()).toEqual([basename(lock)])
  })

  it.each(elsewhere)('of %s is replaced 30 s after it was last refreshed', (_, left) => {
    const { path, leave, owner, files, lock } = place()
    leave(left, 40)
    take(path)
    expect(owner()).toMatchObject({ pid: process.pid, host: hostname() })
    expect(files()).toEqual([basename(lock)])
  })

  it('of a run elsewhere says when to try again', () => {
    const { path, leave } = place()
    leave({ host: 'build-7', pid: 12, since: '2026-01-02T03:04:05.000Z' }, 12)
    expect(() => new FileLock(path)).toThrow(
      /process 12 on build-7, since 2026-01-02T03:04:05.000Z\) \(it last refreshed its lock 1[23] s ago; if it was killed, try again 30 s after that\)/,
    )
  })

  it('is refreshed every few seconds without changing its text', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { path, lock } = place()
    take(path)
    const text = readFileSync(lock, 'utf8')
    utimesSync(lock, 0, 0)
    vi.advanceTimersByTime(5000)
    expect(readFileSync(lock, 'utf8')).toBe(text)
    expect(statSync(lock).mtimeMs).toBeGreaterThan(Date.now() - 10_000)
  })

  it('that another run has taken stops the next write and aborts `lost`', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { path, lock, leave } = place()
    const ours = take(path)
    ours.assertHeld()
    leave({ host: 'build-7', pid: 12 }, 0, `${lock}.theirs`)
    renameSync(`${lock}.theirs`, lock)
    expect(ours.lost.aborted).toBe(false)
    vi.advanceTimersByTime(5000)
    expect(ours.lost.aborted).toBe(true)
    expect(() => ours.assertHeld()).toThrow(
      /x.jsonl was taken over by another run \(process 12 on build-7, since .*\): this run has stopped writing to it/,
    )
    ours.release()
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ host: 'build-7' })
  })

  it('that was removed is taken again if no other run has it', () => {
    const { path, lock, owner } = place()
    const ours = take(path)
    rmSync(lock)
    ours.assertHeld()
    expect(owner().pid).toBe(process.pid)
    expect(() => new FileLock(path)).toThrow(LockedError)
  })

  it('of a dead owner is left to another process that is removing it', () => {
    const { path, lock, leave, owner } = place()
    const pid = deadProcess()
    leave({ pid })
    leave({}, 0, `${lock}.removing`)
    expect(() => new FileLock(path)).toThrow(`${path} is locked: remove ${lock} and ${lock}.removing`)
    expect(owner().pid).toBe(pid)
  })

  it('is taken even if a process died while removing the previous one', () => {
    const { path, lock, leave, files } = place()
    leave({ pid: deadProcess() })
    leave({ pid: deadProcess() }, 0, `${lock}.removing`)
    take(path)
    expect(files()).toEqual([basename(lock)])
  })

  it.each([
    ['a folder', (lock: string) => mkdirSync(lock)],
    ['a link', (lock: string) => symlinkSync('nowhere', lock)],
  ])('is reported when it is %s', (_, make) => {
    const { path, lock } = place()
    make(lock)
    expect(() => new FileLock(path)).toThrow(
      `${lock} is not a lock of viva and has to be removed: it is not a file`,
    )
  })
})
