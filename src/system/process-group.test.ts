import { describe, expect, it, vi } from 'vitest'
import { isAlive } from '../../test/support/processes.ts'
import { type ProcessGroup, type ProcessOptions, startProcess } from './process-group.ts'

/** Starts a child in its own session, which starts another one and ends: the grandchild has lost its parents. */
const daemon = `
  const { spawn } = require('node:child_process')
  const inner = \`
    const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { detached: true, stdio: 'ignore' })
    console.log(pid)
    process.exit(0)\`
  spawn(process.execPath, ['-e', inner], { detached: true, stdio: 'inherit' })`

async function startDaemon(
  then: string,
  options: Partial<ProcessOptions> = {},
): Promise<{ group: ProcessGroup; pid: number }> {
  const lines: string[] = []
  const group = startProcess({
    words: [process.execPath, '-e', `${daemon}\n${then}`],
    cwd: process.cwd(),
    env: process.env,
    input: false,
    onOutput: (line) => lines.push(line),
    onError: (line) => lines.push(line),
    ...options,
  })
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 10_000 })
  return { group, pid: Number(lines[0]) }
}

describe('a process left behind in its own session', () => {
  it('ends when the process is killed', async () => {
    const { group, pid } = await startDaemon('setInterval(() => {}, 1000)')
    expect(isAlive(pid)).toBe(true)
    group.kill()
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 })
  })

  it('outlives its parent until the group is stopped', async () => {
    const { group, pid } = await startDaemon('')
    await group.ended
    expect(isAlive(pid)).toBe(true)
    await group.stop(1000)
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 })
  })

  it('has ended when the service whose daemon it is was stopped', async () => {
    const { group, pid } = await startDaemon('', { daemon: true })
    await group.ended
    await group.stop(10_000)
    // The process that adopted it may take a moment to reap it.
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 })
  })
})
