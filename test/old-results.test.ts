import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, readJsonl, viva } from './support/viva.ts'

const check = { type: 'contains', value: 'yes' }
const agent = `export default async (input) => {
  if (input === 'down') throw Object.assign(new Error('x'), { name: 'AI_APICallError', statusCode: 400, url: 'http://x', isRetryable: false })
  return 'yes'
}`

/** Rewrites results as schema version 1 had them, when infrastructure errors were called world failures. */
function inOldNames(text: string): string {
  return text
    .replaceAll('"schema_version":2', '"schema_version":1')
    .replaceAll('"infrastructure"', '"world"')
    .replaceAll('infrastructure_errors', 'world_failures')
    .replaceAll('infrastructure_skips', 'world_skips')
    .replaceAll('infrastructure_error', 'world_error')
}

/** A project with the same results in `old.jsonl` and `new.jsonl`. */
async function twoVersions(): Promise<string> {
  const cases = [
    { id: 'up', input: 'hello', assert: check },
    { id: 'down', input: 'down', assert: check },
  ]
  const cwd = project({ 'c.jsonl': jsonl(...cases), 'agent.mjs': agent, 'other.mjs': agent })
  await viva(['test', '-i', 'c.jsonl', '-n', './agent.mjs', '-n', './other.mjs', '-o', 'new.jsonl'], { cwd })
  const text = readFileSync(join(cwd, 'new.jsonl'), 'utf8')
  writeFileSync(join(cwd, 'old.jsonl'), inOldNames(text))
  expect(inOldNames(text).match(/"fault":"world"/g)).toHaveLength(2)
  return cwd
}

describe('results of schema version 1', () => {
  it('results of version 1 give the same report as current ones', async () => {
    const cwd = await twoVersions()
    const [old, today] = await Promise.all(
      ['old', 'new'].map((name) => viva(['report', `${name}.jsonl`, '-r', 'report.json'], { cwd })),
    )
    const reported = (text = '') => text.replace(/"completed_at": "[^"]+"/, '')
    expect(reported(old?.stdout)).toBe(reported(today?.stdout))
    expect(old?.stdout).toContain('"fault":"infrastructure"')
    expect(old?.exitCode).toBe(today?.exitCode)
  })

  it('results of version 1 can be compared with current ones', async () => {
    const cwd = await twoVersions()
    const { stdout, exitCode } = await viva(['compare', 'old.jsonl', 'new.jsonl'], { cwd })
    expect(stdout).not.toContain('changed')
    expect(exitCode).toBe(0)
  })

  it('a run of version 1 can be resumed, and its infrastructure errors are kept', async () => {
    const cwd = await twoVersions()
    const text = readFileSync(join(cwd, 'old.jsonl'), 'utf8').trim().split('\n')
    writeFileSync(join(cwd, 'cut.jsonl'), `${text.slice(0, 4).join('\n')}\n`)
    const args = ['test', '-i', 'c.jsonl', '-n', './agent.mjs', '-n', './other.mjs', '--resume', 'cut.jsonl']
    const { exitCode } = await viva(args, { cwd })
    expect(exitCode).toBe(3)
    expect(readJsonl(join(cwd, 'cut.jsonl')).at(-1)).toMatchObject({ infrastructure_errors: 2, passed: 2 })
  })
})

describe('--max-world-failures', () => {
  it('--max-world-failures is refused with its new name', async () => {
    const { stderr, exitCode } = await viva(['test', '-i', 'c.jsonl', '--max-world-failures', '5%'], {
      cwd: project(),
    })
    expect(stderr).toContain('--max-world-failures is called --max-infrastructure-errors now')
    expect(exitCode).toBe(2)
  })
})
