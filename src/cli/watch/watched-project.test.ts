import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everything, type Part } from './part.ts'
import { WatchedProject } from './watched-project.ts'

/** Watches a project in which a file changes, and calls `onAffected` when that is noticed. */
function changeFile(onAffected: (part: Part, because: string) => void): void {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'viva-project-')))
  const project = new WatchedProject({
    given: {},
    shell: { cwd, env: {} },
    onAffected,
    warn: () => {},
  })
  onTestFinished(() => {
    project.close()
    rmSync(cwd, { recursive: true })
  })
  writeFileSync(join(cwd, 'data.json'), '{}')
}

/** The next error that nothing catches, which would end the command. */
function nextUncaught(): Promise<unknown> {
  const others = process.listeners('uncaughtException')
  for (const other of others) process.off('uncaughtException', other)
  onTestFinished(() => {
    for (const other of others) process.on('uncaughtException', other)
  })
  return new Promise((resolve) => process.once('uncaughtException', resolve))
}

describe('a watched project', () => {
  it('runs everything when a file is removed while it is looked at', async () => {
    const calls: [Part, string][] = []
    await new Promise<void>((resolve) => {
      changeFile((part, because) => {
        calls.push([part, because])
        if (calls.length === 1) readFileSync(join(tmpdir(), 'viva-no-such-file'))
        resolve()
      })
    })
    expect(calls[1]).toEqual([everything, 'data.json changed'])
  })

  it('does not hide a bug behind another run', async () => {
    const uncaught = nextUncaught()
    const calls: Part[] = []
    const bug = new TypeError('a bug')
    changeFile((part) => {
      calls.push(part)
      if (calls.length === 1) throw bug
      throw new Error('called again')
    })
    expect(await uncaught).toBe(bug)
    expect(calls).toHaveLength(1)
  })
})
