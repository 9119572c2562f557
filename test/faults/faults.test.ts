import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../support/command.ts'
import { parts } from './parts.ts'

/** Runs `npm run faults -- --short`: all parts in one process, because loading the rig takes longer than some of them. */
function runShort(): Promise<{ exitCode: unknown; output: string }> {
  const loader = join(repository, 'test/faults/typescript.mjs')
  const args = ['--import', loader, join(repository, 'test/faults/main.ts'), '--short']
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ exitCode: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

describe('the short form of npm run faults', () => {
  let run: Awaited<ReturnType<typeof runShort>>
  beforeAll(async () => {
    run = await runShort()
  }, 480_000)

  const lacking = Object.entries(parts).flatMap(([name, part]) => {
    const missing = process.env.VIVA_REQUIRE_ALL === '1' ? undefined : part.missing?.()
    if (missing !== undefined) console.warn(`SKIPPED: the faults of ${name}: ${missing}`)
    return missing === undefined ? [] : [name]
  })

  it.each(Object.keys(parts).filter((name) => !lacking.includes(name)))(
    'part %s breaks no promise',
    (part) => {
      expect(run.output).toMatch(new RegExp(`^ *\\d+s ${part}: broke no promise$`, 'm'))
    },
  )

  it('the rig exits with 0', () => {
    expect(run.exitCode, run.output).toBe(0)
  })
})
