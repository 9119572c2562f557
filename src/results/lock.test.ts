import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockFile } from './lock.ts'

function place(): { path: string; lock: string } {
  const folder = mkdtempSync(join(tmpdir(), 'viva-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { path: join(folder, 'x.jsonl'), lock: join(folder, 'x.jsonl.lock') }
}

describe('the lock of a file', () => {
  it('is there until it is given back', () => {
    const { path, lock } = place()
    const unlock = lockFile(path)
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
    expect(() => lockFile(path)).toThrow(`is being written by another run (process ${process.pid})`)
    unlock()
    expect(existsSync(lock)).toBe(false)
  })

  it('of a process that was killed is replaced', () => {
    const { path, lock } = place()
    const { pid } = spawnSync(process.execPath, ['-e', '0'])
    writeFileSync(lock, String(pid))
    lockFile(path)
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
  })

  it.each(['', 'no process'])('of nobody is replaced: "%s"', (written) => {
    const { path, lock } = place()
    writeFileSync(lock, written)
    utimesSync(lock, 1, 1)
    lockFile(path)
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
  })

  it('whose owner is just about to write its name is not taken away', async () => {
    const { path, lock } = place()
    const owner = `
      const { openSync, writeSync } = require('node:fs')
      const lock = openSync(${JSON.stringify(lock)}, 'wx')
      console.log('made')
      setTimeout(() => writeSync(lock, String(process.pid)), 300)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', owner], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    expect(() => lockFile(path)).toThrow(`is being written by another run (process ${child.pid})`)
    expect(readFileSync(lock, 'utf8')).toBe(String(child.pid))
  })
})
