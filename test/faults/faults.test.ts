import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/command.ts'
import { parts } from './parts.ts'

/** Runs a part like `npm run faults -- PART --short`, in its own process. */
function runShort(part: string): Promise<{ exitCode: unknown; output: string }> {
  const loader = join(repository, 'test/faults/typescript.mjs')
  const args = ['--import', loader, join(repository, 'test/faults/main.ts'), part, '--short']
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ exitCode: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

describe('the short form of npm run faults', () => {
  it.each(Object.entries(parts))('part %s breaks no promise', { timeout: 240_000 }, async (part) => {
    const { exitCode, output } = await runShort(part)
    expect(exitCode, output).toBe(0)
  })
})
